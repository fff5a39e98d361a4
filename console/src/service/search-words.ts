// Where the words of a search stand in a text, as the service finds them.
import { folded, type WordPart, wordParts } from '../../../src/model/word-parts.ts'

export interface TextPart {
  readonly text: string
  readonly isHit: boolean
}

interface Range {
  readonly start: number
  readonly end: number
}

/** A text with more is not marked behind them. */
const MOST_HITS = 1_000

interface Needle {
  readonly key: string
  readonly isPrefix: boolean
  readonly isUnspaced: boolean
}

function needlesIn(search: string): Needle[] {
  return [...wordParts(search)].map(({ text, index, letters }) => {
    return { key: folded(text), isPrefix: search[index + text.length] === '*', isUnspaced: letters !== undefined }
  })
}

function* hitsIn(text: string, needles: readonly Needle[]): Generator<Range, void, void> {
  if (needles.length === 0) return
  for (const part of wordParts(text)) {
    if (part.letters) yield* runsIn(part, part.letters, needles)
    else if (isHit(folded(part.text), needles)) yield { start: part.index, end: part.index + part.text.length }
  }
}

function isHit(word: string, needles: readonly Needle[]): boolean {
  return needles.some(
    ({ key, isPrefix, isUnspaced }) => !isUnspaced && (isPrefix ? word.startsWith(key) : word === key),
  )
}

/** Within a run of letters without blanks, the searched ones. */
function* runsIn(part: WordPart, letters: readonly string[], needles: readonly Needle[]): Generator<Range, void, void> {
  let at = part.index
  for (let first = 0; first < letters.length; ) {
    const count = lengthOfRun(letters.slice(first), needles)
    const text = letters.slice(first, first + Math.max(count, 1)).join('')
    if (count > 0) yield { start: at, end: at + text.length }
    at += text.length
    first += Math.max(count, 1)
  }
}

/** The number of letters of the longest searched run that they begin with. */
function lengthOfRun(letters: readonly string[], needles: readonly Needle[]): number {
  let found = ''
  let longest = 0
  const most = Math.max(...needles.map(({ key }) => key.length))
  for (let count = 0; count < letters.length && found.length < most; ) {
    found += folded(letters[count++] ?? '')
    if (needles.some(({ key, isUnspaced }) => isUnspaced && key === found)) longest = count
  }
  return longest
}

/** The text in parts; together they are the text. */
export function partsOf(text: string, search: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  for (const { start, end } of hitsIn(text, needlesIn(search)).take(MOST_HITS)) {
    if (start > done) parts.push({ text: text.slice(done, start), isHit: false })
    parts.push({ text: text.slice(start, end), isHit: true })
    done = end
  }
  if (done < text.length) parts.push({ text: text.slice(done), isHit: false })
  return parts
}
