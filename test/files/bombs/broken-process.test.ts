// Processes that hang, fill, exit and break while they draw: the caller gets an icon for now, and the next a picture.
// BOMB_ROUNDS makes it longer.
import { Readable } from 'node:stream'
import { afterAll, expect, it } from 'vitest'
import { type Thumbnail, ThumbnailMaker } from '../../../src/files/processes/thumbnail-maker.ts'
import type { Observation } from '../../../src/observe/observation.ts'

const FLOW = { group: 'EN', member: 'client' }

const SIZE = { width: 32, height: 32 }
/** The longest first, so that the others find a busy process. */
const ENDS = ['circle', 'fillBuffers', 'exit', 'fillHeap', 'abort', 'forget', 'segfault', 'answerNonsense']

const ROUNDS = Number(process.env.BOMB_ROUNDS ?? ENDS.length)
const PATIENCE_MS = 120_000 + ROUNDS * 30_000
/** Processor time: more than drawing takes, so that other programs make no difference. */
const TIMEOUT_MS = 1_000

const observed: Observation[] = []
const program = new URL('./misbehaving-process.ts', import.meta.url)
const maker = new ThumbnailMaker({
  rendersPdf: false,
  observe: (one) => observed.push(one),
  program,
  timeoutMs: TIMEOUT_MS,
})
afterAll(() => maker.close())

function draw(what: string): Promise<Thumbnail> {
  const content = Buffer.concat([Buffer.from('89504e470d0a1a0a00000000', 'hex'), Buffer.from(what)])
  return maker.make(
    { flow: FLOW, mimeType: 'image/png', sizeBytes: content.length, read: async () => Readable.from([content]) },
    SIZE,
  )
}

const PICTURE = { width: 1, height: 1, isLasting: true }

it(`replaces processes that end in ${ROUNDS} ways`, { timeout: PATIENCE_MS }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const end = ENDS[round % ENDS.length] as string
    const warnings = observed.length
    const [bad, good] = await Promise.all([draw(end), draw('draw')])
    expect(good).toMatchObject(PICTURE)
    // An answer that is no picture is attributed to the content.
    const isKilled = end !== 'answerNonsense'
    expect(bad).toMatchObject({ width: 32, height: 32, isLasting: !isKilled })
    expect(observed.length - warnings).toBe(isKilled ? 1 : 0)
    expect(await draw('draw')).toMatchObject(PICTURE)
  }
})

it('answers a late request with an icon at once', { timeout: PATIENCE_MS }, async () => {
  const asked = Array.from({ length: 100 }, (_, at) => draw(at < 2 ? 'circle' : 'draw'))
  const drawn = await Promise.all(asked)
  const places = 2 + 64
  for (const [at, thumbnail] of drawn.entries()) {
    const isIcon = at < 2 || at >= places
    expect({ at, ...thumbnail }).toMatchObject(isIcon ? { at, width: 32, isLasting: false } : { at, ...PICTURE })
  }
})
