// How SQLite itself would search a table whose indexes are not ours, read from its query plan.

/** How the rows of the document's own table are found. */
export interface PlanSearch {
  /** The columns by which an index is searched. */
  readonly columns: ReadonlySet<string>
  /** How many bounds it is searched by. */
  readonly bounds: number
  /** Whether the rows are found in the order that is wanted. */
  readonly isInOrder: boolean
}

/** Reads rows of `explain query plan`: nothing when the document's own table (`t`) or another is scanned. */
export function searchOf(rows: readonly unknown[]): PlanSearch | undefined {
  const steps = (rows as readonly (readonly [id: number, parent: number, unused: number, detail: string])[]).map(
    ([, , , detail]) => detail,
  )
  let found: Pick<PlanSearch, 'columns' | 'bounds'> | undefined
  let isInOrder = true
  for (const step of steps) {
    if (step.startsWith('USE TEMP B-TREE')) isInOrder = false
    if (step.startsWith('SCAN') && !/^SCAN (\(|i\d+ VIRTUAL TABLE)/.test(step)) return undefined
    const own = /^SEARCH t USING .*\((.*)\)/.exec(step)
    if (!own) continue
    const bounds = (own[1] ?? '').split(' AND ')
    found = { columns: new Set(bounds.map((bound) => bound.replace(/[<>=]+\?$/, ''))), bounds: bounds.length }
  }
  return found && { ...found, isInOrder }
}
