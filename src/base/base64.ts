// Base64 piece by piece, so that a large content is never there as a whole: RFC 4648, the standard alphabet with padding
// and nothing else (no blanks, no `-` and `_`).

const DASH = 0x2d
const UNDERSCORE = 0x5f
const PADDING = 0x3d
/** So many characters stand for three bytes. */
const QUANTUM = 4

/** What was given is not base64. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error'
}

export class Base64Decoder {
  #rest = Buffer.alloc(0)
  #isPadded = false

  /** The bytes of what came in so far, as far as they are complete. Throws a Base64Error. */
  push(characters: Buffer): Buffer {
    if (characters.length === 0) return characters
    if (this.#isPadded) throw new Base64Error()
    const given = this.#rest.length === 0 ? characters : Buffer.concat([this.#rest, characters])
    const complete = given.length - (given.length % QUANTUM)
    this.#rest = Buffer.from(given.subarray(complete))
    return this.#decode(given.subarray(0, complete))
  }

  /** Throws a Base64Error when characters are missing at the end. */
  end(): void {
    if (this.#rest.length > 0) throw new Base64Error()
  }

  #decode(quanta: Buffer): Buffer {
    // Node.js takes the alphabet of URLs too, and passes over what is no base64: then bytes are missing.
    if (quanta.includes(DASH) || quanta.includes(UNDERSCORE)) throw new Base64Error()
    const padding = paddingOf(quanta)
    this.#isPadded = padding > 0
    const bytes = Buffer.from(quanta.toString('latin1'), 'base64')
    if (bytes.length !== (quanta.length / QUANTUM) * 3 - padding) throw new Base64Error()
    return bytes
  }
}

function paddingOf(quanta: Buffer): number {
  if (quanta.at(-1) !== PADDING) return 0
  return quanta.at(-2) === PADDING ? 2 : 1
}

/** How many characters stand for a content of this size. */
export function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * QUANTUM
}

/** A content as base64, piece by piece. */
export async function* base64Of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of content) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const complete = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(complete)
    if (complete > 0) yield encoded(bytes.subarray(0, complete))
  }
  if (rest.length > 0) yield encoded(rest)
}

function encoded(bytes: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = bytes
  return Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'latin1')
}
