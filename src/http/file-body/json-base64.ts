// Base64 as it stands in a JSON string. Writers of JSON may escape what needs it not: some the slash, some the plus and
// the padding.
import { Base64Decoder, Base64Error } from '../../base/base64.ts'

const BACKSLASH = 0x5c
const SLASH = 0x2f
const LETTER_U = 0x75
const ZERO = 0x30
const NINE = 0x39
const LETTER_A = 0x61
const LETTER_F = 0x66
const LAST_OF_ASCII = 0x7f
/** `\/`. */
const SHORT_ESCAPE = 2
/** `\u` and four digits. */
const LONG_ESCAPE = 6

export class JsonBase64Decoder {
  readonly #decoder = new Base64Decoder()
  /** The beginning of an escape whose end has not come. */
  #torn = Buffer.alloc(0)

  /** The bytes of what came in so far, as far as they are complete, in place of the characters. Throws a Base64Error. */
  push(characters: Buffer): Buffer {
    return this.#decoder.push(this.#unescaped(characters))
  }

  /** Throws a Base64Error when characters are missing at the end. */
  end(): void {
    if (this.#torn.length > 0) throw new Base64Error()
    this.#decoder.end()
  }

  /** In place: what an escape stands for is shorter. */
  #unescaped(characters: Buffer): Buffer {
    if (this.#torn.length === 0 && !characters.includes(BACKSLASH)) return characters
    const escaped = this.#torn.length === 0 ? characters : Buffer.concat([this.#torn, characters])
    let length = 0
    let at = 0
    while (at < escaped.length) {
      const byte = escaped[at] as number
      if (byte !== BACKSLASH) {
        escaped[length++] = byte
        at++
        continue
      }
      const end = at + (escaped[at + 1] === LETTER_U ? LONG_ESCAPE : SHORT_ESCAPE)
      if (end > escaped.length) break
      escaped[length++] = letterOf(escaped, at)
      at = end
    }
    this.#torn = Buffer.from(escaped.subarray(at))
    return escaped.subarray(0, length)
  }
}

/** The letter that a whole escape stands for. */
function letterOf(escaped: Buffer, at: number): number {
  if (escaped[at + 1] === SLASH) return SLASH
  if (escaped[at + 1] !== LETTER_U) throw new Base64Error()
  let letter = 0
  for (let digit = at + SHORT_ESCAPE; digit < at + LONG_ESCAPE; digit++) {
    letter = letter * 16 + digitOf(escaped[digit] as number)
  }
  // The alphabet is ASCII.
  if (letter > LAST_OF_ASCII) throw new Base64Error()
  return letter
}

/** The value of a hexadecimal digit. Not by parseInt: a content may have an escape for every slash and plus. */
function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO
  const lower = byte | 0x20
  if (lower < LETTER_A || lower > LETTER_F) throw new Base64Error()
  return lower - LETTER_A + 10
}
