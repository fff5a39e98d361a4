// What a computed value is made of.
import type { LinesProperty, Term } from './document.ts'

/** Every term within one, and itself. */
export function* termsIn(term: Term): Generator<Term, void, void> {
  yield term
  if (term.kind === 'call') for (const arg of term.args) yield* termsIn(arg)
  if (term.kind === 'property' && 'computed' in term.source) yield* termsIn(term.source.computed)
  if (term.kind === 'lines' && term.sumOf) yield* termsIn(term.sumOf)
}

/** The lines that a value is computed of. */
export function linesOfTerm(term: Term): LinesProperty[] {
  return [...termsIn(term)].flatMap((one) => (one.kind === 'lines' ? [one.lines] : []))
}
