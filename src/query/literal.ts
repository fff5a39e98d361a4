/** A text as the query language writes it. */
export function literalOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
