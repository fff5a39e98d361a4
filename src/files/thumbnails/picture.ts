// Draws a picture small. Runs in a job process: the bytes are a stranger's, and decoders are where strangers get in.
import sharp, { type Metadata } from 'sharp'
import { pictureFormatOf } from './picture-format.ts'
import type { Size } from './size.ts'

/** A larger picture is a bomb or a map; neither has a thumbnail. */
const MOST_PIXELS = 50_000_000
/** A line of pixels has no thumbnail either; to find that out by drawing it takes long. */
const MOST_SIDE = 65_535
/** For a picture, with its content and what is drawn of it: the process needs half of its 256 MiB for itself. */
const MOST_BYTES_AT_ONCE = 120 * 1024 * 1024
/** Each pixel of what is drawn: itself, and its share of the PNG while that grows. */
const DRAWN_PIXEL_BYTES = 6

// One process does one job at a time, and never the same one twice.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadTiffBuffer',
  ],
})

/**
 * The picture as PNG, fitted inside the size, upright, never enlarged, without anything that was said beside its
 * pixels. Of several pages or frames the first. What a decoder only warns of is let pass: programs write such pictures.
 */
export async function drawPicture(content: Buffer, size: Size): Promise<Uint8Array> {
  const format = pictureFormatOf(content)
  if (!format) throw new Error('this is no picture that is drawn')
  // Cameras and scanners leave out the end of a JPEG: it is shown as far as it goes, as it is everywhere.
  const failOn = format === 'jpeg' ? 'none' : 'error'
  const input = { limitInputPixels: MOST_PIXELS, sequentialRead: true, failOn } as const
  const metadata = await sharp(content, input).metadata()
  if (Math.max(metadata.width, metadata.height) > MOST_SIDE) throw new Error('the picture is too wide or too high')
  const needed = content.length + unpackedBytes(metadata, content) + size.width * size.height * DRAWN_PIXEL_BYTES
  if (needed > MOST_BYTES_AT_ONCE) throw new Error(`the picture needs ${needed} bytes at once`)
  return sharp(content, input)
    .autoOrient()
    .resize({ ...size, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

/** What the decoders need for formats that cannot be read line by line, as measured. */
function unpackedBytes(metadata: Metadata, content: Buffer): number {
  const { format, width, height, channels, depth, isProgressive, chromaSubsampling, pages = 1 } = metadata
  const pixels = width * height
  if (format === 'gif') return pixels * 5
  if (format === 'webp') return pixels * (pages > 1 || content.includes('VP8L') ? 8 : 4)
  if (!isProgressive) return 0
  // The coefficients of a JPEG have two bytes; of its colours there are often fewer.
  if (format === 'jpeg') return pixels * (chromaSubsampling === '4:2:0' ? 3 : channels * 2)
  return pixels * channels * (depth === 'ushort' ? 2 : 1)
}
