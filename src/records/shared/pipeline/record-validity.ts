import type { Caller, ReadRequest } from '../../../access/caller.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import type { Reading } from '../../../store/versions/table-versions.ts'
import type { RecordAccess } from '../access/record-access.ts'
import type { Service } from '../service.ts'

/**
 * The validity of a single record: until data changes that the record or an access rule depends on. `readings` are the
 * statements that read the record, without those that check the caller's access.
 */
export function validityOfRecord(
  { store, companies }: Service,
  { caller, companyId }: ReadRequest,
  readings: readonly Reading[],
  accessFor: (caller: Caller, company: CompanyRules, operation: 'read') => RecordAccess,
) {
  const company = companies.require(companyId)
  return store.validityOf(company.id, [...readings, ...accessFor(caller, company, 'read').readings])
}
