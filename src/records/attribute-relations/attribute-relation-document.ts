// The Enterprise Document of attribute relations, for the query engine.
import type { Caller } from '../../access/caller.ts'
import { type DocumentDefinition, lastUpdated, value } from '../../model/document.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { recordAccess } from '../shared/access/record-access.ts'

const attributeJoin = (table: string, attributeColumn: string) => ({
  [table]: {
    table: 'attribute',
    on: [
      [{ column: 'company_id' }, 'company_id'],
      [{ column: attributeColumn }, 'attribute_id'],
    ] as const,
  },
})

const asInteger = { column: 'attribute_value', storedAs: 'integer-text' } as const

export const attributeRelationDocument = {
  name: 'attribute-relations',
  version: 1,
  description: 'A link between values of two attributes, with its validity and share.',
  table: 'attribute_relation',
  companyColumn: 'company_id',
  joins: { ...attributeJoin('a', 'attribute_id'), ...attributeJoin('r', 'related_attribute_id') },
  key: ['companyId', 'attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
  indexes: [
    {
      name: 'attribute_relation_related',
      columns: ['company_id', 'relation_value', 'related_attribute_id', 'attribute_id', 'attribute_value'],
    },
  ],
  properties: {
    attributeId: value('string', 'attribute_id', { maxLength: 25 }),
    attributeName: value('string', { table: 'a', column: 'name' }, { maxLength: 100 }),
    attributeValue: value('string', 'attribute_value', {
      maxLength: 255,
      codes: { attributeIdIn: { column: 'attribute_id' } },
    }),
    attributeValueFrom: value('integer', asInteger, { description: 'The value, when it is an integer; else 0.' }),
    attributeValueTo: value('integer', asInteger, { description: 'As attributeValueFrom.' }),
    companyId: value('string', 'company_id', { maxLength: 25 }),
    dateFrom: value('date-time', 'date_from'),
    dateTo: value('date-time', 'date_to'),
    lastUpdated,
    percentage: value('number', 'percentage'),
    relatedAttributeId: value('string', 'related_attribute_id', { maxLength: 25 }),
    relatedAttributeName: value('string', { table: 'r', column: 'name' }, { maxLength: 100 }),
    relationValue: value('string', 'relation_value', {
      maxLength: 255,
      codes: { attributeIdIn: { column: 'related_attribute_id' } },
    }),
  },
} satisfies DocumentDefinition

/** The caller's access to single relations for an operation. */
export function relationAccess(
  caller: Caller,
  company: CompanyRules,
  operation: 'create' | 'read' | 'update' | 'delete',
) {
  return recordAccess(caller, company, `attribute-relations:${operation}`, attributeRelationDocument)
}
