// Valid pictures with random bytes changed and removed. FUZZ_RUNS sets how many, TABULARIUM_SEED reproduces a run.
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/demo/random.ts'
import { type Thumbnail, ThumbnailMaker } from '../../../src/files/processes/thumbnail-maker.ts'
import { SEED } from '../../support/reliability-test.ts'
import { pdf } from './document-bombs.ts'
import { otherSeeds, seeds } from './seeds.ts'

const FLOW = { group: 'EN', member: 'client' }

const RUNS = Number(process.env.FUZZ_RUNS ?? 300)
const AT_ONCE = 8
const PATIENCE_MS = 120_000 + RUNS * 1_000
/** Decoders decide by the headers. */
const HEADER_BYTES = 200

const maker = new ThumbnailMaker({ rendersPdf: true, observe: () => {} })
afterAll(() => maker.close())

interface Run {
  readonly mimeType: string
  readonly content: Buffer
  readonly size: { width: number; height: number }
}

function mutated(random: Random, good: Buffer): Buffer {
  const bytes = Buffer.from(good)
  const place = () => random.integer(0, (random.chance(0.5) ? Math.min(HEADER_BYTES, bytes.length) : bytes.length) - 1)
  const changes = random.few(20)
  for (let change = 0; change < changes; change++)
    bytes[place()] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.integer(0, 255)])
  const [from, to] = [place(), place()]
  const cut = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  return random.chance(0.3) ? cut : bytes
}

function contentOf(random: Random, [mimeType, good]: readonly [string, Buffer]): Run {
  const side = () => (random.chance(0.1) ? 2_048 : random.integer(1, 300))
  return { mimeType, content: mutated(random, good), size: { width: side(), height: side() } }
}

describe(`${RUNS} broken pictures (TABULARIUM_SEED=${SEED})`, () => {
  const goods: (readonly [string, Buffer])[] = []

  beforeAll(async () => {
    console.log(`picture fuzz: TABULARIUM_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
    for (const [mimeType, make] of [...Object.entries(seeds), ...Object.entries(otherSeeds)]) {
      goods.push([mimeType, await make()])
    }
    goods.push([
      'application/pdf',
      pdf({ content: { data: 'BT /F 96 Tf 60 700 Td (Invoice) Tj ET 0 0 595 421 re f' } }),
    ])
  })

  it('give pictures or icons of the size that was asked for', { timeout: PATIENCE_MS }, async () => {
    const random = new Random(SEED)
    const runs = Array.from({ length: RUNS }, () => contentOf(random, random.pick(goods)))
    const waiting = [...runs.entries()]
    const counts = { pictures: 0, stoodIn: 0 }
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [at, run] = next
        const thumbnail = await draw(run)
        await expectFits(thumbnail, run, `run ${at}`)
        if (thumbnail.width !== thumbnail.height) counts.pictures++
        if (!thumbnail.isLasting) counts.stoodIn++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    console.log(`picture fuzz: ${counts.pictures} pictures, ${counts.stoodIn} processes were killed`)
    expect(counts.pictures).toBeGreaterThan(0)
  })
})

function draw({ mimeType, content, size }: Run): Promise<Thumbnail> {
  return maker.make(
    { flow: FLOW, mimeType, sizeBytes: content.length, read: async () => Readable.from([content]) },
    size,
  )
}

async function expectFits({ png, ...told }: Thumbnail, { size }: Run, name: string): Promise<void> {
  const { format, width, height } = await sharp(png).metadata()
  expect({ name, format, width, height }).toEqual({ name, format: 'png', width: told.width, height: told.height })
  expect({ name, fits: width <= size.width && height <= size.height }).toEqual({ name, fits: true })
  await sharp(png).stats()
}
