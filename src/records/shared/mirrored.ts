// Companies that are mirrors of an ERP system take no writes of their own: these are made there.
import { coded } from '../../errors/catalogue.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

/** Throws 403, with the address of the source, for a mirror. */
export function requireOwnRecords({ id, source }: Pick<CompanyRules, 'id' | 'source'>): void {
  if (source) throw coded(403, 2030, `Company ${id} is a mirror of ${source.url}: write there.`)
}
