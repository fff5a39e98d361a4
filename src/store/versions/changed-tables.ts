// The tables changed by the writes of a transaction. Each gets a new version before the commit, once for all writes. A
// rejected write contributes nothing.

type Renew = (companyId: string, tables: ReadonlySet<string>) => void

export class ChangedTables {
  readonly #renew: Renew
  readonly #onRenewed: () => void
  #isRenewed = false
  /** The tables changed by accepted writes, by company. */
  readonly #accepted = new Map<string, Set<string>>()
  /** The tables changed by the current write, by company. */
  readonly #current = new Map<string, Set<string>>()

  /** `onRenewed` is called when new versions are durable, before any caller is answered. */
  constructor(renew: Renew, onRenewed: () => void = () => {}) {
    this.#renew = renew
    this.#onRenewed = onRenewed
  }

  add(companyId: string, tables: readonly string[]): void {
    addTo(this.#current, companyId, tables)
  }

  acceptWrite(): void {
    for (const [companyId, tables] of this.#current) addTo(this.#accepted, companyId, tables)
    this.#current.clear()
  }

  undoWrite(): void {
    this.#current.clear()
  }

  flush(): void {
    this.acceptWrite()
    for (const [companyId, tables] of this.#accepted) this.#renew(companyId, tables)
    this.#isRenewed = this.#accepted.size > 0
    this.reset()
  }

  committed(): void {
    if (this.#isRenewed) this.#onRenewed()
    this.#isRenewed = false
  }

  reset(): void {
    this.#accepted.clear()
    this.#current.clear()
  }
}

function addTo(all: Map<string, Set<string>>, companyId: string, tables: Iterable<string>): void {
  let tableSet = all.get(companyId)
  if (!tableSet) {
    tableSet = new Set()
    all.set(companyId, tableSet)
  }
  for (const table of tables) tableSet.add(table)
}
