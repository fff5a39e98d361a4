// PNG: sizes that lie, sizes that do not lie, and texts and profiles that unpack to more than a machine has.
import { deflateSync } from 'node:zlib'
import { bombsOf, crcOf, repeated, times, uint32, zlibZeros } from './bomb.ts'

const GIB = 1024 ** 3
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const END = chunk('IEND')

/** Bits of a sample, and the kind of colour: 0 grey, 2 RGB, 3 palette, 6 RGB with alpha. */
interface Shape {
  readonly depth?: number
  readonly colour?: 0 | 2 | 3 | 6
  readonly isInterlaced?: boolean
}

const SAMPLES = { 0: 1, 2: 3, 3: 1, 6: 4 } as const

export function chunk(type: string, ...data: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...data])
  return Buffer.concat([uint32(content.length - 4), content, crcOf(content)])
}

function header(width: number, height: number, { depth = 8, colour = 0, isInterlaced = false }: Shape = {}): Buffer {
  return chunk('IHDR', uint32(width), uint32(height), Buffer.from([depth, colour, 0, 0, isInterlaced ? 1 : 0]))
}

/** Black, and complete: there are as many bytes as its size asks for. */
function whole(width: number, height: number, shape: Shape = {}): Buffer {
  const { depth = 8, colour = 0, isInterlaced = false } = shape
  const rowBytes = 1 + Math.ceil((width * depth * SAMPLES[colour]) / 8)
  // The passes of an interlaced picture have a few more rows than twice its own.
  const bytes = rowBytes * height + (isInterlaced ? height * 2 : 0)
  return png(header(width, height, shape), chunk('IDAT', zlibZeros(bytes)))
}

function png(...chunks: Buffer[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks, END])
}

/** A small picture with something before it. */
function small(...before: Buffer[]): Buffer {
  return png(header(8, 8), ...before, chunk('IDAT', deflateSync(Buffer.alloc(72))))
}

export const pngBombs = bombsOf('image/png', {
  'png-1-bit-16k-interlaced': () => whole(16_000, 16_000, { depth: 1, isInterlaced: true }),
  'png-16-bit-16k': () => whole(16_000, 16_000, { depth: 16, colour: 2 }),
  'png-16-bit-rgba-16k-interlaced': () => whole(16_000, 16_000, { depth: 16, colour: 6, isInterlaced: true }),
  'png-40k': () => whole(40_000, 40_000),
  'png-1-bit-40k-interlaced': () => whole(40_000, 40_000, { depth: 1, isInterlaced: true }),
  'png-100k-header': () => png(header(100_000, 100_000)),
  'png-100k-1-bit-whole': () => whole(100_000, 100_000, { depth: 1 }),
  'png-7k-16-bit-rgba-interlaced': () => whole(7_000, 7_000, { depth: 16, colour: 6, isInterlaced: true }),
  'png-7k-rgba-interlaced': () => whole(7_000, 7_000, { colour: 6, isInterlaced: true }),
  'png-7k-1-bit-interlaced': () => whole(7_000, 7_000, { depth: 1, isInterlaced: true }),
  'png-7k-16-bit-rgba': () => whole(7_000, 7_000, { depth: 16, colour: 6 }),
  'png-one-row': () => whole(49_999_999, 1),
  'png-one-column': () => whole(1, 49_999_999),
  'png-one-column-interlaced': () => whole(1, 10_000_000, { isInterlaced: true }),
  'png-no-pixels': () => png(header(0, 0), chunk('IDAT', zlibZeros(1))),
  'png-largest-size': () => png(header(0x7fffffff, 0x7fffffff), chunk('IDAT', zlibZeros(1000))),
  'png-negative-size': () => png(header(0xffffffff, 1), chunk('IDAT', zlibZeros(1000))),
  'png-no-data': () => png(header(5_000, 5_000)),
  'png-little-data': () => png(header(7_000, 7_000), chunk('IDAT', deflateSync(Buffer.alloc(10)))),
  'png-much-data': () => png(header(8, 8), chunk('IDAT', zlibZeros(GIB))),
  'png-text-bomb': () => small(chunk('zTXt', Buffer.from('Comment\0\0', 'latin1'), zlibZeros(GIB))),
  'png-texts': () => small(repeated(5_000, chunk('zTXt', Buffer.from('C\0\0', 'latin1'), zlibZeros(100_000)))),
  'png-international-text-bomb': () =>
    small(chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), zlibZeros(GIB))),
  'png-profile-bomb': () => small(chunk('iCCP', Buffer.from('icc\0\0', 'latin1'), zlibZeros(GIB))),
  'png-profile-random': () =>
    small(chunk('iCCP', Buffer.from('icc\0\0', 'latin1'), deflateSync(Buffer.alloc(4_000, 7)))),
  'png-exif-of-nonsense': () =>
    small(chunk('eXIf', Buffer.from('MM\0*\0\0\0\x08\xff\xff', 'latin1'), Buffer.alloc(60_000, 1))),
  'png-tiny-chunks': () => {
    const data = deflateSync(Buffer.alloc(1_001 * 1_000))
    return png(header(1_000, 1_000), ...times(data.length, (at) => chunk('IDAT', data.subarray(at, at + 1))))
  },
  'png-empty-chunks': () => png(header(8, 8), repeated(500_000, chunk('IDAT'))),
  'png-unknown-chunks': () => small(repeated(300_000, chunk('teSt'))),
  'png-chunk-without-end': () => Buffer.concat([SIGNATURE, header(8, 8), uint32(0x7fffffff), Buffer.from('IDAT')]),
  'png-no-palette': () => whole(100, 100, { colour: 3 }),
  'png-palette-of-nothing': () => png(header(100, 100, { colour: 3 }), chunk('PLTE'), chunk('IDAT', zlibZeros(10_100))),
  'png-wrong-checksum': () => {
    const picture = small()
    picture.writeUInt32BE(1, 29)
    return picture
  },
  'png-depth-3': () => png(header(8, 8, { depth: 3 }), chunk('IDAT', zlibZeros(72))),
  'png-second-header': () => small(header(60_000, 60_000)),
  'png-animated': () => {
    const control = (at: number) => chunk('fcTL', uint32(at), uint32(8), uint32(8), Buffer.alloc(18))
    return small(chunk('acTL', uint32(0x7fffffff), uint32(0)), ...times(10_000, control))
  },
  'png-signature-alone': () => SIGNATURE,
})
