// Decodes base64 inside a JSON string. Some JSON writers escape characters without need: the slash, the plus or the
// padding. Line ends within base64 are escapes always.
import { Base64Decoder, Base64Error } from '../../base/base64.ts'

const BACKSLASH = 0x5c
const SLASH = 0x2f
const LETTER_U = 0x75
const BLANK = 0x20
/** The letters of `\n`, `\r` and `\t`. */
const BLANK_ESCAPES: readonly number[] = [...Buffer.from('nrt')]
const ZERO = 0x30
const NINE = 0x39
const LETTER_A = 0x61
const LETTER_F = 0x66
const LAST_OF_ASCII = 0x7f
/** `\/` or `\n`. */
const SHORT_ESCAPE = 2
/** `\u` and four digits. */
const LONG_ESCAPE = 6

export class JsonBase64Decoder {
  readonly #decoder = new Base64Decoder()
  /** The start of an escape that the last chunk cut off. */
  #partialEscape = Buffer.alloc(0)

  /** Decodes the complete quanta received so far, overwriting `characters`. Throws a Base64Error. */
  push(characters: Buffer): Buffer {
    return this.#decoder.push(this.#unescape(characters))
  }

  /** Throws a Base64Error if the text ends inside an escape or a quantum. */
  end(): void {
    if (this.#partialEscape.length > 0) throw new Base64Error()
    this.#decoder.end()
  }

  /** Works in place: an escape is longer than the letter that it stands for. */
  #unescape(characters: Buffer): Buffer {
    if (this.#partialEscape.length === 0 && !characters.includes(BACKSLASH)) return characters
    const escaped = this.#partialEscape.length === 0 ? characters : Buffer.concat([this.#partialEscape, characters])
    let length = 0
    let index = 0
    while (index < escaped.length) {
      const byte = escaped[index] as number
      if (byte !== BACKSLASH) {
        escaped[length++] = byte
        index++
        continue
      }
      const end = index + (escaped[index + 1] === LETTER_U ? LONG_ESCAPE : SHORT_ESCAPE)
      if (end > escaped.length) break
      escaped[length++] = unescapedLetter(escaped, index)
      index = end
    }
    this.#partialEscape = Buffer.from(escaped.subarray(index))
    return escaped.subarray(0, length)
  }
}

/** The letter that a complete escape stands for. */
function unescapedLetter(escaped: Buffer, index: number): number {
  const kind = escaped[index + 1] as number
  if (kind === SLASH) return SLASH
  if (BLANK_ESCAPES.includes(kind)) return BLANK
  if (kind !== LETTER_U) throw new Base64Error()
  let letter = 0
  for (let digit = index + SHORT_ESCAPE; digit < index + LONG_ESCAPE; digit++) {
    letter = letter * 16 + digitOf(escaped[digit] as number)
  }
  // Base64 is ASCII.
  if (letter > LAST_OF_ASCII) throw new Base64Error()
  return letter
}

/** The value of a hexadecimal digit. Faster than parseInt, as content may have an escape for every slash and plus. */
function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO
  const lower = byte | 0x20
  if (lower < LETTER_A || lower > LETTER_F) throw new Base64Error()
  return lower - LETTER_A + 10
}
