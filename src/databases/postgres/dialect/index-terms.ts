// The expressions in a PostgreSQL index, whose entries are limited to 2,704 bytes. A long text is indexed by a prefix:
// one index has it as a `name`, by which rows are found, because row-level security permits only leakproof functions in
// index searches; another has it by `left`, which preserves the order of the texts.

import { quote } from '../../../sql/dialect.ts'
import { successorOf } from '../../../sql/rows/successor.ts'
import type { OrderIndex } from '../../../sql/setup-index.ts'

/** In characters of at most four bytes. */
const START_LENGTH = 100
/** PostgreSQL truncates a name after the last character that ends within this length. */
const NAME_BYTES = 63
const CHARACTER_BYTES = 4
/** After a prefix of this length, a further character always fits completely into the name. */
const WHOLE_BYTES = NAME_BYTES - CHARACTER_BYTES + 1
/** The maximum size of an entry without its header. */
const ENTRY_BYTES = 2_688
/** A text is preceded by its length and by alignment padding. */
const TEXT_OVERHEAD = 8

export const nameOf = (text: string): string => `(${text})::name`

export const startOf = (text: string): string => `left(${text}, ${START_LENGTH})`

/**
 * Translates a comparison between texts into one that then holds between the name of the first text and a text;
 * undefined when there is none.
 */
export function boundOfName(op: '>' | '>=' | '<' | '<=', value: string): { op: string; value: string } | undefined {
  const prefix = namePrefix(value)
  if (op === '>' || op === '>=') return { op: '>=', value: prefix }
  if (prefix === value) return { op, value }
  const successor = successorOf(prefix)
  return successor === undefined ? undefined : { op: '<', value: successor }
}

function namePrefix(text: string): string {
  let bytes = 0
  let start = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > WHOLE_BYTES) return start
    start += character
  }
  return start
}

/** The columns of an index, as far as they fit. With `isForOrder`, the last of the long texts is in text order. */
export function indexTerms({ columns, starts = [], lengths }: OrderIndex, isForOrder = false): string[] {
  const ordered = isForOrder ? starts.at(-1) : undefined
  let remainingBytes = ENTRY_BYTES
  const terms = columns.map((column, at) => {
    const text = quote(column)
    const [term, bytes] = starts.includes(column)
      ? column === ordered
        ? [startOf(text), START_LENGTH * CHARACTER_BYTES]
        : [`(${nameOf(text)})`, NAME_BYTES]
      : [text, (lengths[at] ?? 0) * CHARACTER_BYTES]
    remainingBytes -= bytes + TEXT_OVERHEAD
    return remainingBytes >= 0 ? [term] : []
  })
  return terms.flat()
}
