// JPEG, GIF, WebP and TIFF: too large, repeated, circular.
import sharp from 'sharp'
import { bombsOf, repeated, times, uint16, zlibZeros } from './bomb.ts'
import { seeds } from './seeds.ts'

const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])
const SCAN = 0xda

function segment(marker: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([0xff, marker]), uint16(content.length + 2), content])
}

/** The frame of a JPEG with three components. */
function frame(marker: number, width: number, height: number, depth = 8): Buffer {
  const components = Buffer.from([3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
  return segment(marker, Buffer.from([depth]), uint16(height), uint16(width), components)
}

/** The valid JPEG with another size in its frame. */
async function resized(width: number, height: number, seed = seeds['image/jpeg']?.()): Promise<Buffer> {
  const jpeg = Buffer.from((await seed) ?? [])
  const at = jpeg.findIndex((byte, index) => byte === 0xff && /^c[0-2]$/.test((jpeg[index + 1] ?? 0).toString(16)))
  jpeg.writeUInt16BE(height, at + 5)
  jpeg.writeUInt16BE(width, at + 7)
  return jpeg
}

/** Repeats its second scan: each covers the complete picture. */
async function scans(side: number, count: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: side, height: side, channels: 3, background: '#369' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const starts = [...jpeg.keys()].filter((at) => jpeg[at] === 0xff && jpeg[at + 1] === SCAN)
  const [, second = 0, third = 0] = starts
  return Buffer.concat([jpeg.subarray(0, second), repeated(count, jpeg.subarray(second, third)), END])
}

const jpegBombs = bombsOf('image/jpeg', {
  'jpeg-largest-header': () => Buffer.concat([START, frame(0xc0, 65_535, 65_535), END]),
  'jpeg-largest-size': () => resized(65_535, 65_535),
  'jpeg-50-million-pixels': () => resized(7_000, 7_000),
  'jpeg-no-height': () => resized(240, 0),
  'jpeg-one-column': () => resized(1, 65_535),
  'jpeg-1000-scans': () => scans(3_000, 1_000),
  'jpeg-90-scans-of-7k': () => scans(7_000, 90),
  'jpeg-10000-scans': () => scans(500, 10_000),
  'jpeg-progressive-7k-444': () =>
    sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#369' } })
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  'jpeg-lossless': () => Buffer.concat([START, frame(0xc3, 4_000, 4_000), END]),
  'jpeg-arithmetic': () => Buffer.concat([START, frame(0xc9, 4_000, 4_000), END]),
  'jpeg-12-bit': () => Buffer.concat([START, frame(0xc1, 4_000, 4_000, 12), END]),
  'jpeg-frames': () => Buffer.concat([START, repeated(10_000, frame(0xc0, 5_000, 5_000)), END]),
  'jpeg-comments': () => Buffer.concat([START, repeated(5_000, segment(0xfe, Buffer.alloc(2_000))), END]),
  'jpeg-profile-parts': async () => {
    const part = (at: number) =>
      segment(0xe2, Buffer.from(`ICC_PROFILE\0${String.fromCharCode(at, 255)}`, 'latin1'), Buffer.alloc(65_000))
    const jpeg = await resized(240, 160)
    return Buffer.concat([START, ...times(255, (at) => part(at + 1)), jpeg.subarray(2)])
  },
  'jpeg-exif-circle': async () => {
    const circle = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08', 'latin1')
    return Buffer.concat([START, segment(0xe1, circle), (await resized(240, 160)).subarray(2)])
  },
  'jpeg-fill-bytes': () => Buffer.concat([START, Buffer.alloc(5_000_000, 0xff), END]),
  'jpeg-nothing-after': () => Buffer.from([0xff, 0xd8, 0xff]),
})

function gifScreen(width: number, height: number): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  return screen
}

/** One pixel, or whatever the size says, in one. */
function gifFrame(width: number, height: number, data = Buffer.from([2, 0x44, 0x01])): Buffer {
  const place = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  place.writeUInt16LE(width, 5)
  place.writeUInt16LE(height, 7)
  return Buffer.concat([place, Buffer.from([2]), data, Buffer.from([0])])
}

const GIF_END = Buffer.from([0x3b])

const gifBombs = bombsOf('image/gif', {
  'gif-1000-frames': () => Buffer.concat([gifScreen(500, 500), repeated(1_000, gifFrame(1, 1)), GIF_END]),
  'gif-10000-frames': () => Buffer.concat([gifScreen(500, 500), repeated(10_000, gifFrame(1, 1)), GIF_END]),
  'gif-large-frames': () => Buffer.concat([gifScreen(5_000, 5_000), repeated(10_000, gifFrame(5_000, 5_000)), GIF_END]),
  'gif-largest-screen': () => Buffer.concat([gifScreen(65_535, 65_535), gifFrame(1, 1), GIF_END]),
  'gif-50-million-pixels': () => Buffer.concat([gifScreen(7_000, 7_000), gifFrame(7_000, 7_000), GIF_END]),
  'gif-frame-outside': () => Buffer.concat([gifScreen(10, 10), gifFrame(65_535, 65_535), GIF_END]),
  'gif-data-without-end': () =>
    Buffer.concat([gifScreen(3_000, 3_000), gifFrame(3_000, 3_000, Buffer.alloc(5_000_000, 0xff)), GIF_END]),
  'gif-extensions': () =>
    Buffer.concat([gifScreen(10, 10), repeated(500_000, Buffer.from([0x21, 0xfe, 1, 0, 0])), GIF_END]),
  'gif-no-frame': () => Buffer.concat([gifScreen(10, 10), GIF_END]),
  'gif-no-size': () => Buffer.concat([gifScreen(0, 0), gifFrame(0, 0), GIF_END]),
})

function riff(...chunks: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from('RIFF'), size, content])
}

