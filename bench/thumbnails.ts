// `node bench/thumbnails.ts`: thumbnails of a typical photograph by the service's processes, and by sharp in this
// process as the floor.
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { ThumbnailMaker } from '../src/files/processes/thumbnail-maker.ts'
import { photograph } from '../test/files/bombs/seeds.ts'
import { machine } from './machine.ts'

const FLOW = { group: 'EN', member: 'client' }

const COUNT = 200
const ROUNDS = 3
/** More than the service has processes, so that some requests queue. */
const AT_ONCE = 8
const SIZES = [96, 512] as const
const WIDTH = 3_000
const HEIGHT = 2_000

type Draw = (content: Buffer, side: number) => Promise<unknown>

/** Thumbnails per second: the median of the rounds. */
async function rateOf(draw: Draw, content: Buffer, side: number): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const left = { count: COUNT }
    const work = async () => {
      while (left.count-- > 0) await draw(content, side)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    rates.push(COUNT / ((performance.now() - startedAt) / 1_000))
  }
  return rates.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] as number
}

async function msOf(work: Promise<unknown>): Promise<string> {
  const startedAt = performance.now()
  await work
  return `${Math.round(performance.now() - startedAt)} ms`
}

const maker = new ThumbnailMaker({ rendersPdf: false, observe: (observation) => console.error(observation) })
const service: Draw = (content, side) => {
  const file = {
    flow: FLOW,
    mimeType: 'image/jpeg',
    sizeBytes: content.length,
    read: async () => Readable.from([content]),
  }
  return maker.make(file, { width: side, height: side })
}
// sharp works without cache and with one thread for each picture, as in the service's processes.
sharp.cache(false)
sharp.concurrency(1)
const floor: Draw = (content, side) =>
  sharp(content, { sequentialRead: true })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()

const content = await photograph(WIDTH, HEIGHT)
console.log(machine())
console.log(`JPEG of ${WIDTH} x ${HEIGHT} pixels, ${(content.length / 1e6).toFixed(1)} MB`)
console.log(`the first, with its process started: ${await msOf(service(content, 96))}`)
console.log(`the next: ${await msOf(service(content, 96))}`)
for (const side of SIZES) {
  const [ours, bare] = [await rateOf(service, content, side), await rateOf(floor, content, side)]
  const share = ((100 * ours) / bare).toFixed(0)
  console.log(`${side} pixels: ${ours.toFixed(0)} thumbnails/s, sharp alone ${bare.toFixed(0)}/s (${share} %)`)
}
await maker.close()
