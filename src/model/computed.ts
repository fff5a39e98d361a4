// What a computed value is made of, and what queries compute of lists.
import { memo } from '../base/memo.ts'
import {
  isLines,
  type LinesProperty,
  type LinesTerm,
  type ListProperty,
  type Term,
  type ValueProperty,
  value,
} from './document.ts'

/** Every term within one, and itself. */
export function* termsIn(term: Term): Generator<Term, void, void> {
  yield term
  if (term.kind === 'call') for (const arg of term.args) yield* termsIn(arg)
  if (term.kind === 'property' && 'computed' in term.source) yield* termsIn(term.source.computed)
  if (term.kind === 'lines' && term.sumOf) yield* termsIn(term.sumOf)
}

/** The lines that a value is computed of. */
export function linesOfTerm(term: Term): LinesProperty[] {
  return [...termsIn(term)].flatMap((one) => (one.kind === 'lines' && isLines(one.lines) ? [one.lines] : []))
}

/** The number of items of a list. */
export const countOf = memo(
  (list: ListProperty): ValueProperty =>
    value('integer', { computed: ofItems(list, undefined, { type: 'integer', scale: 0 }) }),
)

/** The sum of an integer or a decimal of each item of a list. */
export function sumOf(list: ListProperty, { source, type, scale = 0 }: ValueProperty): ValueProperty {
  const each = { kind: 'property', path: '', source, type, scale, maxLength: 0 } as const
  return value('exact', { computed: ofItems(list, each, { type: 'exact', scale }) }, { scale })
}

/** It is of a list that the caller sees, so nothing asks for the path. */
function ofItems(lines: ListProperty, sumOf: Term | undefined, of: Pick<LinesTerm, 'type' | 'scale'>): LinesTerm {
  return { kind: 'lines', path: '', lines, sumOf, ...of, maxLength: 0 }
}
