// Collects the text of a file: cleans it in slices, so that unwanted characters never fill the memory, and limits its
// length.

/** Maximum length of a text, in UTF-16 code units: enough for a search, and a few megabytes in the database. */
export const MAX_CHARACTERS = 1_000_000
/** A text is cut between two words, unless the last word is longer than this. */
export const MAX_WORD_LENGTH = 1_000
/** Number of characters that are cleaned at a time. */
const SLICE = 65_536

/** A word that is divided at the end of a line. It is a word beside its parts, because a compound has a hyphen too. */
const DIVIDED =
  /([\p{L}\p{M}]{1,64})[-\u2010\u00ad][^\S\r\n\u0085\u2028]*[\r\n\u0085\u2028]\s*(\p{Ll}[\p{L}\p{M}]{0,63})/gu
/** Where a text may be cut: a word that may be divided does not end there. */
const LAST_END = /^[\s\S]*[^\s\-\u2010\u00ad](?=\s)/
/** White space. U+0085 is a line break that `\s` does not include. */
const WHITE_SPACE = /[\s\u0085]+/g
/** Controls, lone surrogates, noncharacters, and invisible marks that would keep a search from matching a word. */
const UNWANTED = /[\p{Cc}\p{Surrogate}\ufffe\uffff\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

export class GatheredText {
  #parts: string[] = []
  #length = 0
  #pending = ''
  /** True at the start, so that leading blanks are dropped. */
  #endsInBlank = true

  /** Whether the limit is reached, so that further text would be dropped. */
  get isFull(): boolean {
    return this.#length > MAX_CHARACTERS
  }

  /** Appends text directly after the previous one, without a blank. */
  add(text: string): void {
    for (let at = 0; at < text.length && !this.isFull; at += SLICE) {
      this.#pending += text.slice(at, at + SLICE)
      if (this.#pending.length >= SLICE) this.#clean(false)
    }
  }

  addBreak(): void {
    this.add(' ')
  }

  /** Ends the current line: a word with a hyphen may go on in the next. */
  addLineEnd(): void {
    this.add('\n')
  }

  /** Discards the collected text. */
  discard(): void {
    this.#parts = []
    this.#pending = ''
    this.#length = 0
  }

  /** The collected text in Unicode normalization form NFC, at most `MAX_CHARACTERS` long. */
  result(): string {
    this.#clean(true)
    return cutAtWord(this.#parts.join('').normalize('NFC'), MAX_CHARACTERS).trimEnd()
  }

  /** A high surrogate at the end stays pending until its low surrogate is added. */
  #clean(isLast: boolean): void {
    const end = isLast ? this.#pending.length : this.#safeEnd()
    const whole = this.#pending.slice(0, end).replace(DIVIDED, '$& $1$2')
    const text = whole.replace(WHITE_SPACE, ' ').replace(UNWANTED, '').replace(/ {2,}/g, ' ')
    this.#pending = this.#pending.slice(end)
    const part = this.#endsInBlank && text.startsWith(' ') ? text.slice(1) : text
    if (part === '') return
    this.#parts.push(part)
    this.#length += part.length
    this.#endsInBlank = part.endsWith(' ')
  }

  #safeEnd(): number {
    const { length } = this.#pending
    const tail = this.#pending.slice(-MAX_WORD_LENGTH)
    const found = LAST_END.exec(tail)
    if (found) return length - tail.length + found[0].length
    return isHighSurrogate(tail.at(-1)) ? length - 1 : length
  }
}

/** Truncates a text to at most `limit` code units, if possible between two words. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text
  const blank = text.lastIndexOf(' ', limit)
  if (blank > Math.max(0, limit - MAX_WORD_LENGTH)) return text.slice(0, blank)
  return text.slice(0, isHighSurrogate(text.at(limit - 1)) ? limit - 1 : limit)
}

function isHighSurrogate(unit = ''): boolean {
  return unit >= '\ud800' && unit <= '\udbff'
}
