// Base64 piece by piece, so that a large content is never there as a whole: RFC 4648, the standard alphabet with padding
// and nothing else (no blanks, no `-` and `_`).

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

/**
 * A content as base64, piece by piece, in memory that is used again: a piece is done with when the next one is asked for.
 * So must be a piece of the content.
 */
export async function* base64Of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const encoded = new EncodedPlace()
  let rest = Buffer.alloc(0)
  for await (const chunk of content) {
    const first = rest.length === 0 ? 0 : Math.min(BYTES_OF_A_QUANTUM - rest.length, chunk.length)
    const begun = first === 0 ? rest : Buffer.concat([rest, chunk.subarray(0, first)])
    const isOpen = begun.length % BYTES_OF_A_QUANTUM > 0
    const bytes = bufferOf(chunk).subarray(first)
    const complete = bytes.length - (bytes.length % BYTES_OF_A_QUANTUM)
    // A copy: the memory of the chunk is not ours.
    rest = isOpen ? begun : Buffer.from(bytes.subarray(complete))
    if (!isOpen && begun.length + complete > 0) yield encoded.put(begun, bytes.subarray(0, complete))
  }
  if (rest.length > 0) yield encoded.put(rest)
}

class EncodedPlace {
  #place = Buffer.alloc(0)

  /** Several byte sequences, all but the last one of whole quanta. */
  put(...sequences: readonly Buffer[]): Uint8Array {
    const length = sequences.reduce((sum, { length }) => sum + base64Length(length), 0)
    if (length > this.#place.length) this.#place = Buffer.allocUnsafe(length)
    let end = 0
    for (const bytes of sequences) {
      for (let at = 0; at < bytes.length; at += ENCODED_BYTES) {
        end += this.#place.write(bytes.toString('base64', at, at + ENCODED_BYTES), end, 'latin1')
      }
    }
    return this.#place.subarray(0, end)
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
