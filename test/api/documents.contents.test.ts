// Contents that are missing or damaged in the file store: GET /v1/documents/{id} and the list answer 500, or are
// visibly cut off, and never return wrong bytes (docs/decisions.md).
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { base64, create, DOCUMENTS, noteOf, onEachFileStore, replace, revise, urlOf } from '../support/documents.ts'
import { triesOf } from '../support/reliability-test.ts'
import type { World } from '../support/world.ts'

/** Read in several chunks. */
const LARGE = randomBytes(1_500_000)
const SMALL = randomBytes(1_000)
/** Answers that fail, and rounds of clients who leave. */
const FAILED = triesOf({ long: 200, full: 200 })
const LEFT = triesOf({ long: 40, full: 40 })

/** The part of an answer that a client received. */
interface Got {
  readonly status: number
  readonly text: string
  /** The answer did not come to its end. */
  readonly isCut: boolean
}

onEachFileStore('A content that is missing or damaged', (world) => {
  const files = () => world().application.service.files
  const send = (url: string) => world().send({ as: 'integration', url })
  let port = 0

  beforeAll(async () => {
    const { server } = world().application
    await server.listen({ host: '127.0.0.1', port: 0 })
    port = (server.server.address() as AddressInfo).port
  })

  async function get(path: string): Promise<Got> {
    const headers = { authorization: `Bearer ${await world().token('integration')}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const piece of answer.body ?? []) text += decoder.decode(piece, { stream: true })
      return { status: answer.status, text, isCut: false }
    } catch {
      return { status: answer.status, text, isCut: true }
    }
  }

  const taken = async (title: string, content: Buffer) => {
    const { id } = await create(world(), noteOf(title, { fileContent: base64(content) }))
    return { id, hash: await hashOf(world(), id) }
  }
  const remove = ({ hash }: { hash: string }) => files().remove('EN', hash)
  /** Replaces the bytes of a stored content. */
  const damage = async ({ hash }: { hash: string }, bytes: Buffer) => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-damage-'))
    const path = join(folder, 'content')
    writeFileSync(path, bytes)
    await files().remove('EN', hash)
    await files().put('EN', { path, hash, size: bytes.length, head: bytes.subarray(0, 1_024) })
    rmSync(folder, { recursive: true, force: true })
  }
  const flipped = (content: Buffer, at: number) => {
    const copy = Buffer.from(content)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }

  const spoilers = [
    ['missing', remove],
    ['damaged', (one: { hash: string }) => damage(one, flipped(SMALL, 9))],
  ] as const
  const fault = { code: 1000, message: 'Internal server error' }

  it('missing: the single GET answers 500 with nothing but a request id, and logs the reason', async () => {
    const document = await taken('Missing', SMALL)
    await remove(document)
    const answer = await get(urlOf(document.id))
    expect(answer).toMatchObject({ status: 500, isCut: false })
    expect(JSON.parse(answer.text)).toEqual({ ...fault, requestId: expect.any(String) })
    expect(answer.text).not.toMatch(/file|company|[\da-f]{64}/)
    const failed = world().observed.findLast(({ kind }) => kind === 'request-failed')
    expect(String((failed as { error?: unknown }).error)).toContain(document.hash)
  })

  it.each([
    ['one flipped bit', flipped(SMALL, 0)],
    ['a byte too few', SMALL.subarray(1)],
    ['a byte too many', Buffer.concat([SMALL, SMALL.subarray(0, 1)])],
    ['nothing in it', Buffer.alloc(0)],
  ])('damaged: the single GET of a small content with %s answers 500', async (_name, bytes) => {
    const document = await taken('Damaged', SMALL)
    await damage(document, bytes)
    const answer = await get(urlOf(document.id))
    expect([answer.status, answer.isCut]).toEqual([500, false])
    expect(JSON.parse(answer.text)).toMatchObject(fault)
    await damage(document, SMALL)
    expect((await send(urlOf(document.id))).json.fileContent).toBe(base64(SMALL))
  })

  it.each([
    ['a flipped bit at its end', flipped(LARGE, LARGE.length - 1)],
    ['a flipped bit in the middle', flipped(LARGE, LARGE.length / 2)],
    ['its end cut off', LARGE.subarray(0, -1)],
    ['half of it cut off', LARGE.subarray(0, LARGE.length / 2)],
    ['bytes behind it', Buffer.concat([LARGE, LARGE])],
  ])('damaged: the single GET of a large content with %s never comes to its end', async (_name, bytes) => {
    const document = await taken('Large', LARGE)
    const whole = (await send(urlOf(document.id))).text
    await damage(document, bytes)
    const answer = await get(urlOf(document.id))
    expect([answer.status, answer.isCut]).toEqual([200, true])
    expect(answer.text.length).toBeLessThan(whole.length)
    await damage(document, LARGE)
    expect((await get(urlOf(document.id))).text).toBe(whole)
    const broken = world().observed.filter(({ kind }) => kind === 'answer-broken')
    expect(broken).not.toEqual([])
  })

  it('missing or damaged as the first of a list with contents: 500', async () => {
    for (const [name, spoil] of spoilers) {
      const title = `First ${name}`
      const content = randomBytes(100)
      await taken(title, content)
      await spoil(await taken(title, SMALL))
      const query = `title=${encodeURIComponent(title)}`
      const answer = await get(`${DOCUMENTS}?${query}&withFileContent=true`)
      expect([answer.status, answer.isCut]).toEqual([500, false])
      expect(JSON.parse(answer.text)).toMatchObject(fault)
      expect((await send(`${DOCUMENTS}?${query}`)).json.items).toHaveLength(2)
    }
  })

  it('missing or damaged within a list with contents: what comes before is right, and the answer is cut', async () => {
    for (const [name, spoil] of spoilers) {
      const title = `Later ${name}`
      const spoilt = await taken(title, SMALL)
      await taken(title, Buffer.from('whole'))
      const path = `${DOCUMENTS}?title=${encodeURIComponent(title)}&withFileContent=true`
      const whole = (await send(path)).text
      await spoil(spoilt)
      const answer = await get(path)
      expect([answer.status, answer.isCut]).toEqual([200, true])
      expect(answer.text.length).toBeLessThan(whole.length)
      expect(whole.startsWith(answer.text)).toBe(true)
    }
  })

  it('a document without its content can be changed, be given a new content, and be deleted', async () => {
    const document = await taken('Rescued', randomBytes(500))
    await remove(document)
    const url = urlOf(document.id)
    const patch = await world().send({ as: 'integration', method: 'PATCH', url, body: [replace('/title', 'Again')] })
    expect(patch.status).toBe(200)
    await revise(world(), document.id, { fileContent: base64('new') })
    expect((await send(url)).json).toMatchObject({ title: 'Again', revisionNo: 2, fileContent: base64('new') })
    expect((await world().send({ as: 'integration', method: 'DELETE', url })).status).toBe(200)
  })

  it('sent once more, an equal content heals a document that has lost it', async () => {
    const content = randomBytes(500)
    const document = await taken('Healed', content)
    await remove(document)
    expect((await send(urlOf(document.id))).status).toBe(500)
    await taken('The same', content)
    expect((await send(urlOf(document.id))).json.fileContent).toBe(base64(content))
  })

  it('the service leaks no memory after many answers that failed', async () => {
    const [gone, there] = [await taken('Gone', randomBytes(2_000)), await taken('There', randomBytes(2_000))]
    await remove(gone)
    for (let round = 0; round < FAILED; round++) {
      const answers = await Promise.all([get(urlOf(gone.id)), get(`${DOCUMENTS}?id=${gone.id}&withFileContent=true`)])
      expect(answers.map(({ status }) => status)).toEqual([500, 500])
    }
    expect((await get(urlOf(there.id))).status).toBe(200)
  })

  it('the service leaks no memory after many clients who disconnected in the middle of an answer', async () => {
    const { id } = await taken('Left', LARGE)
    const headers = { authorization: `Bearer ${await world().token('integration')}` }
    const leave = async (path: string, afterMs: number) => {
      const leaving = request({ host: '127.0.0.1', port, path, headers }).on('error', () => {})
      const gone = new Promise((resolve) => leaving.once('close', resolve))
      leaving.end()
      setTimeout(() => leaving.destroy(), afterMs)
      await gone
    }
    for (let round = 0; round < LEFT; round++) {
      const paths = [urlOf(id), `${DOCUMENTS}?id=${id}&withFileContent=true`]
      await Promise.all(paths.flatMap((path) => [0, 1, 2, 5].map((more) => leave(path, (round % 7) + more))))
    }
    // The last disconnect may be noticed slightly later.
    await expect.poll(async () => (await get(urlOf(id))).status).toBe(200)
    const all = await Promise.all(Array.from({ length: 60 }, () => get(urlOf(id))))
    expect(all.filter(({ status, isCut }) => status !== 200 || isCut)).toEqual([])
  })
})

async function hashOf(world: World, id: string): Promise<string> {
  const [row] = await world.query(`select file_hash from document where document_id = '${id}'`)
  return String(row?.file_hash)
}
