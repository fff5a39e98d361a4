// The tables that the writes of a shared transaction change: each gets another version before the commit, once for all
// writes. Of a refused write nothing is left to tell.

export class ChangedTables {
  readonly #renew: (companyId: string, tables: ReadonlySet<string>) => void
  /** By company. */
  readonly #kept = new Map<string, Set<string>>()
  /** Of the write at hand. */
  readonly #current = new Map<string, Set<string>>()

  constructor(renew: (companyId: string, tables: ReadonlySet<string>) => void) {
    this.#renew = renew
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
    this.forget()
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
