// What clients get for contents that are missing or damaged: an error, or an answer that is cut off; never wrong bytes
// in a complete answer. FUZZ_RUNS sets how many bits are flipped, each in a content of its own.
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS, REVISIONS } from '../../support/documents.ts'
import { call, credentials, kill, linesOf, run, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, SEED } from '../../support/reliability-test.ts'
import { flipBit, pathOf } from './content-files.ts'
import { fetchWhole, sendFile, sha256 } from './document-client.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 60)
/** Contents changed and read per `files check`, which starts a process. */
const CONTENTS = Math.min(RUNS, 200)
const ROUNDS = Math.ceil(RUNS / CONTENTS)
const READERS = 4
/** Answered in one chunk, and in several. */
const SMALL = 20_000
const LARGE = 2_000_000

interface Added {
  readonly id: string
  readonly hash: string
  readonly path: string
  readonly size: number
}

const folder = temporaryFolder()
const data = ['--data', folder.path]
const random = randomNumbers(SEED)
let service: Serving

beforeAll(async () => {
  service = await serve([...data, '--setup', 'test/fixtures/documents.yaml', '--log-level', 'error'])
})
afterAll(async () => {
  if (service) await kill(service)
  folder.remove()
})

async function add(content: Buffer, title = 'Damaged'): Promise<Added> {
  const fields = { docType: 'NOTE', title, fileName: 'damaged.bin' }
  const { status, text } = await sendFile(service.address + DOCUMENTS, fields, content)
  expect({ status, text: status === 201 ? '' : text }).toEqual({ status: 201, text: '' })
  const hash = sha256(content)
  const path = pathOf(join(folder.path, 'files'), hash)
  return { id: JSON.parse(text).id, hash, path, size: content.length }
}

/** Every address that returns a complete content. */
const addressesOf = ({ id }: Added) => [
  `${DOCUMENTS}/${id}`,
  `${DOCUMENTS}/${id}/content`,
  `${DOCUMENTS}?id=${id}&withFileContent=true`,
  `${REVISIONS}/${id}`,
  `${REVISIONS}/${id}/1`,
  `${REVISIONS}/${id}/1/content`,
]

/** The status with the error's message, `cut`, or `whole` for an answer that looks complete. */
async function read(address: string): Promise<string> {
  try {
    const { status, headers, bytes } = await fetchWhole(service.address + address)
    if (status === 200) return 'whole'
    const { code, message, requestId, ...rest } = JSON.parse(bytes.toString())
    const isShaped = requestId === headers.get('x-request-id') && Object.keys(rest).length === 0
    return `${status} ${code} ${message}${isShaped ? '' : ` ${bytes}`}`
  } catch {
    return 'cut'
  }
}

const outcomesOf = async (added: Added) => new Set(await Promise.all(addressesOf(added).map(read)))
const FAULT = '500 1000 Internal server error'

/** Ways to damage a file. */
const SPOILT: Readonly<Record<string, (added: Added) => void>> = {
  missing: ({ path }) => rmSync(path),
  'changed at its beginning': ({ path }) => flipBit(path, 0),
  'changed at its end': ({ path, size }) => flipBit(path, 8 * size - 1),
  'a byte shorter': ({ path, size }) => truncateSync(path, size - 1),
  'a byte longer': ({ path }) => appendFileSync(path, '\0'),
  empty: ({ path }) => truncateSync(path, 0),
  'that of another hash': ({ path, size }) => writeFileSync(path, randomBytes(size)),
}

