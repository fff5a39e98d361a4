// The Enterprise Document of attribute values, and what callers see of it.

import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { recordAccess } from '../shared/record-access.ts'
import type { RecordOperation } from '../shared/record-type.ts'

/** The definition for the collection of one attribute: the fields of the resource without its lists. */
export const baseDataOf = memo((definition: DocumentDefinition): DocumentDefinition => {
  const { lastUpdated: _when, contactPoints: _points, relatedValues: _related, ...properties } = definition.properties
  return { ...definition, properties }
})

/** The caller's access to single values for an operation. */
export function valueAccess(caller: Caller, company: CompanyRules, operation: RecordOperation) {
  return recordAccess(caller, company, `attribute-values:${operation}`, AttributeValue.document)
}
