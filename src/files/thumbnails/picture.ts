// Draws a picture small. Runs in a job process: the bytes are a stranger's, and decoders are where strangers get in.
import sharp, { type Metadata } from 'sharp'
import { pictureFormatOf } from './picture-format.ts'
import type { Size } from './size.ts'

/** A larger picture is a bomb or a map; neither has a thumbnail. */
const MOST_PIXELS = 50_000_000
/** What a picture may need in memory at once, with its content: the process has 256 MiB, and needs 100 for itself. */
const MOST_BYTES_AT_ONCE = 128 * 1024 * 1024

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
 * The picture as PNG, fitted inside the size, upright, never enlarged, without anything that was said beside its pixels.
 * Of several pages or frames the first. A decoder's warnings are let pass: cameras and programs write such pictures.
 */
export async function drawPicture(content: Buffer, size: Size): Promise<Uint8Array> {
  if (!pictureFormatOf(content)) throw new Error('this is no picture that is drawn')
  const input = { limitInputPixels: MOST_PIXELS, sequentialRead: true, failOn: 'error' } as const
  const needed = content.length + bytesAtOnce(await sharp(content, input).metadata())
  if (needed > MOST_BYTES_AT_ONCE) throw new Error(`the picture needs ${needed} bytes at once`)
  return sharp(content, input)
    .autoOrient()
    .resize({ ...size, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

/** Formats that cannot be read line by line are unpacked whole. */
function bytesAtOnce({ format, width, height, channels, depth, isProgressive, chromaSubsampling }: Metadata): number {
  const pixels = width * height
  if (format === 'gif' || format === 'webp') return pixels * 4
  if (!isProgressive) return 0
  // The coefficients of a JPEG have two bytes; of its colours there are often fewer.
  if (format === 'jpeg') return pixels * (chromaSubsampling === '4:2:0' ? 3 : channels * 2)
  return pixels * channels * (depth === 'ushort' ? 2 : 1)
}
