// The tables that the writes of a transaction change: each gets another version before the commit, once for all writes.
// Of a refused write nothing is left to tell.

type Renew = (companyId: string, tables: ReadonlySet<string>) => void

export class ChangedTables {
  readonly #renew: Renew
  readonly #onRenewed: () => void
  #isRenewed = false
  /** By company. */
  readonly #kept = new Map<string, Set<string>>()
  /** Of the write at hand. */
  readonly #current = new Map<string, Set<string>>()

  /** `onRenewed` is called when other versions are on disk, before anybody is answered. */
  constructor(renew: Renew, onRenewed: () => void = () => {}) {
    this.#renew = renew
    this.#onRenewed = onRenewed
  }

  add(companyId: string, tables: readonly string[]): void {
    addTo(this.#current, companyId, tables)
  }

  keep(): void {
    for (const [companyId, tables] of this.#current) addTo(this.#kept, companyId, tables)
    this.#current.clear()
  }

  undo(): void {
    this.#current.clear()
  }

  flush(): void {
    this.keep()
    for (const [companyId, tables] of this.#kept) this.#renew(companyId, tables)
    this.#isRenewed = this.#kept.size > 0
    this.forget()
  }

  committed(): void {
    if (this.#isRenewed) this.#onRenewed()
    this.#isRenewed = false
  }

  forget(): void {
    this.#kept.clear()
    this.#current.clear()
  }
}

function addTo(all: Map<string, Set<string>>, companyId: string, tables: Iterable<string>): void {
  let known = all.get(companyId)
  if (!known) {
    known = new Set()
    all.set(companyId, known)
  }
  for (const table of tables) known.add(table)
}
