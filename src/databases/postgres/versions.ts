// Reads the current table versions from the database. Requests that arrive during a read share the next one, which
// starts after all of them: many concurrent requests cost one round trip.
import type { Validity } from '../../base/validity.ts'
import { tagOf } from '../../store/table-versions.ts'

/** By table; that of no table is the number of the company's last change. */
type Versions = ReadonlyMap<string, number>

export class RowVersions {
  readonly #read: (companyId: string) => Promise<Versions>
  /** The running read, by company. */
  readonly #running = new Map<string, Promise<Versions>>()
  /** The read that starts when the running one ends, by company. */
  readonly #next = new Map<string, Promise<Versions>>()

  constructor(read: (companyId: string) => Promise<Versions>) {
    this.#read = read
  }

  /** The current state of the tables. */
  async validityOf(companyId: string, tables: readonly string[]): Promise<Validity> {
    const tagIn = (versions: Versions) => tagOf(tables, (table) => versions.get(table))
    const initial = await this.#readShared(companyId)
    const tag = tagIn(initial)
    let changeNumber = initial.get('') ?? 0
    return {
      tag,
      get changeNumber() {
        return changeNumber
      },
      isCurrent: async () => {
        const versions = await this.#readShared(companyId)
        if (tagIn(versions) !== tag) return false
        changeNumber = versions.get('') ?? 0
        return true
      },
    }
  }

  #readShared(companyId: string): Promise<Versions> {
    const waiting = this.#next.get(companyId)
    if (waiting) return waiting
    const before = this.#running.get(companyId)
    if (!before) return this.#start(companyId)
    const start = () => {
      this.#next.delete(companyId)
      return this.#start(companyId)
    }
    const next = before.then(start, start)
    this.#next.set(companyId, next)
    return next
  }

  #start(companyId: string): Promise<Versions> {
    const running = this.#read(companyId).finally(() => this.#running.delete(companyId))
    this.#running.set(companyId, running)
    return running
  }
}
