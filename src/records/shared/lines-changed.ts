// Which lines of a record a write has changed: the entry of the record says so, because those of the lines may be far
// away, or out of sight. The text before has a further member for each, which no stored record has.

const CHANGED = /(?:,"\w+":\{\})+\}$/

/** The text of a record before a write that changes some of its lines. */
export function withLinesChanged(before: string, names: readonly string[]): string {
  return `${before.slice(0, -'}'.length)}${names.map((name) => `,${JSON.stringify(name)}:{}`).join('')}}`
}

/** The text of a record, and the names of the lines that were changed with it. */
export function linesChangedIn(before: string): { readonly text: string; readonly lines: readonly string[] } {
  const [found] = before.endsWith('{}}') ? (CHANGED.exec(before) ?? []) : []
  if (found === undefined) return { text: before, lines: [] }
  const lines = Object.keys(JSON.parse(`{${found.slice(','.length)}`))
  return { text: `${before.slice(0, -found.length)}}`, lines }
}
