import { JobFailed } from './job-faults.ts'

/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Scales a shape to fit inside a size, with at least one pixel per side. Returns the new size and the scale. */
export function fitInside(shape: Size, bounds: Size): Size & { scale: number } {
  const scale = Math.min(bounds.width / shape.width, bounds.height / shape.height)
  const pixels = (length: number, limit: number): number => Math.min(limit, Math.max(1, Math.round(length * scale)))
  return { width: pixels(shape.width, bounds.width), height: pixels(shape.height, bounds.height), scale }
}

/** The start of every PNG: the signature, then length and type of the IHDR chunk, which starts with the size. */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HEADER_BYTES = 24

/** The size that the header of a PNG states. */
export function pngSize(png: Uint8Array): Size {
  const header = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

/** The size of a PNG that came from a job. Throws `JobFailed` for what is none, or larger than was asked for. */
export function sizeOfPng(png: Uint8Array, most: Size): Size {
  const header = Buffer.from(png.buffer, png.byteOffset, Math.min(png.length, HEADER_BYTES))
  if (header.length < HEADER_BYTES || !header.subarray(0, PNG_START.length).equals(PNG_START)) {
    throw new JobFailed('the answer is no PNG')
  }
  const size = pngSize(header)
  const fits = size.width >= 1 && size.height >= 1 && size.width <= most.width && size.height <= most.height
  if (!fits) throw new JobFailed(`the answer has ${size.width} x ${size.height} pixels`)
  return size
}
