// Icons without a library that draws: a page, with a band in the colour of its type. It replaces icons.ts where the
// package sharp is not installed.
import { crc32, deflateSync } from 'node:zlib'
import type { IconName } from './icons.ts'

const PAPER: readonly number[] = [0xf7, 0xf9, 0xfb, 0xff]
const CLEAR: readonly number[] = [0, 0, 0, 0]
const BANDS: Readonly<Record<IconName, readonly number[]>> = {
  pdf: [0xc8, 0x32, 0x3c, 0xff],
  word: [0x2b, 0x62, 0xb5, 0xff],
  generic: [0xa9, 0xb4, 0xc0, 0xff],
}
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Eight bits for each of red, green, blue and opacity. */
const RGBA = [8, 6, 0, 0, 0]

/** A square PNG of the requested size. */
export function drawPlainIcon(name: IconName, pixels: number): Uint8Array {
  const [clear, page, band] = [rowOf(pixels), rowOf(pixels, PAPER, 0.18, 0.82), rowOf(pixels, BANDS[name], 0.1, 0.75)]
  const rows = Array.from({ length: pixels }, (_, index) => {
    const y = (index + 0.5) / pixels
    if (y > 0.55 && y < 0.8) return band
    return y > 0.06 && y < 0.94 ? page : clear
  })
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...RGBA])
  header.writeUInt32BE(pixels, 0)
  header.writeUInt32BE(pixels, 4)
  const image = deflateSync(Buffer.concat(rows))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', image), chunk('IEND', Buffer.alloc(0))])
}

/** A row with a colour from one place to another, which are shares of its length. */
function rowOf(pixels: number, colour = CLEAR, from = 0, to = 0): Buffer {
  const colours = Array.from({ length: pixels }, (_, index) => {
    const x = (index + 0.5) / pixels
    return x > from && x < to ? colour : CLEAR
  })
  // A row begins with its filter: none.
  return Buffer.from([0, ...colours.flat()])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
