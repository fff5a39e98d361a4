// The parts of fixed statements that differ between engines, as functions from SQL text to SQL text.

import type { RawBuilder } from 'kysely'

/** Engine-specific SQL. Arguments and results are SQL expressions, never values. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /** A compact JSON object with these members in this order. */
  jsonObject(members: readonly (readonly [name: string, expression: string])[]): string
  /**
   * A JSON array of one expression over an ordered subselect (`from` includes FROM, WHERE and ORDER BY); `[]` when
   * there are no rows.
   */
  jsonList(item: string, from: string, orderBy: string): string
  /** A stored JSON text embedded in a larger one. */
  jsonPart(column: string): string
  /** A double as a JSON number, without a trailing `.0`. */
  jsonNumber(column: string): string
  /** A decimal as a JSON number, in its shortest form. */
  jsonDecimal(column: string, scale: number): string
  /** The value of a decimal column, from a parameter in units of the last digit. */
  decimal(parameter: RawBuilder<never>, scale: number): RawBuilder<never>
  /** An integer column that is 0 or 1, as a JSON boolean. */
  jsonFlag(column: string): string
}
