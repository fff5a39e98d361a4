// The bomb set: generated malicious files. None of them is large by itself; what they unpack to is.
import { type Bomb, bombsOf } from './bomb.ts'
import { documentBombs } from './document-bombs.ts'
import { pictureBombs } from './picture-bombs.ts'
import { pngBombs } from './png-bombs.ts'
import { otherSeeds, seeds } from './seeds.ts'

/** Valid pictures are truncated at each multiple of this percentage. */
const CUT_PERCENT = 7

/** All of them; their names differ. */
export async function makeBombs(): Promise<readonly Bomb[]> {
  return [...pngBombs, ...pictureBombs, ...documentBombs, ...(await brokenSeeds())]
}

/** Valid pictures that are truncated, or start like another type. */
async function brokenSeeds(): Promise<Bomb[]> {
  const bombs: Bomb[] = []
  for (const [mimeType, make] of Object.entries({ ...seeds })) {
    for (const [which, content] of [
      ['', await make()],
      ['other-', (await otherSeeds[mimeType]?.()) ?? Buffer.alloc(0)],
    ] as const) {
      const name = `${which}${mimeType.replace('image/', '')}`
      for (let percent = CUT_PERCENT; percent < 100; percent += CUT_PERCENT) {
        const cut = content.subarray(0, Math.floor((content.length * percent) / 100))
        bombs.push(...bombsOf(mimeType, { [`${name}-cut-at-${percent}`]: () => cut }))
      }
      bombs.push(
        ...bombsOf(mimeType, {
          [`${name}-wrong-beginning`]: () => Buffer.concat([Buffer.from('XX'), content.subarray(2)]),
        }),
      )
      bombs.push(
        ...bombsOf(mimeType, { [`${name}-wrong-middle`]: () => Buffer.from(content).fill(0xff, content.length >> 1) }),
      )
    }
  }
  return bombs
}
