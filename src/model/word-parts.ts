// How letters are folded, as people type them, and where the words of a text are. The console marks words by this too.

/** Accents and vowel points. In other scripts a mark makes another letter, as in Hindi, Thai and Japanese. */
const ACCENTS =
  /[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]--[\u3099\u309a]]+/gv
/** Letters that Unicode does not decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  '\u00df': 'ss',
  '\u00e6': 'ae',
  '\u00f0': 'd',
  '\u00f8': 'o',
  '\u00fe': 'th',
  '\u0111': 'd',
  '\u0127': 'h',
  '\u0131': 'i',
  '\u0142': 'l',
  '\u014b': 'n',
  '\u0153': 'oe',
  '\u0167': 't',
  // Otherwise the key of a prefix might not be a prefix of the key.
  '\u03c2': '\u03c3',
}
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

/** The form in which titles, index values and words are compared: without case and accents. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(NOT_PLAIN, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC')
}

/** A letter or digit, and what belongs to its word. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Scripts without blanks between words. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}'
const PART = new RegExp(`(?<unspaced>[${UNSPACED}]+)|[^${UNSPACED}\\p{M}][^${UNSPACED}]*`, 'gu')
/** With its marks. */
const LETTER = /[\p{L}\p{N}]\p{M}*/gu

export interface WordPart {
  readonly text: string
  readonly index: number
  /** The letters of a script without blanks between words; each pair of them is a word. */
  readonly letters?: readonly string[]
}

/** The words of a text, and the runs of letters of scripts that do not divide words. */
export function* wordParts(text: string): Generator<WordPart, void, void> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    for (const { 0: part, index: at, groups } of word.matchAll(PART)) {
      const place = { text: part, index: index + at }
      yield groups?.unspaced === undefined ? place : { ...place, letters: part.match(LETTER) ?? [] }
    }
  }
}
