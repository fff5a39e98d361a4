// The text as it is gathered: cleaned piece by piece, so that what is not wanted never fills the memory, and bounded.

/** What a search can make use of; a database keeps it in few megabytes. In UTF-16 code units. */
export const MOST_CHARACTERS = 1_000_000
/** A text is cut between two words, but where the last word is longer than this, within it. */
const LONGEST_WORD = 1_000
/** So much is cleaned at once. */
const SLICE = 65_536

/** Blanks, and what separates as they do. U+0085 is a line break that `\s` does not know. */
const BLANKS = /[\s\u0085]+/g
/** Controls, halves of surrogate pairs, noncharacters, and marks that nobody sees but that part a word from its search. */
const UNWANTED = /[\p{Cc}\p{Surrogate}\ufffe\uffff\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

export class GatheredText {
  #pieces: string[] = []
  #length = 0
  #pending = ''
  /** Blanks at the beginning are none. */
  #endsInBlank = true

  /** Whether nothing that is added can come out any more. */
  get isFull(): boolean {
    return this.#length > MOST_CHARACTERS
  }

  /** Adds a part of a text: it follows the last one without a blank. */
  add(text: string): void {
    for (let at = 0; at < text.length && !this.isFull; at += SLICE) {
      this.#pending += text.slice(at, at + SLICE)
      if (this.#pending.length >= SLICE) this.#clean(false)
    }
  }

  /** What follows is another word. */
  addBreak(): void {
    this.add(' ')
  }

  /** Gives up all that was gathered. */
  discard(): void {
    this.#pieces = []
    this.#pending = ''
    this.#length = 0
  }

  /** All that was gathered, in composed characters, no longer than `MOST_CHARACTERS`. */
  result(): string {
    this.#clean(true)
    return cutAtWord(this.#pieces.join('').normalize('NFC'), MOST_CHARACTERS).trimEnd()
  }

  /** Half a surrogate pair at the end waits for its other half. */
  #clean(isLast: boolean): void {
    const end = !isLast && isHighSurrogate(this.#pending.at(-1)) ? this.#pending.length - 1 : this.#pending.length
    const text = this.#pending.slice(0, end).replace(BLANKS, ' ').replace(UNWANTED, '').replace(/ {2,}/g, ' ')
    this.#pending = this.#pending.slice(end)
    const piece = this.#endsInBlank && text.startsWith(' ') ? text.slice(1) : text
    if (piece === '') return
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#endsInBlank = piece.endsWith(' ')
  }
}

/** The beginning of a text, no longer than `limit`. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text
  const blank = text.lastIndexOf(' ', limit)
  if (blank > Math.max(0, limit - LONGEST_WORD)) return text.slice(0, blank)
  return text.slice(0, isHighSurrogate(text.at(limit - 1)) ? limit - 1 : limit)
}

function isHighSurrogate(unit = ''): boolean {
  return unit >= '\ud800' && unit <= '\udbff'
}
