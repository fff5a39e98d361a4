// Scales an image down. Runs in a job process, because the input is untrusted and image decoders are a common target.
import sharp, { type Metadata } from 'sharp'
import { pictureFormatOf } from './picture-format.ts'
import type { Size } from './size.ts'

/** Larger images, such as maps or decompression bombs, get no thumbnail. */
const MAX_PIXELS = 50_000_000
/** Maximum width and height: very long images take long to scale, with no useful result. */
const MAX_SIDE = 65_535
/** Memory for the content, the decoded image and the result. The process itself needs half of its 256 MiB. */
const MAX_MEMORY_BYTES = 120 * 1024 * 1024
/** Memory per pixel of the result: the pixel, and its share of the growing PNG. */
const DRAWN_PIXEL_BYTES = 6

// No caching and no concurrency: a process runs one job at a time, and rarely the same one again.
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
 * Returns the image as PNG that fits the size: upright, never enlarged, and without metadata. Of several pages or
 * frames the first one is used. Warnings of decoders are ignored, because common programs write such images.
 */
export async function drawPicture(content: Buffer, size: Size): Promise<Uint8Array> {
  const format = pictureFormatOf(content)
  if (!format) throw new Error('this is no picture that is drawn')
  // Cameras and scanners truncate JPEGs. Like other programs, this shows the part that exists.
  const failOn = format === 'jpeg' ? 'none' : 'error'
  const input = { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn } as const
  const metadata = await sharp(content, input).metadata()
  if (Math.max(metadata.width, metadata.height) > MAX_SIDE) throw new Error('the picture is too wide or too high')
  const needed = content.length + unpackedBytes(metadata, content) + size.width * size.height * DRAWN_PIXEL_BYTES
  if (needed > MAX_MEMORY_BYTES) throw new Error(`the picture needs ${needed} bytes at once`)
  return sharp(content, input)
    .autoOrient()
    .resize({ ...size, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

/** Measured memory of the decoders for formats that cannot be read line by line. */
function unpackedBytes(metadata: Metadata, content: Buffer): number {
  const { format, width, height, channels, depth, isProgressive, chromaSubsampling, pages = 1 } = metadata
  const pixels = width * height
  if (format === 'gif') return pixels * 5
  if (format === 'webp') return pixels * (pages > 1 || content.includes('VP8L') ? 8 : 4)
  if (!isProgressive) return 0
  // JPEG coefficients have two bytes; with 4:2:0 subsampling there are fewer for the colour channels.
  if (format === 'jpeg') return pixels * (chromaSubsampling === '4:2:0' ? 3 : channels * 2)
  return pixels * channels * (depth === 'ushort' ? 2 : 1)
}
