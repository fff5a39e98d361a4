// Served Enterprise Documents: each has a definition for every company and the parameters of its endpoint that are not
// query options.

import { memo } from '../base/memo.ts'
import type { QueryPairs } from '../base/text.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { ParameterDescription } from '../model/option-texts.ts'
import type { Plan } from '../query/plan.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'

export interface EnterpriseDocument {
  /** The definition common to all companies, for the API description. */
  readonly common: DocumentDefinition
  /** The definition for one company; the same object as long as the company's rules are the same. */
  of(company: CompanyRules): DocumentDefinition
  readonly parameters?: readonly ParameterDescription[]
  /** A value other than the records that responses depend on, such as the day. It is compared for each request. */
  timeOf?(company: CompanyRules): string
  /**
   * Further conditions on the rows of the company from the parameters. Throws 400 if a required parameter is missing.
   */
  scopeOf?(query: QueryPairs, plan: Plan): KeyFilter
}

/** A document that is the same for every company. */
export function sameForAll(definition: DocumentDefinition, scope?: KeyFilter): EnterpriseDocument {
  return { common: definition, of: () => definition, ...(scope ? { scopeOf: () => scope } : {}) }
}

/** A document with an extended definition; `add` must return the same object for the same definition. */
export function withExtension(
  document: EnterpriseDocument,
  add: (definition: DocumentDefinition) => DocumentDefinition,
): EnterpriseDocument {
  return {
    ...document,
    get common() {
      return document.common
    },
    of: (company) => add(document.of(company)),
  }
}

/** A document whose definition depends on a company's rules; it is created once for each company. */
export function forEachCompany(make: (company: CompanyRules | undefined) => DocumentDefinition): EnterpriseDocument {
  return { common: make(undefined), of: memo((company: CompanyRules) => make(company)) }
}
