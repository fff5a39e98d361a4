import { JobFailed } from '../jobs/job-faults.ts'
import type { Size } from './size.ts'

/** Every PNG begins so: its signature, then the chunk of its header, in which the size stands first. */
const BEGINNING = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HEADER_BYTES = 24

/** The size of a PNG that came from a job. Throws `JobFailed` for what is none, or larger than was asked for. */
export function sizeOfPng(png: Uint8Array, most: Size): Size {
  const header = Buffer.from(png.buffer, png.byteOffset, Math.min(png.length, HEADER_BYTES))
  if (header.length < HEADER_BYTES || !header.subarray(0, BEGINNING.length).equals(BEGINNING)) {
    throw new JobFailed('the answer is no PNG')
  }
  const size = { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
  const fits = size.width >= 1 && size.height >= 1 && size.width <= most.width && size.height <= most.height
  if (!fits) throw new JobFailed(`the answer has ${size.width} x ${size.height} pixels`)
  return size
}
