// Where the words of a search stand in a text, as the service finds them: whole words in any letter case, and all that
// begin so with `invoi*`.

export interface TextPart {
  readonly text: string
  readonly isHit: boolean
}

/** A text with more is not marked behind them. */
const MOST_HITS = 1_000

/** Undefined if nothing is searched for. */
function hitsOf(search: string): RegExp | undefined {
  const words = search.match(/[\p{L}\p{N}_]+\*?/gu) ?? []
  if (words.length === 0) return undefined
  const patterns = words.map((word) => (word.endsWith('*') ? `${word.slice(0, -1)}[\\p{L}\\p{N}_]*` : word))
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${patterns.join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
}

/** The text in parts; together they are the text. */
export function partsOf(text: string, search: string): TextPart[] {
  const hits = hitsOf(search)
  const parts: TextPart[] = []
  let end = 0
  for (const { index, 0: hit } of hits ? text.matchAll(hits).take(MOST_HITS) : []) {
    if (index > end) parts.push({ text: text.slice(end, index), isHit: false })
    parts.push({ text: hit, isHit: true })
    end = index + hit.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isHit: false })
  return parts
}
