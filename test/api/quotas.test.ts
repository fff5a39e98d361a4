// Storage quotas: how much space a small change of a large record needs, and how much a company may store.
import { describe, expect, it } from 'vitest'
import { base64 } from '../support/documents.ts'
import { injectInto } from '../support/inject.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const FIXTURE = 'test/fixtures/quotas.yaml'
/** Text that does not compress well. */
const noise = (length: number, seed: number) => {
  let state = seed * 2_654_435_761
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return String.fromCharCode(0x61 + ((state >>> 24) % 26))
  }).join('')
}

const note = (content: string) => ({
  docType: 'NOTE',
  title: 'Note',
  fileName: 'note.txt',
  fileContent: base64(content),
  indexes: [{ sequenceNo: 1, indexValue: 'x' }],
})
const value = (attributeValue: string, seed: number) => ({
  attributeId: 'C6',
  attributeValue,
  description: noise(2_000, seed),
})
const replaced = (path: string, to: unknown) => [{ op: 'replace', path, value: to }]

onEachStore(
  'Quotas',
  (world) => {
    const send = (company: string, method: Sent['method'], path: string, body?: unknown, headers = {}) =>
      world().send({
        as: 'integration',
        method: method ?? 'GET',
        url: `/v1/${path}${path.includes('?') ? '&' : '?'}companyId=${company}`,
        body,
        headers,
      })
    const sizesOf = async (company: string): Promise<Record<'journal_bytes' | 'file_bytes', number>> => {
      const [row] = await world().query(
        `select journal_bytes, file_bytes from journal_counter where company_id = '${company}'`,
      )
      return { journal_bytes: Number(row?.journal_bytes), file_bytes: Number(row?.file_bytes) }
    }

    const isRefused = { status: 422, json: { code: 1010, message: expect.stringMatching(/ quota of \d+ bytes/) } }

    describe('a small change of a large record', () => {
      const customer = {
        customerId: 'BIG',
        customerName: 'Large',
        customerGroupId: 'G',
        countryCode: 'NO',
        contactPoints: Array.from({ length: 200 }, (_, at) => ({
          contactPointType: '1',
          address: { streetAddress: noise(160, at), place: noise(40, at + 1_000) },
          additionalContactInfo: {
            contactPerson: noise(255, at + 2_000),
            contactPosition: noise(255, at + 3_000),
            eMail: noise(255, at + 4_000),
            url: noise(255, at + 5_000),
          },
        })),
      }
      const keptBytes = async (): Promise<number> => {
        const [row] = await world().query('select sum(length(answer)) as bytes from kept_answer')
        return Number(row?.bytes ?? 0) + (await sizesOf('EN')).journal_bytes
      }

      it('needs little space, in the change log and in the stored response for a retry', async () => {
        expect((await send('EN', 'POST', 'customers', customer)).status).toBe(201)
        const patch = (at: number) =>
          send('EN', 'PATCH', 'customers/BIG', replaced('/aliasName', `n${at}`), { 'idempotency-key': `k${at}` })
        expect((await patch(0)).status).toBe(200)
        const before = await keptBytes()
        for (let at = 1; at <= 20; at++) expect((await patch(at)).status).toBe(200)
        expect(((await keptBytes()) - before) / 20).toBeLessThan(1_000)
        const same = replaced('/aliasName', 'n20')
        const first = await send('EN', 'PATCH', 'customers/BIG', same, { 'idempotency-key': 'same' })
        expect(await keptBytes()).toBeLessThan(before + 21_000)
        expect((await send('EN', 'PATCH', 'customers/BIG', same, { 'idempotency-key': 'same' })).text).toBe(first.text)
      })

      it('is read back completely, by a retry and in the change log', async () => {
        const request = [replaced('/aliasName', 'again'), { 'idempotency-key': 'again' }] as const
        const first = await send('EN', 'PATCH', 'customers/BIG', ...request)
        await send('EN', 'PATCH', 'customers/BIG', replaced('/contactPoints/0/address/place', 'Moss'))
        const repeat = await send('EN', 'PATCH', 'customers/BIG', ...request)
        expect([repeat.headers['idempotency-replayed'], repeat.text]).toEqual(['true', first.text])
        const entries = await send(
          'EN',
          'GET',
          "objects/audit-entries?filter=entity eq 'customer'&orderby=entryNo desc&limit=1",
        )
        expect(entries.status).toBe(200)
        expect(JSON.parse(entries.json[0].before)).toEqual(first.json)
        expect(JSON.parse(entries.json[0].after).contactPoints[0].address.place).toBe('Moss')
      })

      it('takes a new copy when the record has become another one', async () => {
        const others = customer.contactPoints.map((point, at) => ({
          ...point,
          additionalContactInfo: { contactPerson: noise(255, at + 6_000), url: noise(255, at + 7_000) },
        }))
        expect((await send('EN', 'PATCH', 'customers/BIG', replaced('/contactPoints', others))).status).toBe(200)
        const before = await keptBytes()
        expect((await send('EN', 'PATCH', 'customers/BIG', replaced('/aliasName', 'b'))).status).toBe(200)
        expect((await keptBytes()) - before).toBeLessThan(1_000)
      })
    })

    describe('of files', () => {
      it('refuses a document and a revision that exceed it, before anything is written, and takes what fits', async () => {
        const made = await send('FI', 'POST', 'documents', note('x'.repeat(600)))
        expect(made.status).toBe(201)
        const { id } = made.json
        const before = await world().dump()
        const revision = (length: number) =>
          send('FI', 'POST', 'document-revisions', {
            id,
            comment: 'longer',
            fileName: 'note.txt',
            fileContent: base64('y'.repeat(length)),
          })
        expect(await send('FI', 'POST', 'documents', note('z'.repeat(401)))).toMatchObject(isRefused)
        expect(await revision(401)).toMatchObject(isRefused)
        expect(await world().changesSince(before)).toEqual([])
        expect((await revision(400)).status).toBe(201)
        expect(await sizesOf('FI')).toMatchObject({ file_bytes: 1_000 })
        expect((await send('FI', 'PATCH', `documents/${id}`, replaced('/title', 'Full'))).status).toBe(200)
        expect((await send('FI', 'GET', `documents/${id}`)).status).toBe(200)
        expect((await send('FI', 'DELETE', `documents/${id}`)).status).toBe(200)
        expect((await send('EN', 'POST', 'documents', note('z'.repeat(2_000)))).status).toBe(201)
      })

      it('takes no more than there is room for of documents that come at once', async () => {
        const sent = await Promise.all(
          [1, 2, 3].map((at) => send('RA', 'POST', 'documents', note(String(at).repeat(400)))),
        )
        expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 422])
        expect(await sizesOf('RA')).toMatchObject({ file_bytes: 800 })
      })
    })

    describe('of the change log', () => {
      it('refuses what would add to it once it is reached, and lets callers read, close and delete', async () => {
        const taken: string[] = []
        for (let at = 0; at < 60; at++) {
          const answer = await send('JO', 'POST', 'attribute-values', value(`V${at}`, at))
          if (answer.status !== 201) {
            expect(answer).toMatchObject(isRefused)
            break
          }
          taken.push(`V${at}`)
        }
        expect(taken.length).toBeGreaterThan(5)
        expect(taken.length).toBeLessThan(60)
        expect((await sizesOf('JO')).journal_bytes).toBeGreaterThanOrEqual(40_000)
        const before = await world().dump()
        const [last = ''] = taken.slice(-1)
        const path = `attribute-values/C6/${last}/0`
        const relation = { attributeId: 'C6', attributeValue: last, relatedAttributeId: 'C2', relationValue: '100' }
        for (const refused of [
          await send('JO', 'PATCH', path, replaced('/description', 'shorter')),
          await send('JO', 'POST', 'attribute-relations', relation),
          await send('JO', 'POST', 'customers', { customerId: 'C', customerName: 'C', customerGroupId: 'G' }),
          await send('JO', 'POST', 'documents', note('text')),
          await send('JO', 'POST', 'attribute-values?validateOnly=true', value('VALIDATE_ONLY', 1)),
        ]) {
          expect(refused).toMatchObject(isRefused)
        }
        expect(await world().changesSince(before)).toEqual([])
        expect((await send('JO', 'GET', path)).status).toBe(200)
        expect((await send('JO', 'DELETE', path)).status).toBe(200)
        expect((await send('EN', 'POST', 'attribute-values', value('V1', 1))).status).toBe(201)
      })
    })

    it('are counted as what is stored', async () => {
      for (const company of ['EN', 'JO']) {
        const [stored] = await world().query(`select
          (select sum(length(before) + length(after) + length(record_key) + length(request_id) + 72)
            from journal_entry where company_id = '${company}') as entries,
          (select sum(length(bytes)) from journal_dictionary where company_id = '${company}') as dictionaries`)
        expect((await sizesOf(company)).journal_bytes).toBe(Number(stored?.entries) + Number(stored?.dictionaries))
      }
    })

    it('are reported in the metrics as the share of the fullest company, which is not named there', async () => {
      const { body } = await injectInto(world().application.server, { url: '/metrics', remoteAddress: '127.0.0.1' })
      expect(body).toMatch(/^tabularium_quota_files_used_ratio /m)
      expect(body).toMatch(/^tabularium_quota_journal_used_ratio /m)
      expect(body).not.toMatch(/"(EN|FI|RA|JO)"/)
    })
  },
  (kind) => startWorld(kind, FIXTURE),
)
