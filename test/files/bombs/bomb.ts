// Building blocks of the bombs.
import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A malicious file, generated on demand. */
export interface Bomb {
  readonly name: string
  /** The declared type. */
  readonly mimeType: string
  make(): Uint8Array | Promise<Uint8Array>
}

/** Bombs with the same declared type. */
export function bombsOf(mimeType: string, makers: Readonly<Record<string, Bomb['make']>>): Bomb[] {
  return Object.entries(makers).map(([name, make]) => ({ name, mimeType, make }))
}

const MIB = 1024 * 1024
const MODULUS = 65_521

/** A raw deflate stream of zeros. Its blocks are independent, so that equal ones are generated once. */
export function deflatedZeros(length: number): Buffer {
  const block = (size: number) => deflateRawSync(Buffer.alloc(size), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const whole = block(MIB)
  const blocks = Array.from({ length: Math.floor(length / MIB) }, () => whole)
  return Buffer.concat([...blocks, block(length % MIB), Buffer.from([0x03, 0x00])])
}

/** The same as a zlib stream, with the right checksum. */
export function zlibZeros(length: number): Buffer {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((length % MODULUS) * 65_536 + 1)
  return Buffer.concat([Buffer.from([0x78, 0xda]), deflatedZeros(length), checksum])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function crcOf(...parts: Buffer[]): Buffer {
  return uint32(parts.reduce((crc, part) => crc32(part, crc), 0))
}

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

/** The same again and again. */
export function repeated(count: number, part: Buffer): Buffer {
  return Buffer.concat(times(count, () => part))
}
