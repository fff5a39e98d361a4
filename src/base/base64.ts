// Base64 piece by piece, so that a large content is never there as a whole: RFC 4648, the standard alphabet with padding
// and nothing else (no blanks, no `-` and `_`).

import { BufferPool } from './buffer-pool.ts'

const DASH = 0x2d
const UNDERSCORE = 0x5f
/** So many characters stand for so many bytes. */
const QUANTUM = 4
const BYTES_OF_A_QUANTUM = 3

/** What was given is not base64. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error'
}

export class Base64Decoder {
  /** Characters of a quantum that is not complete. */
  #rest = ''
  #isPadded = false

  /**
   * The bytes of what came in so far, as far as they are complete. They take the place of the characters, which are lost:
   * a large content then needs no memory beside that in which it came. Throws a Base64Error.
   */
  push(characters: Buffer): Buffer {
    if (characters.length === 0) return characters
    // Node.js takes the alphabet of URLs too, and passes over what is no base64: then bytes are missing.
    if (this.#isPadded || characters.includes(DASH) || characters.includes(UNDERSCORE)) throw new Base64Error()
    const text = this.#rest + characters.toString('latin1')
    const complete = text.length - (text.length % QUANTUM)
    this.#rest = text.slice(complete)
    return this.#decode(text.slice(0, complete), characters)
  }

  /** Throws a Base64Error when characters are missing at the end. */
  end(): void {
    if (this.#rest !== '') throw new Base64Error()
  }

  #decode(quanta: string, place: Buffer): Buffer {
    const padding = paddingOf(quanta)
    this.#isPadded = padding > 0
    const length = (quanta.length / QUANTUM) * BYTES_OF_A_QUANTUM - padding
    // Few characters may complete a quantum that is longer than they are.
    const bytes = length <= place.length ? place : Buffer.allocUnsafe(length)
    if (bytes.write(quanta, 'base64') !== length) throw new Base64Error()
    return bytes.subarray(0, length)
  }
}

function paddingOf(quanta: string): number {
  if (!quanta.endsWith('=')) return 0
  return quanta.endsWith('==') ? 2 : 1
}

/** How many characters stand for a content of this size. */
export function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BYTES_OF_A_QUANTUM) * QUANTUM
}

/** Encoded at once: a text of this length costs little to make, a longer one is memory that the system must give anew. */
const ENCODED_BYTES = 3 * 16 * 1024
const PLACES = new BufferPool(6 * base64Length(ENCODED_BYTES), 8)

/**
 * A content as base64, piece by piece, in memory that is used again: a piece is done with when the next one is asked for.
 * So may be a piece of the content.
 */
export async function* base64Of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new Base64Encoder()
  for await (const chunk of content) yield* encoder.push(chunk)
  yield* encoder.end()
}

class Base64Encoder {
  /** Bytes of a quantum that is not complete. */
  #rest: Buffer = Buffer.alloc(0)
  #place: Buffer = Buffer.alloc(0);

  *push(chunk: Uint8Array): Generator<Uint8Array, void, void> {
    const missing = (BYTES_OF_A_QUANTUM - this.#rest.length) % BYTES_OF_A_QUANTUM
    const first = Buffer.concat([this.#rest, chunk.subarray(0, missing)])
    if (first.length % BYTES_OF_A_QUANTUM > 0) {
      this.#rest = first
      return
    }
    const others = Buffer.from(chunk.buffer, chunk.byteOffset + missing, chunk.byteLength - missing)
    const complete = others.length - (others.length % BYTES_OF_A_QUANTUM)
    // A copy: the memory of the chunk is not ours.
    this.#rest = Buffer.from(others.subarray(complete))
    yield* this.#encoded(first, others.subarray(0, complete))
  }

  /** Nothing that was given before is used any more. */
  *end(): Generator<Uint8Array, void, void> {
    yield* this.#encoded(this.#rest)
    PLACES.give(this.#place)
  }

  /** Byte sequences that are encoded one behind the other. */
  *#encoded(...sequences: readonly Buffer[]): Generator<Uint8Array, void, void> {
    const needed = sequences.reduce((sum, { length }) => sum + base64Length(length), 0)
    if (this.#place.length < needed) this.#place = PLACES.take(needed)
    let length = 0
    for (const bytes of sequences) {
      for (let at = 0; at < bytes.length; at += ENCODED_BYTES) {
        const text = bytes.toString('base64', at, at + ENCODED_BYTES)
        if (length + text.length > this.#place.length) {
          yield this.#place.subarray(0, length)
          length = 0
        }
        length += this.#place.write(text, length, 'latin1')
      }
    }
    if (length > 0) yield this.#place.subarray(0, length)
  }
}
