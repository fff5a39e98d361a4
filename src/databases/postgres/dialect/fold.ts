// Case folding at a cost that grows with the text alone: `translate` would search its list for each letter.
import { casePairs } from '../../../sql/rows/case-pairs.ts'

interface FoldedLetters {
  /** A regular expression for the letters beyond ASCII that have another case. */
  readonly pattern: string
  /** The other case of each: a JSON object. */
  readonly pairs: string
}

const known: { lower?: FoldedLetters; upper?: FoldedLetters } = {}

function lettersOf(to: 'lower' | 'upper'): FoldedLetters {
  const pairs = [...casePairs(to)].filter(([letter]) => letter > '\x7f')
  return { pattern: `[${pairs.map(([letter]) => letter).join('')}]`, pairs: JSON.stringify(Object.fromEntries(pairs)) }
}

/**
 * ASCII is folded by the collation "C", which leaves everything else. Where a letter beyond it has another case, the
 * characters are looked up one by one. `offset 0` keeps the text expression, which occurs several times, from being
 * inlined and computed several times.
 */
export function folded(
  text: string,
  to: 'lower' | 'upper',
  bind: (value: string, type: 'string' | 'json') => string,
): string {
  known[to] ??= lettersOf(to)
  const { pattern, pairs } = known[to]
  const other = `coalesce((${bind(pairs, 'json')})::jsonb ->> c, c)`
  const characters = `string_to_table(${to}(v collate "C"), null) c`
  const lookedUp = `(select string_agg(case when octet_length(c) = 1 then c else ${other} end, '') from ${characters})`
  const isPlain = `octet_length(v) = length(v) or v !~ ${bind(pattern, 'string')}`
  return `(select case when ${isPlain} then ${to}(v collate "C") else ${lookedUp} end from (select ${text} as v offset 0) f)`
}
