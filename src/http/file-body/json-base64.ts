// Base64 as it stands in a JSON string. Writers of JSON may escape what needs it not: some the slash, some the plus and
// the padding.
import { Base64Decoder, Base64Error } from '../../base/base64.ts'

const BACKSLASH = 0x5c
const SLASH = 0x2f
const LETTER_U = 0x75
/** `\u` and four digits. */
const LONG_ESCAPE = 6

export class JsonBase64Decoder {
  readonly #decoder = new Base64Decoder()
  /** What came of an escape so far. */
  #escape: number[] = []

  /** The bytes of what came in so far, as far as they are complete. Throws a Base64Error. */
  push(characters: Buffer): Buffer {
    return this.#decoder.push(this.#unescaped(characters))
  }

  /** Throws a Base64Error when characters are missing at the end. */
  end(): void {
    if (this.#escape.length > 0) throw new Base64Error()
    this.#decoder.end()
  }

  #unescaped(characters: Buffer): Buffer {
    if (this.#escape.length === 0 && !characters.includes(BACKSLASH)) return characters
    const plain = Buffer.allocUnsafe(characters.length)
    let length = 0
    for (const byte of characters) {
      const letter = this.#escape.length > 0 || byte === BACKSLASH ? this.#passEscaped(byte) : byte
      if (letter !== undefined) plain[length++] = letter
    }
    return plain.subarray(0, length)
  }

  /** The letter that an escape stands for, once it is complete. */
  #passEscaped(byte: number): number | undefined {
    this.#escape.push(byte)
    const letter = letterOf(this.#escape)
    if (letter !== undefined) this.#escape = []
    return letter
  }
}

function letterOf(sequence: readonly number[]): number | undefined {
  if (sequence.length === 1) return undefined
  if (sequence[1] === SLASH) return SLASH
  if (sequence[1] !== LETTER_U) throw new Base64Error()
  if (sequence.length < LONG_ESCAPE) return undefined
  const digits = String.fromCharCode(...sequence.slice(2))
  // The alphabet is ASCII.
  if (!/^00[0-7][\da-f]$/i.test(digits)) throw new Base64Error()
  return Number.parseInt(digits, 16)
}
