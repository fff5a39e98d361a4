// The Enterprise Documents that are served: each a definition for every company, and what its endpoint takes beside the
// query options.
import type { ParameterText } from '../http/edge.ts'
import type { QueryPairs } from '../http/query-string.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { Plan } from '../query/plan.ts'
import type { CompanyRules } from '../setup/rules.ts'
import type { Scope } from '../store/store.ts'

export interface EnterpriseDocument {
  /** What all companies have in common: for the description. */
  readonly common: DocumentDefinition
  /** For one company; the same object each time while the company's rules are the same. */
  of(company: CompanyRules): DocumentDefinition
  readonly parameters?: readonly ParameterText[]
  /** What an answer depends on beside the records, such as the day; looked at each time. */
  timeOf?(company: CompanyRules): string
  /** Which rows of the company are meant, beside the filter. Throws 400 when the parameters do not say. */
  scopeOf?(query: QueryPairs, plan: Plan): Scope
}

/** A document that is the same for every company. */
export function sameForAll(definition: DocumentDefinition, scope?: Scope): EnterpriseDocument {
  return { common: definition, of: () => definition, ...(scope ? { scopeOf: () => scope } : {}) }
}

/** A document with what is added to its definition while it is served; `add` gives the same object for the same. */
export function withAdded(
  document: EnterpriseDocument,
  add: (definition: DocumentDefinition) => DocumentDefinition,
): EnterpriseDocument {
  return { ...document, of: (company) => add(document.of(company)) }
}

/** A document whose definition depends on a company's rules, made once for each. */
export function forEachCompany(make: (company: CompanyRules | undefined) => DocumentDefinition): EnterpriseDocument {
  const made = new WeakMap<CompanyRules, DocumentDefinition>()
  return {
    common: make(undefined),
    of: (company) => {
      let definition = made.get(company)
      if (!definition) {
        definition = make(company)
        made.set(company, definition)
      }
      return definition
    },
  }
}
