import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { JobFailed } from './job-faults.ts'
import { openPicture } from './picture-format.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)])

async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces)
}

it.each([1, 3, 12, 13, 1000])('gives the whole of a picture that comes in pieces of %i', async (length) => {
  const pieces = Array.from({ length: Math.ceil(PNG.length / length) }, (_, at) =>
    PNG.subarray(at * length, (at + 1) * length),
  )
  expect((await bytesOf(await openPicture(Readable.from(pieces)))).equals(PNG)).toBe(true)
})

it('reads no more than the first piece of anything else', async () => {
  const given = { pieces: 0 }
  function* archive(): Generator<Buffer> {
    for (;;) {
      given.pieces++
      yield Buffer.from('PK\x03\x04 and whatever an archive has')
    }
  }
  const source = Readable.from(archive(), { highWaterMark: 1 })
  await expect(openPicture(source)).rejects.toThrow(JobFailed)
  expect(source.destroyed).toBe(true)
  expect(given.pieces).toBeLessThanOrEqual(2)
})

it.each([
  ['nothing', []],
  ['one byte', [Buffer.from([0x89])]],
])('refuses %s', async (_what, pieces) => {
  await expect(openPicture(Readable.from(pieces))).rejects.toThrow(JobFailed)
})

it('tells of a source that breaks off, early or late', async () => {
  const breaking = (first: Buffer): Readable => {
    function* pieces(): Generator<Buffer> {
      yield first
      throw new Error('the disk is gone')
    }
    return Readable.from(pieces())
  }
  await expect(openPicture(breaking(Buffer.from('a')))).rejects.toThrow('the disk is gone')
  await expect(openPicture(breaking(PNG)).then(bytesOf)).rejects.toThrow('the disk is gone')
})

it('leaves its source when nobody reads on', async () => {
  const source = Readable.from([PNG, PNG, PNG])
  const picture = await openPicture(source)
  for await (const _piece of picture) break
  expect(source.destroyed).toBe(true)
})
