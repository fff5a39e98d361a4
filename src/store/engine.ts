// The few places where fixed statements differ between engines, as SQL text over SQL text.

/** What an engine's SQL is called for the same thing. Texts given and returned are SQL expressions, never values. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /** A JSON object with these members in this order, compact. */
  jsonObject(members: readonly (readonly [name: string, expression: string])[]): string
  /** A JSON array of one expression over an ordered subselect (`from` includes FROM, WHERE and ORDER BY); `[]` when empty. */
  jsonList(item: string, from: string, orderBy: string): string
  /** A stored JSON text as part of a larger one. */
  jsonPart(column: string): string
  /** A double as a JSON number, without a trailing `.0`. */
  jsonNumber(column: string): string
  /** An integer column that is 0 or 1 as a JSON boolean. */
  jsonFlag(column: string): string
}
