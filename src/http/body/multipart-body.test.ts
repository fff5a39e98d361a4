import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '../../errors/problem.ts'
import { type Staging, StagingFolder } from '../../files/staging.ts'
import { readMultipart } from './multipart-body.ts'

const HEADERS = { 'content-type': 'multipart/form-data; boundary=B' }

const FORMAT = { contentMember: 'fileContent', nameMember: 'fileName', jsonFields: ['indexes'], maxBytes: 1_000 }

const FORM = [
  '--B\r\nContent-Disposition: form-data; name="title"\r\n\r\nA title\r\n',
  '--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
  'The content of the file\r\n',
  '--B\r\nContent-Disposition: form-data; name="comment"\r\n\r\nA comment\r\n--B--\r\n',
]

/** Parts of a form, for random combinations. */
const FRAGMENTS = [...FORM, '--B', '--B--', '\r\n', '--', 'x', '"', '; filename="b"', '\r\n\r\n', 'Content-Type: a/b']

describe('a form that comes in', () => {
  let folder = ''
  let staging: Staging
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabularium-form-'))
    staging = await StagingFolder.open(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function read(bytes: Buffer, cuts: readonly number[]): Promise<unknown> {
    const positions = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
    const chunks = positions.slice(1).map((position, at) => bytes.subarray(positions[at], position))
    const payload = Readable.from(chunks.filter((chunk) => chunk.length > 0))
    const { body, content } = await readMultipart(payload, HEADERS, FORMAT, staging)
    if (typeof content === 'string') return { body, content }
    await staging.discard(content)
    return { body, size: content.size }
  }

  const cuts = fc.array(fc.nat(), { maxLength: 10 })

  it('is the same wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, async (where) => {
        expect(await read(Buffer.from(FORM.join('')), where)).toEqual({
          body: { title: 'A title', comment: 'A comment', fileName: 'a.txt' },
          size: 'The content of the file'.length,
        })
      }),
      { numRuns: 200 },
    )
  })

  it('is read or refused, whatever it is, and leaves nothing', async () => {
    const mixed = fc
      .array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 })
      .map((fragments) => Buffer.from(fragments.join('')))
    const changed = fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([at, byte]) => {
      const bytes = Buffer.from(FORM.join(''))
      bytes[at % bytes.length] = byte
      return bytes
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(mixed, changed), cuts, async (bytes, where) => {
        await read(bytes, where).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error
          expect(error.status).toBe(400)
        })
        expect(readdirSync(folder)).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })
})
