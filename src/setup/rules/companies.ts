// The companies with their rules in force. Applying a setup replaces all of them at once.
import type { CompanyRules } from './rules.ts'

export class Companies {
  #byId = new Map<string, CompanyRules>()

  /** The version of the setup that they are of. */
  setupVersion = 0

  replace(companies: Iterable<CompanyRules>, setupVersion: number): void {
    this.setupVersion = setupVersion
    this.#byId = new Map([...companies].map((company) => [company.id.toLowerCase(), company]))
  }

  get size(): number {
    return this.#byId.size
  }

  get all(): readonly CompanyRules[] {
    return [...this.#byId.values()]
  }

  find(companyId: string): CompanyRules | undefined {
    return this.#byId.get(companyId.toLowerCase())
  }

  /** The company, if there is exactly one. */
  get only(): CompanyRules | undefined {
    return this.#byId.size === 1 ? this.#byId.values().next().value : undefined
  }

  /** The rules of a company that the caller has access to; the id is case-insensitive. */
  require(companyId: string): CompanyRules {
    const company = this.find(companyId)
    if (!company) throw new Error(`a role names the company ${companyId}, which is not set up`)
    return company
  }
}
