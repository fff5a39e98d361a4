// The companies of the setup in force. Applying a setup replaces all of them at once. The rules of a company are made
// from its items when they are first asked for, and those that were asked for last are kept.
import { LRUCache } from 'lru-cache'
import type { FigureSetup, HoldSetup } from '../file/setup-schema.ts'
import type { Quotas } from './quotas.ts'
import type { CompanyRules } from './rules.ts'

/** What is known of a company without its rules. */
export interface KnownCompany {
  readonly id: string
  readonly name: string
  /** The colour of the console. */
  readonly accent?: string | undefined
  /** On the first page of the console. */
  readonly figures?: readonly FigureSetup[] | undefined
  readonly quotas: Quotas
  readonly journalKept: string | undefined
  readonly holds: readonly HoldSetup[]
  /** Whether it is a mirror of an ERP system. */
  readonly hasSource: boolean
}

export interface StoredCompany extends KnownCompany {
  makeRules(): CompanyRules
}

/** Those of a company with long value lists take a megabyte. */
const MOST_KEPT = 100

export class Companies {
  #byId = new Map<string, StoredCompany>()
  readonly #rules = new LRUCache<string, CompanyRules>({ max: MOST_KEPT })

  setupVersion = 0

  replace(companies: Iterable<StoredCompany>, setupVersion: number): void {
    this.setupVersion = setupVersion
    this.#byId = new Map([...companies].map((company) => [company.id.toLowerCase(), company]))
    this.#rules.clear()
  }

  get size(): number {
    return this.#byId.size
  }

  /** How many companies have their rules in memory. */
  get loaded(): number {
    return this.#rules.size
  }

  get all(): readonly KnownCompany[] {
    return [...this.#byId.values()]
  }

  /** The company with this id, which is case-insensitive. */
  known(companyId: string): KnownCompany | undefined {
    return this.#byId.get(companyId.toLowerCase())
  }

  find(companyId: string): CompanyRules | undefined {
    const id = companyId.toLowerCase()
    const kept = this.#rules.get(id)
    if (kept) return kept
    const made = this.#byId.get(id)?.makeRules()
    if (made) this.#rules.set(id, made)
    return made
  }

  /** Some company, for what is described alike for all. */
  get first(): CompanyRules | undefined {
    const [first] = this.#byId.keys()
    return first === undefined ? undefined : this.find(first)
  }

  /** The company, if there is exactly one. */
  get only(): CompanyRules | undefined {
    return this.#byId.size === 1 ? this.first : undefined
  }

  /** The rules of a company that the caller has access to. */
  require(companyId: string): CompanyRules {
    const company = this.find(companyId)
    if (!company) throw new Error(`a role names the company ${companyId}, which is not set up`)
    return company
  }
}
