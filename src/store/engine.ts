// The few places where fixed statements differ between engines, as SQL text over SQL text.

import type { RawBuilder } from 'kysely'

/** What an engine's SQL is called for the same thing. Texts given and returned are SQL expressions, never values. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /** A JSON object with these members in this order, compact. */
  jsonObject(members: readonly (readonly [name: string, expression: string])[]): string
  /**
   * A JSON array of one expression over an ordered subselect (`from` includes FROM, WHERE and ORDER BY); `[]` when
   * empty.
   */
  jsonList(item: string, from: string, orderBy: string): string
  /** A stored JSON text as part of a larger one. */
  jsonPart(column: string): string
  /** A double as a JSON number, without a trailing `.0`. */
  jsonNumber(column: string): string
  /** A decimal as a JSON number, in its shortest form. */
  jsonDecimal(column: string, scale: number): string
  /** What a column of decimals is set to by a parameter in units of the last digit. */
  decimal(parameter: RawBuilder<never>, scale: number): RawBuilder<never>
  /** An integer column that is 0 or 1 as a JSON boolean. */
  jsonFlag(column: string): string
}