function webpChunk(type: string, data: Buffer, length = data.length): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(length)
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
}

const ANIMATED_16K = Buffer.from([0x12, 0, 0, 0, 0xff, 0x3f, 0, 0xff, 0x3f, 0])

const webpBombs = bombsOf('image/webp', {
  'webp-animated': async () => {
    const gif = Buffer.concat([gifScreen(64, 64), repeated(1_000, gifFrame(1, 1)), GIF_END])
    return sharp(gif, { animated: true, limitInputPixels: false }).webp({ effort: 0 }).toBuffer()
  },
  // One colour: 256 and 49 million pixels.
  'webp-flat-16k': () =>
    Buffer.from('524946461e000000574542505650384c110000002f7ffe9f0f0750914674a6ff8188e87f0000', 'hex'),
  'webp-flat-7k': () =>
    Buffer.from('524946461e000000574542505650384c110000002f57dbd5160750914674a6448188e87f0000', 'hex'),
  'webp-animated-16k-header': () => riff(webpChunk('VP8X', ANIMATED_16K), webpChunk('ANIM', Buffer.alloc(6))),
  'webp-empty-frames': () =>
    riff(
      webpChunk('VP8X', ANIMATED_16K),
      webpChunk('ANIM', Buffer.alloc(6)),
      repeated(10_000, webpChunk('ANMF', Buffer.alloc(16))),
    ),
  'webp-chunk-without-end': () => riff(webpChunk('VP8L', Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f]), 0xfffffff0)),
  'webp-unknown-chunks': () => riff(repeated(500_000, webpChunk('ABCD', Buffer.alloc(0)))),
  'webp-nothing-after': () => riff(),
})

type Entry = readonly [tag: number, type: number, count: number, value: number]

/** One directory at the beginning, which points to the next. */
function tiff(entries: readonly Entry[], next = 0, ...data: Buffer[]): Buffer {
  const directory = Buffer.alloc(2 + entries.length * 12 + 4)
  directory.writeUInt16LE(entries.length)
  entries.forEach(([tag, type, count, value], at) => {
    directory.writeUInt16LE(tag, 2 + at * 12)
    directory.writeUInt16LE(type, 4 + at * 12)
    directory.writeUInt32LE(count, 6 + at * 12)
    directory.writeUInt32LE(value, 10 + at * 12)
  })
  directory.writeUInt32LE(next, directory.length - 4)
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), directory, ...data])
}

/** Grey, in one strip behind the directory. */
function strip(width: number, height: number, compression: number, data: Buffer, next = 0): Buffer {
  const entries: Entry[] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, compression],
    [262, 3, 1, 1],
    [273, 4, 1, 8 + 2 + 9 * 12 + 4],
    [277, 3, 1, 1],
    [278, 4, 1, height],
    [279, 4, 1, data.length],
  ]
  return tiff(entries, next, data)
}

const DEFLATE = 8

const tiffBombs = bombsOf('image/tiff', {
  'tiff-largest-size': () => strip(0xffffffff, 0xffffffff, 1, Buffer.alloc(100)),
  'tiff-100k': () => strip(100_000, 100_000, DEFLATE, zlibZeros(1024 ** 3)),
  'tiff-50-million-pixels-in-a-strip': () => strip(7_000, 7_000, DEFLATE, zlibZeros(49_000_000)),
  'tiff-strip-bomb': () => strip(100, 100, DEFLATE, zlibZeros(1024 ** 3)),
  'tiff-missing-strip': () => strip(7_000, 7_000, 1, Buffer.alloc(10)),
  'tiff-circle': () => strip(10, 10, 1, Buffer.alloc(100), 8),
  'tiff-directory-in-itself': () => Buffer.from('II*\0\x04\0\0\0', 'latin1'),
  'tiff-sub-directories-in-a-circle': () =>
    tiff(
      [
        [330, 4, 1, 8],
        [34_665, 4, 1, 8],
      ],
      8,
    ),
  'tiff-many-entries': () => tiff(times(65_535, (at) => [at, 7, 0xffffffff, 8] as const)),
  'tiff-many-strips': () =>
    tiff([
      [256, 4, 1, 1],
      [257, 4, 1, 0x7fffffff],
      [273, 4, 0x7fffffff, 8],
      [278, 4, 1, 1],
      [279, 4, 0x7fffffff, 8],
    ]),
  'tiff-directory-outside': () => Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'),
  'tiff-pages': async () => {
    const page = strip(10, 10, 1, Buffer.alloc(100))
    return Buffer.concat([page, repeated(10_000, page)])
  },
})

export const pictureBombs = [...jpegBombs, ...gifBombs, ...webpBombs, ...tiffBombs]
