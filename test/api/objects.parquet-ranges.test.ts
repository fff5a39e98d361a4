// HEAD and ranges of Parquet files: how readers such as DuckDB fetch parts of an answer over HTTP. RFC 9110, 13 and 14.

import { once } from 'node:events'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet'
import { beforeEach, expect, it, vi } from 'vitest'
import { insertRows, objects, startObjects } from '../support/object-records.ts'
import { readParquet } from '../support/parquet-file.ts'
import { type Answer, onEachStore, type World } from '../support/world.ts'

const FORMAT = { $format: 'parquet' }
const SELECTED = { ...FORMAT, select: 'attributeId,attributeValue,description' }
const URL_OF_ALL = objects('attribute-values', SELECTED)

interface Asked {
  readonly method?: 'HEAD' | 'GET'
  readonly url?: string
  readonly as?: string
  readonly headers?: Record<string, string>
}

const ask = (world: World, { method = 'GET', url = URL_OF_ALL, as = 'integration', headers = {} }: Asked) =>
  world.send({ as, method, url, headers })

const range = (world: World, bytes: string, headers: Record<string, string> = {}) =>
  ask(world, { headers: { range: `bytes=${bytes}`, ...headers } })

const spoolOf = (world: World) => join(world.folder, 'spool')
const filesOf = (world: World) => readdirSync(spoolOf(world))

let no = 0
async function addValue(world: World): Promise<void> {
  no += 1
  const body = { attributeId: 'C1', attributeValue: `R${no}`, description: `Reader ${no}` }
  const answer = await world.send({ as: 'integration', method: 'POST', url: '/v1/attribute-values', body })
  expect(answer.status, answer.text).toBe(201)
}

