// The Enterprise Document of attribute values, for the query engine.
import type { Caller } from '../../access/caller.ts'
import { type DocumentDefinition, lastUpdated, value } from '../../model/document.ts'
import { TEXT_LENGTHS } from '../../model/text-lengths.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { recordAccess } from '../shared/access/record-access.ts'
import { contactPoints, relatedValuesOn } from '../shared/master-data/lists.ts'

const attribute = (column: string) => ({ table: 'a', column })

/** The key columns within an attribute. */
const VALUE_KEY = ['attribute_value', 'period_from'] as const

export const attributeValueDocument = {
  name: 'attribute-values',
  version: 1,
  description: 'Master data: a value of an attribute in a range of periods.',
  table: 'attribute_value',
  companyColumn: 'company_id',
  joins: {
    a: {
      table: 'attribute',
      on: [
        [{ column: 'company_id' }, 'company_id'],
        [{ column: 'attribute_id' }, 'attribute_id'],
      ],
    },
    o: {
      table: 'attribute',
      on: [
        [{ column: 'company_id' }, 'company_id'],
        [attribute('owner_attribute_id'), 'attribute_id'],
      ],
    },
  },
  key: ['companyId', 'attributeId', 'attributeValue', 'periodFrom'],
  indexes: [
    {
      name: 'attribute_value_description',
      columns: ['company_id', 'attribute_id', 'description', ...VALUE_KEY],
      starts: ['description'],
    },
    {
      name: 'attribute_value_owner',
      columns: ['company_id', 'attribute_id', 'owner', ...VALUE_KEY],
      without: { column: 'owner', value: '' },
    },
    {
      name: 'attribute_value_status',
      columns: ['company_id', 'attribute_id', 'status', ...VALUE_KEY],
      without: { column: 'status', value: 'N' },
    },
  ],
  relationsOf: { attributeIdIn: { column: 'attribute_id' } },
  properties: {
    attributeId: value('string', 'attribute_id', { maxLength: 25 }),
    attributeName: value('string', attribute('name'), { maxLength: 100 }),
    attributeValue: value('string', 'attribute_value', { maxLength: 255 }),
    companyId: value('string', 'company_id', { maxLength: 25 }),
    customValue: value('number', 'custom_value'),
    description: value('string', 'description', { maxLength: TEXT_LENGTHS.description }),
    lastUpdated,
    owner: value('string', 'owner', {
      maxLength: TEXT_LENGTHS.owner,
      codes: { attributeIdIn: attribute('owner_attribute_id') },
    }),
    ownerAttributeId: value('string', attribute('owner_attribute_id'), { maxLength: 25 }),
    ownerAttributeName: value('string', { table: 'o', column: 'name' }, { maxLength: 100 }),
    periodFrom: value('integer', 'period_from', { description: 'yyyypp; 0 is open.' }),
    periodTo: value('integer', 'period_to', { description: 'yyyypp; 209912 is open.' }),
    status: value('string', 'status', {
      description: 'N active, P parked, C closed.',
      maxLength: 1,
      codes: { valueList: 'STATUS' },
    }),
    contactPoints,
    relatedValues: relatedValuesOn([
      ['company_id', 'company_id'],
      ['attribute_id', 'attribute_id'],
      ['attribute_value', 'attribute_value'],
    ]),
  },
} satisfies DocumentDefinition

/** The definition for the collection of one attribute: the fields of the resource without its lists. */
export function baseDataOf(definition: DocumentDefinition): DocumentDefinition {
  let base = baseDefinitions.get(definition)
  if (!base) {
    const { lastUpdated: _when, contactPoints: _points, relatedValues: _related, ...properties } = definition.properties
    base = { ...definition, properties }
    baseDefinitions.set(definition, base)
  }
  return base
}

const baseDefinitions = new WeakMap<DocumentDefinition, DocumentDefinition>()

/** The caller's access to single values for an operation. */
export function valueAccess(caller: Caller, company: CompanyRules, operation: 'create' | 'read' | 'update' | 'delete') {
  return recordAccess(caller, company, `attribute-values:${operation}`, attributeValueDocument)
}
