// Streaming base64, so that a large content is never buffered completely. RFC 4648, section 4: the standard alphabet
// with padding, and neither `-` nor `_`. Blanks and line ends, as MIME has them (RFC 2045, 6.8), are skipped.

import { BufferPool } from './buffer-pool.ts'

const DASH = 0x2d
const UNDERSCORE = 0x5f
const BLANKS: readonly number[] = [...Buffer.from(' \t\r\n')]
/** Four characters encode three bytes. */
const QUANTUM_CHARACTERS = 4
const QUANTUM_BYTES = 3

/** The input is not base64. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error'
}

export class Base64Decoder {
  /** Characters of the incomplete quantum at the end. */
  #rest = ''
  #isPadded = false

  /**
   * Decodes the complete quanta received so far. The bytes overwrite what is given, so decoding needs no further
   * memory. Throws a Base64Error.
   */
  push(given: Buffer): Buffer {
    const characters = withoutBlanks(given)
    if (characters.length === 0) return characters
    // Node also accepts base64url, so that is checked here; it skips invalid characters, so #decode checks the length.
    if (this.#isPadded || characters.includes(DASH) || characters.includes(UNDERSCORE)) throw new Base64Error()
    const text = this.#rest + characters.toString('latin1')
    const complete = text.length - (text.length % QUANTUM_CHARACTERS)
    this.#rest = text.slice(complete)
    return this.#decode(text.slice(0, complete), characters)
  }

  /** Throws a Base64Error if the last quantum is incomplete. */
  end(): void {
    if (this.#rest !== '') throw new Base64Error()
  }

  #decode(quanta: string, target: Buffer): Buffer {
    const padding = paddingOf(quanta)
    this.#isPadded = padding > 0
    const length = (quanta.length / QUANTUM_CHARACTERS) * QUANTUM_BYTES - padding
    // A few characters may complete a quantum that decodes to more bytes than they have.
    const bytes = length <= target.length ? target : Buffer.allocUnsafe(length)
    if (bytes.write(quanta, 'base64') !== length) throw new Base64Error()
    return bytes.subarray(0, length)
  }
}

/** Works in place. */
function withoutBlanks(characters: Buffer): Buffer {
  if (!BLANKS.some((blank) => characters.includes(blank))) return characters
  let length = 0
  for (const byte of characters) if (!BLANKS.includes(byte)) characters[length++] = byte
  return characters.subarray(0, length)
}

function paddingOf(quanta: string): number {
  if (!quanta.endsWith('=')) return 0
  return quanta.endsWith('==') ? 2 : 1
}

/** The length of the base64 text of a content of this size. */
export function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / QUANTUM_BYTES) * QUANTUM_CHARACTERS
}

/** Bytes encoded in one step: for a longer string, V8 would have to allocate new memory from the system each time. */
const STEP_BYTES = 3 * 16 * 1024
const OUTPUT_BUFFERS = new BufferPool(6 * base64Length(STEP_BYTES), 8)

/**
 * Encodes a content in chunks. Their memory is reused: a chunk is valid until the next one is requested. The same may
 * apply to the chunks of `content`.
 */
export async function* base64Of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new Base64Encoder()
  for await (const chunk of content) yield* encoder.push(chunk)
  yield* encoder.end()
}

class Base64Encoder {
  /** Bytes of the incomplete quantum at the end. */
  #rest: Buffer = Buffer.alloc(0)
  #output: Buffer = Buffer.alloc(0);

  *push(chunk: Uint8Array): Generator<Uint8Array, void, void> {
    const missing = (QUANTUM_BYTES - this.#rest.length) % QUANTUM_BYTES
    const first = Buffer.concat([this.#rest, chunk.subarray(0, missing)])
    if (first.length % QUANTUM_BYTES > 0) {
      this.#rest = first
      return
    }
    const remaining = Buffer.from(chunk.buffer, chunk.byteOffset + missing, chunk.byteLength - missing)
    const complete = remaining.length - (remaining.length % QUANTUM_BYTES)
    // Copied, because the chunk's memory may be reused.
    this.#rest = Buffer.from(remaining.subarray(complete))
    yield* this.#encode(first, remaining.subarray(0, complete))
  }

  /** Ends the encoding; by now no chunk yielded before is in use. */
  *end(): Generator<Uint8Array, void, void> {
    yield* this.#encode(this.#rest)
    OUTPUT_BUFFERS.give(this.#output)
  }

  /** Encodes the sequences one after the other. */
  *#encode(...sequences: readonly Buffer[]): Generator<Uint8Array, void, void> {
    const needed = sequences.reduce((sum, { length }) => sum + base64Length(length), 0)
    if (this.#output.length < needed) this.#output = OUTPUT_BUFFERS.take(needed)
    let length = 0
    for (const bytes of sequences) {
      for (let start = 0; start < bytes.length; start += STEP_BYTES) {
        const text = bytes.toString('base64', start, start + STEP_BYTES)
        if (length + text.length > this.#output.length) {
          yield this.#output.subarray(0, length)
          length = 0
        }
        length += this.#output.write(text, length, 'latin1')
      }
    }
    if (length > 0) yield this.#output.subarray(0, length)
  }
}
