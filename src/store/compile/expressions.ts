// What differs between engines in the SQL of a query: one small interface, implemented beside each engine's other files.
import type { BoundType } from '../../query/bound.ts'
import type { SqlValue } from '../statement.ts'

/** Texts given and returned are SQL expressions, never values. */
export interface Expressions {
  /** The placeholder of the n-th parameter (from 1), of this type. */
  placeholder(position: number, type: BoundType): string
  /** A value as it is bound. */
  bindable(value: string | number | boolean): SqlValue
  quote(identifier: string): string
  /** Where `part` begins in `whole`, from 1; 0 when it is not in it. */
  indexOf(whole: string, part: string): string
  /** A text with each letter replaced by its lower or upper case, one character for one. */
  fold(text: string, to: 'lower' | 'upper', bind: (value: string) => string): string
  /** A boolean column as a condition. */
  condition(column: string): string
  /** The statement that answers all rows of `from` as one JSON array; `columns` are the SQL of the JSON names in order. */
  jsonArray(members: readonly JsonMember[], from: string): string
}

export type JsonMember =
  | { readonly name: string; readonly column: string; readonly type: BoundType }
  | { readonly name: string; readonly members: readonly JsonMember[] }
