// Tells those who wait for changes the number of a company's newest entry: at once after a commit of this process, and
// by asking the database again and again for the commits of others. It asks only while somebody listens: LISTEN of
// PostgreSQL does not pass poolers, and would cost the writers.

/** Called with the number of the newest entry; also when it is known already. */
type OnNewest = (entryNo: number) => void

export interface CommittedByOthers {
  /** How often the database is asked. */
  readonly everyMs: number
  /**
   * The newest entries of these companies; fewer where nothing has been committed since the last call, unless `isNew`:
   * somebody listens who did not then.
   */
  read(companyIds: readonly string[], isNew: boolean): Promise<ReadonlyMap<string, number>>
}

export class NewestEntries {
  readonly #others: CommittedByOthers
  readonly #listeners = new Map<string, Set<OnNewest>>()
  /** Whether somebody listens who has not been told by the database yet. */
  #hasNew = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(others: CommittedByOthers) {
    this.#others = others
  }

  /** Listens to a company's commits. Returns a function that ends it. */
  listen(companyId: string, listener: OnNewest): () => void {
    const listeners = this.#listeners.get(companyId) ?? new Set()
    this.#listeners.set(companyId, listeners.add(listener))
    this.#hasNew = true
    this.#schedule()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(companyId) === listeners) this.#listeners.delete(companyId)
      if (this.#listeners.size === 0) this.#rest()
    }
  }

  /** Called after each commit of this process. */
  readonly committed = (companyId: string, entryNo: number): void => {
    const listeners = this.#listeners.get(companyId)
    if (listeners) for (const tell of listeners) tell(entryNo)
  }

  close(): void {
    this.#isClosed = true
    this.#rest()
  }

  #schedule(): void {
    if (this.#isClosed || this.#timer || this.#listeners.size === 0) return
    this.#timer = setTimeout(() => void this.#ask(), this.#others.everyMs)
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #ask(): Promise<void> {
    const isNew = this.#hasNew
    this.#hasNew = false
    try {
      const newest = await this.#others.read([...this.#listeners.keys()], isNew)
      for (const [companyId, entryNo] of newest) this.committed(companyId, entryNo)
    } catch {
      // The requests that need the store report that it does not answer.
      this.#hasNew = true
    } finally {
      this.#timer = undefined
      this.#schedule()
    }
  }
}
