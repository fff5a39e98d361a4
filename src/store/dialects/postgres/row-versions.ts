// The versions of tables as the database has them now. Requests that come while it is being asked share the next
// question, which is asked after all of them have come: many repeats at once cost one round trip.
import type { Validity } from '../../../base/validity.ts'
import { tagOf } from '../../versions/table-versions.ts'

type Versions = ReadonlyMap<string, number>

export class RowVersions {
  readonly #read: (companyId: string) => Promise<Versions>
  /** By company: the question that is under way. */
  readonly #asking = new Map<string, Promise<Versions>>()
  /** By company: the question that is asked when that one is answered. */
  readonly #next = new Map<string, Promise<Versions>>()

  constructor(read: (companyId: string) => Promise<Versions>) {
    this.#read = read
  }

  /** The state of the tables as it is now. */
  async validityOf(companyId: string, tables: readonly string[]): Promise<Validity> {
    const now = async () => {
      const versions = await this.#ask(companyId)
      return tagOf(tables, (table) => versions.get(table))
    }
    const tag = await now()
    return { tag, isCurrent: async () => (await now()) === tag }
  }

  #ask(companyId: string): Promise<Versions> {
    const known = this.#next.get(companyId)
    if (known) return known
    const before = this.#asking.get(companyId)
    if (!before) return this.#begin(companyId)
    const begin = () => {
      this.#next.delete(companyId)
      return this.#begin(companyId)
    }
    const next = before.then(begin, begin)
    this.#next.set(companyId, next)
    return next
  }

  #begin(companyId: string): Promise<Versions> {
    const asking = this.#read(companyId).finally(() => this.#asking.delete(companyId))
    this.#asking.set(companyId, asking)
    return asking
  }
}
