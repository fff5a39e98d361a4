// What stands in an index of PostgreSQL, where an entry has at most 2,704 bytes. Of a long text it has the start: one
// index has it as a `name`, by which rows are found, since row-level security lets an index find by leakproof functions
// alone; another has it by `left`, which comes in the order of the texts.

import { successorOf } from '../../../compile/successor.ts'
import type { OrderIndex } from '../../../indexes/setup-index.ts'
import { quote } from '../../../quote.ts'

/** In characters, of four bytes at most. */
const START_LENGTH = 100
/** PostgreSQL cuts a name behind the last character that ends here. */
const NAME_BYTES = 63
const CHARACTER_BYTES = 4
/** The next character of every text that begins with so many bytes is whole in its name. */
const WHOLE_BYTES = NAME_BYTES - CHARACTER_BYTES + 1
/** Less the header of an entry. */
const ENTRY_BYTES = 2_688
/** Its length stands before a text, and blanks for alignment. */
const TEXT_OVERHEAD = 8

export const nameOf = (text: string): string => `(${text})::name`

export const startOf = (text: string): string => `left(${text}, ${START_LENGTH})`

/**
 * What holds between the name of a text and another text where the operator holds between the texts; nothing where
 * nothing does.
 */
export function boundOfName(op: '>' | '>=' | '<' | '<=', value: string): { op: string; value: string } | undefined {
  const whole = wholeStart(value)
  if (op === '>' || op === '>=') return { op: '>=', value: whole }
  if (whole === value) return { op, value }
  const successor = successorOf(whole)
  return successor === undefined ? undefined : { op: '<', value: successor }
}

function wholeStart(text: string): string {
  let bytes = 0
  let start = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > WHOLE_BYTES) return start
    start += character
  }
  return start
}

/**
 * The columns of an index as far as they fit; the last of the long ones in the order of its texts where that is asked.
 */
export function indexTerms({ columns, starts = [], lengths }: OrderIndex, isForOrder = false): string[] {
  const ordered = isForOrder ? starts.at(-1) : undefined
  let left = ENTRY_BYTES
  const terms = columns.map((column, at) => {
    const text = quote(column)
    const [term, bytes] = starts.includes(column)
      ? column === ordered
        ? [startOf(text), START_LENGTH * CHARACTER_BYTES]
        : [`(${nameOf(text)})`, NAME_BYTES]
      : [text, (lengths[at] ?? 0) * CHARACTER_BYTES]
    left -= bytes + TEXT_OVERHEAD
    return left >= 0 ? [term] : []
  })
  return terms.flat()
}
