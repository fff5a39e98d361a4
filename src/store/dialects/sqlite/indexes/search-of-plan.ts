// Reads from SQLite's query plan how it would search an external table.

/** How the rows of the document's table are found. */
export interface PlanSearch {
  /** The columns by which an index is searched. */
  readonly columns: ReadonlySet<string>
  /** The number of bounds of the search. */
  readonly bounds: number
  /** Whether the rows are found in the requested order. */
  readonly isInOrder: boolean
}

/** Parses rows of `explain query plan`; undefined when the document's table (`t`) or another one is scanned. */
export function searchOf(rows: readonly unknown[]): PlanSearch | undefined {
  const steps = (rows as readonly (readonly [id: number, parent: number, unused: number, detail: string])[]).map(
    ([, , , detail]) => detail,
  )
  let found: Pick<PlanSearch, 'columns' | 'bounds'> | undefined
  let isInOrder = true
  for (const step of steps) {
    if (step.startsWith('USE TEMP B-TREE')) isInOrder = false
    if (step.startsWith('SCAN') && !/^SCAN (\(|i\d+ VIRTUAL TABLE)/.test(step)) return undefined
    const search = /^SEARCH t USING .*\((.*)\)/.exec(step)
    if (!search) continue
    const bounds = (search[1] ?? '').split(' AND ')
    found = { columns: new Set(bounds.map((bound) => bound.replace(/[<>=]+\?$/, ''))), bounds: bounds.length }
  }
  return found && { ...found, isInOrder }
}
