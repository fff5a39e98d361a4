// Which lines of a record a write has changed: the entry of the record says so, because those of the lines may be far
// away, or out of sight. The text before has a further member for each, which is null: none of a record is.

const CHANGED = /(?:,"\w+":null)+\}$/

/** The text of a record before a write that changes some of its lines. */
export function withLinesChanged(before: string, names: readonly string[]): string {
  if (names.length === 0) return before
  return `${before.slice(0, -'}'.length)}${names.map((name) => `,${JSON.stringify(name)}:null`).join('')}}`
}

/** The text of a record, and the names of the lines that were changed with it. */
export function linesChangedIn(before: string): { readonly text: string; readonly lines: readonly string[] } {
  const [found] = before.endsWith('null}') ? (CHANGED.exec(before) ?? []) : []
  if (found === undefined) return { text: before, lines: [] }
  const lines = Object.keys(JSON.parse(`{${found.slice(','.length)}`))
  return { text: `${before.slice(0, -found.length)}}`, lines }
}
