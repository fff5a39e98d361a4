// Finds the company and the document that a command line names. Errors suggest the nearest name.
import type { Records } from '../../../app/setup/open-records.ts'
import type { DocumentDefinition } from '../../../model/document.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { badUsage, unknownName } from '../../terminal/bad-usage.ts'

/** The named company, or the only one if no name is given. */
export function requireCompany({ service: { companies } }: Records, id: string | undefined): CompanyRules {
  const company = id === undefined ? companies.only : companies.find(id)
  if (company) return company
  if (companies.size === 0) throw new Error('no company is set up: run setup company.yaml first')
  const ids = companies.all.map((one) => one.id)
  if (id !== undefined) throw unknownName("option '--company'", 'company', id, ids)
  throw badUsage(`option '--company': there are several companies, name one`)
}

export function requireDocument({ documents }: Records, name: string, company: CompanyRules): DocumentDefinition {
  const found = documents.find(({ common }) => common.name === name)?.of(company)
  if (found) return found
  const names = documents.map(({ common }) => common.name)
  throw unknownName("argument 'document'", 'document', name, names)
}
