// The companies whose rules are in force, replaced as a whole when a setup is applied.
import type { CompanyRules } from './rules.ts'

export class Companies {
  #byId = new Map<string, CompanyRules>()

  replace(companies: Iterable<CompanyRules>): void {
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

  /** The only company, where there is one. */
  get only(): CompanyRules | undefined {
    return this.#byId.size === 1 ? this.#byId.values().next().value : undefined
  }

  /** The rules of a company that the caller is known to be allowed in, whatever the letter case of its id. */
  require(companyId: string): CompanyRules {
    const company = this.find(companyId)
    if (!company) throw new Error(`a role names the company ${companyId}, which is not set up`)
    return company
  }
}
