// What callers see of attribute relations.
import type { Caller } from '../../access/caller.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { recordAccess } from '../shared/access/record-access.ts'

/** The caller's access to single relations for an operation. */
export function relationAccess(
  caller: Caller,
  company: CompanyRules,
  operation: 'create' | 'read' | 'update' | 'delete',
) {
  return recordAccess(caller, company, `attribute-relations:${operation}`, AttributeRelation.document)
}
