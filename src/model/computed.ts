// Values that are computed of other values of a record, and of its lines, whenever they are read. Numbers are exact.
import type { Column, LinesProperty, ValueType } from './document.ts'

/** The source of a property that no column has. */
export interface Computed {
  readonly computed: Term
}

interface Typed {
  readonly type: ValueType
  /** The decimal places of a number. */
  readonly scale: number
  /** Of a text, in characters. */
  readonly maxLength: number
}

interface PropertyTerm extends Typed {
  readonly kind: 'property'
  /** In lower case, such as `payment/days`. */
  readonly path: string
  readonly source: Column | Computed
}

/** A text, or a number in units of its last digit. */
interface LiteralTerm extends Typed {
  readonly kind: 'literal'
  readonly value: string | bigint
}

export type ComputedFunction =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'round'
  | 'days'
  | 'concat'
  | 'length'
  | 'tolower'
  | 'toupper'
  | 'trim'
  | 'year'
  | 'month'
  | 'day'

interface CallTerm extends Typed {
  readonly kind: 'call'
  readonly name: ComputedFunction
  readonly args: readonly Term[]
}

/** The number of lines of a record, or the sum of something of each. */
export interface LinesTerm extends Typed {
  readonly kind: 'lines'
  readonly path: string
  readonly lines: LinesProperty
  readonly sumOf: Term | undefined
}

export type Term = PropertyTerm | LiteralTerm | CallTerm | LinesTerm

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