onEachStore(
  'HEAD and ranges of Parquet',
  (world) => {
    beforeEach(() => {
      for (const name of filesOf(world())) rmSync(join(spoolOf(world()), name))
    })

    it('answers HEAD with the size, a strong tag, and the number of records that the filter leaves', async () => {
      const head = await ask(world(), { method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(head.headers).toMatchObject({
        'content-type': 'application/vnd.apache.parquet',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[\w-]+"$/),
        'x-erp-total-count': String((await readParquet((await range(world(), '0-')).bytes)).rows.length),
        'x-erp-change-number': expect.stringMatching(/^\d+$/),
      })
      const all = await range(world(), '0-')
      expect(all.status).toBe(206)
      expect(Number(head.headers['content-length'])).toBe(all.bytes.length)
      const part = await ask(world(), { method: 'HEAD', url: objects('attribute-values', { ...SELECTED, limit: 2 }) })
      expect(part.headers['x-erp-total-count']).toBeUndefined()
      const counted = await ask(world(), {
        method: 'HEAD',
        url: objects('attribute-values', { select: 'attributeId' }),
      })
      expect(counted.headers['x-erp-total-count']).toEqual(expect.any(String))
    })

    it('answers ranges with 206, what is beyond the end with 416, and the current tag with 304', async () => {
      const head = await ask(world(), { method: 'HEAD' })
      const size = Number(head.headers['content-length'])
      const all = await range(world(), `0-${size - 1}`)
      const end = await range(world(), '-8')
      expect(end.status).toBe(206)
      expect(end.headers['content-range']).toBe(`bytes ${size - 8}-${size - 1}/${size}`)
      expect(end.bytes.subarray(4).toString()).toBe('PAR1')
      expect((await range(world(), '4-9')).bytes).toEqual(all.bytes.subarray(4, 10))
      const beyond = await range(world(), `${size}-`)
      expect({ status: beyond.status, range: beyond.headers['content-range'] }).toEqual({
        status: 416,
        range: `bytes */${size}`,
      })
      const unchanged = await ask(world(), { method: 'HEAD', headers: { 'if-none-match': String(head.headers.etag) } })
      expect(unchanged.status).toBe(304)
    })

    it('goes on in the same file after a change, and begins a new one with the next HEAD', async () => {
      const first = await ask(world(), { method: 'HEAD' })
      const before = await range(world(), '0-')
      await addValue(world())
      const tag = String(first.headers.etag)
      const after = await range(world(), '0-')
      expect(after.headers.etag).toBe(tag)
      expect(after.bytes).toEqual(before.bytes)
      const second = await ask(world(), { method: 'HEAD' })
      expect(second.headers.etag).not.toBe(tag)
      const rows = Number(second.headers['x-erp-total-count'])
      expect(rows).toBe(Number(first.headers['x-erp-total-count']) + 1)
      // One that names the older file still reads that; one that names none of them gets the whole current one.
      expect((await range(world(), '0-', { 'if-range': tag })).bytes).toEqual(before.bytes)
      const unknown = await range(world(), '0-3', { 'if-range': '"unknown"' })
      expect({ status: unknown.status, etag: unknown.headers.etag }).toEqual({ status: 200, etag: second.headers.etag })
      expect((await readParquet(unknown.bytes)).rows).toHaveLength(rows)
    })

    it('gives those who begin with the end of a file a current one', async () => {
      const first = await ask(world(), { method: 'HEAD' })
      await addValue(world())
      expect((await range(world(), '-8')).headers.etag).toBe(first.headers.etag)
      // As if the file had been made long ago: its name says when.
      const [name = ''] = filesOf(world())
      const older = name.replace(/\.\d{13}\./, (time) => `.${Number(time.slice(1, -1)) - 60_000}.`)
      renameSync(join(spoolOf(world()), name), join(spoolOf(world()), older))
      expect((await range(world(), '0-7')).headers.etag).toBe(first.headers.etag)
      const end = await range(world(), '-8')
      expect([end.status, end.headers.etag === first.headers.etag]).toEqual([206, false])
      expect((await range(world(), '0-7')).headers.etag).toBe(end.headers.etag)
    })

    it('reads over HTTP with HEAD and ranges, with credentials', async () => {
      const rows = Array.from({ length: 3_000 }, (_, at) => ({
        company_id: 'EN',
        customer_id: `H${String(at).padStart(5, '0')}`,
        customer_name: `Åse ${at}`,
        updated_at: '2026-01-02T03:04:05.678Z',
        updated_by: 'tester',
      }))
      await insertRows(world(), 'customer', rows)
      const address = await world().application.server.listen({ port: 0, host: '127.0.0.1' })
      const url = address + objects('customers', { ...FORMAT, filter: "startswith(customerId,'H')" })
      const requestInit = { headers: { authorization: `Bearer ${await world().token('integration')}` } }
      const file = await asyncBufferFromUrl({ url, requestInit })
      const last = await parquetReadObjects({ file, rowStart: 2_990, rowEnd: 3_000, columns: ['customerName'] })
      expect(last).toEqual(rows.slice(2_990).map((row) => ({ customerName: row.customer_name })))
    })

    it('answers what was there at a moment, also in ranges', async () => {
      const before = await ask(world(), { method: 'HEAD' })
      const then = String(before.headers['x-erp-change-number'])
      await addValue(world())
      const url = objects('attribute-values', { ...SELECTED, asOf: then })
      const head = await ask(world(), { method: 'HEAD', url })
      expect(head.headers).toMatchObject({
        'x-erp-change-number': then,
        'x-erp-total-count': before.headers['x-erp-total-count'],
      })
      const file = await readParquet((await ask(world(), { url, headers: { range: 'bytes=0-' } })).bytes)
      const values = file.rows.map(({ attributeValue }) => attributeValue)
      expect(values).toHaveLength(Number(before.headers['x-erp-total-count']))
      expect(values).not.toContain(`R${no}`)
      expect(file.about['tabularium.changeNumber']).toBe(then)
    })

    it('makes one file for all who ask at the same time', async () => {
      const asked = {
        method: 'HEAD',
        url: objects('attribute-values', { ...SELECTED, filter: "attributeId ne 'x'" }),
      } as const
      const heads = await Promise.all(Array.from({ length: 8 }, () => ask(world(), asked)))
      expect(new Set(heads.map(({ headers }: Answer) => headers.etag)).size).toBe(1)
      expect(filesOf(world())).toHaveLength(1)
    })

    it('answers many different questions of one client at the same time, each in its turn', async () => {
      const urls = Array.from({ length: 12 }, (_, at) => objects('attribute-values', { ...SELECTED, limit: at + 1 }))
      const heads = await Promise.all(urls.map((url) => ask(world(), { method: 'HEAD', url })))
      expect(heads.map(({ status }) => status)).toEqual(urls.map(() => 200))
      expect(new Set(heads.map(({ headers }) => headers.etag)).size).toBe(12)
      const files = await Promise.all(urls.map((url) => ask(world(), { url })))
      expect(files.map(({ bytes }) => bytes.length)).toEqual(
        heads.map(({ headers }) => Number(headers['content-length'])),
      )
    })

    it('frees its processes when readers leave in the middle, and goes on answering', async () => {
      const { server } = world().application
      if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
      const { port } = server.server.address() as AddressInfo
      const authorization = `Bearer ${await world().token('integration')}`
      for (let round = 0; round < 6; round++) {
        const method = round % 2 === 0 ? 'GET' : 'HEAD'
        const path = objects('customers', { ...FORMAT, filter: `customerId ne '${round}'` })
        const leaving = request({ host: '127.0.0.1', port, path, method, headers: { authorization } }).end()
        leaving.on('error', () => {})
        if (round < 2) await once(leaving, 'response')
        else await once(leaving, 'finish')
        leaving.destroy()
      }
      const running = async () =>
        /^tabularium_queue_running\{queue="parquet"\} (\d+)/m.exec((await world().send({ url: '/metrics' })).text)?.[1]
      await vi.waitFor(async () => expect(await running()).toBe('0'), { timeout: 120_000 })
      expect((await ask(world(), { method: 'HEAD' })).status).toBe(200)
      expect(filesOf(world()).filter((name) => name.endsWith('.part'))).toEqual([])
    })

    it('shares no file between companies, nor between callers of other rights', async () => {
      const questions = () => new Set(filesOf(world()).map((name) => name.split('.')[0]))
      const ofCompany = (companyId: string) => objects('attribute-values', { ...SELECTED, companyId })
      const heads: Answer[] = []
      for (const [as, companyId] of [
        ['integration', 'EN'],
        ['reader', 'EN'],
        ['both', 'EN'],
        ['both', 'SV'],
        ['sv', 'SV'],
      ] as const) {
        const head = await ask(world(), { as, method: 'HEAD', url: ofCompany(companyId) })
        expect(head.status).toBe(200)
        heads.push(head)
        expect(questions().size).toBe(heads.length)
      }
      // A tag of another company's file, or of other rights, names no file of this caller.
      for (const [at, { headers }] of heads.entries()) {
        if (at === 0) continue
        const other = await ask(world(), {
          url: ofCompany('EN'),
          headers: { range: 'bytes=0-3', 'if-range': String(headers.etag) },
        })
        expect({ status: other.status, etag: other.headers.etag }).toEqual({
          status: 200,
          etag: heads[0]?.headers.etag,
        })
      }
      for (const as of ['nobody', 'noobjects']) {
        expect((await ask(world(), { as, headers: { range: 'bytes=0-' } })).status).toBe(403)
      }
      expect((await ask(world(), { as: 'sv', url: ofCompany('EN'), headers: { range: 'bytes=0-' } })).status).toBe(403)
      expect((await world().send({ url: URL_OF_ALL, headers: { range: 'bytes=0-' } })).status).toBe(401)
    })
  },
  startObjects,
)