describe('a damaged content', () => {
  it.each(Object.keys(SPOILT))(
    'is answered 500 when it is small and %s, and complete again when it is sent again',
    async (how) => {
      const content = randomBytes(SMALL)
      const added = await add(content)
      expect(await outcomesOf(added)).toEqual(new Set(['whole']))
      SPOILT[how]?.(added)
      expect(await outcomesOf(added)).toEqual(new Set([FAULT]))
      expect((await call(`${service.address}${DOCUMENTS}?id=${added.id}`)).status).toBe(200)

      await add(content)
      expect(await outcomesOf(added)).toEqual(new Set(['whole']))
    },
  )

  it.each(Object.keys(SPOILT))('is cut off or answered 500 when it is large and %s', async (how) => {
    const added = await add(randomBytes(LARGE))
    SPOILT[how]?.(added)
    const expected = how === 'missing' || how === 'empty' ? FAULT : 'cut'
    expect(await outcomesOf(added)).toEqual(new Set([expected]))
  })

  it.each([SMALL, LARGE])('is not sent to its last chunk (%i bytes)', async (size) => {
    const content = randomBytes(size)
    const added = await add(content)
    flipBit(added.path, 8 * size - 1)
    const given = await bytesBeforeCut(`${service.address}${DOCUMENTS}/${added.id}/content`)
    expect(given.length).toBeLessThan(size)
    expect(content.subarray(0, given.length).equals(given)).toBe(true)
  })

  it('leaves the earlier contents of a list as they are', async () => {
    const whole = randomBytes(SMALL)
    const title = `Mixed ${SEED}`
    const spoilt = await add(randomBytes(SMALL), title)
    await add(whole, title)
    flipBit(spoilt.path, 7)
    const list = `${service.address}${DOCUMENTS}?title=${encodeURIComponent(title)}&withFileContent=true`
    const given = (await bytesBeforeCut(list)).toString()
    expect(given).toContain(whole.toString('base64'))
    expect(given).not.toContain(spoilt.id.concat('","fileContent'))
    expect(() => JSON.parse(given)).toThrow()
    expect((await call(`${list.replace('true', 'false')}`)).status).toBe(200)
  })

  it('does not hinder a part of it that is there, and cuts off one that is not', async () => {
    const added = await add(randomBytes(LARGE))
    truncateSync(added.path, LARGE / 2)
    const part = (range: string) =>
      fetch(`${service.address}${DOCUMENTS}/${added.id}/content`, { headers: { authorization: credentials, range } })
    const there = await part('bytes=0-99')
    expect([there.status, (await there.arrayBuffer()).byteLength]).toEqual([206, 100])
    const half = await part(`bytes=${LARGE / 2 - 100}-${LARGE / 2 + 99}`)
    await expect(half.arrayBuffer()).rejects.toThrow()
  })
})

describe(`${RUNS} bits changed by chance (TABULARIUM_SEED=${SEED})`, () => {
  it(
    'are all detected by readers, and by files check',
    async () => {
      await kill(service)
      const own = temporaryFolder()
      try {
        service = await serve(['--data', own.path, '--setup', 'test/fixtures/documents.yaml', '--log-level', 'fatal'])
        const all: Added[] = []
        for (let at = 0; at < CONTENTS; at++) {
          const added = await add(Buffer.concat([Buffer.from(`${at}.`), randomBytes(Math.ceil(800_000 ** random()))]))
          all.push({ ...added, path: pathOf(join(own.path, 'files'), added.hash) })
        }
        for (let round = 0; round < ROUNDS; round++) await changeAll(own.path, all, round)
      } finally {
        await kill(service)
        own.remove()
      }
    },
    600_000 + ROUNDS * 60_000,
  )
})

async function changeAll(path: string, all: readonly Added[], round: number): Promise<void> {
  if (round > 0) service = await serve(['--data', path, '--log-level', 'fatal'])
  const bits = all.map(({ size }) => Math.floor(random() * size * 8))
  for (const [at, added] of all.entries()) flipBit(added.path, bits[at]!)
  const waiting = [...all]
  const believed: string[] = []
  const readSome = async () => {
    for (let added = waiting.pop(); added; added = waiting.pop()) {
      const [record = '', content = ''] = addressesOf(added)
      const outcomes = [await read(record), await read(content)]
      if (!outcomes.every((one) => one === FAULT || one === 'cut')) believed.push(`${added.path}: ${outcomes}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, readSome))
  expect(believed).toEqual([])
  await kill(service)

  const { code, stdout } = await run(['files', 'check', '--data', path])
  const reported = all.map(({ hash, id }) => `damaged: ${hash} of company EN, in ${id}/1`)
  const closing = `${all.length} files read: 0 missing, ${all.length} damaged; 0 unreferenced`
  expect({ code, lines: linesOf(stdout).sort() }).toEqual({ code: 1, lines: [...reported, closing].sort() })
  for (const [at, added] of all.entries()) flipBit(added.path, bits[at]!)
  expect(all.filter((added) => sha256(readFileSync(added.path)) !== added.hash)).toEqual([])
}

/** The bytes before the connection broke; throws if it did not break. */
async function bytesBeforeCut(url: string): Promise<Buffer> {
  const answer = await fetch(url, { headers: { authorization: credentials } })
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of answer.body ?? []) pieces.push(piece)
  } catch {
    return Buffer.concat(pieces)
  }
  if (answer.status !== 500) throw new Error(`${answer.status}: the answer was not cut off`)
  return Buffer.alloc(0)
}
