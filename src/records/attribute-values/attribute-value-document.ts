// The Enterprise Document of attribute values, for the query engine.
import { type DocumentDefinition, group, value } from '../../model/document.ts'

const attribute = (column: string) => ({ table: 'a', column })

export const attributeValueDocument: DocumentDefinition = {
  name: 'attribute-values',
  table: 'attribute_value',
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
  properties: {
    attributeId: value('string', 'attribute_id'),
    attributeName: value('string', attribute('name')),
    attributeValue: value('string', 'attribute_value'),
    companyId: value('string', 'company_id'),
    customValue: value('number', 'custom_value'),
    description: value('string', 'description'),
    lastUpdated: group({ updatedAt: value('date-time', 'updated_at'), updatedBy: value('string', 'updated_by') }),
    owner: value('string', 'owner'),
    ownerAttributeId: value('string', attribute('owner_attribute_id')),
    ownerAttributeName: value('string', { table: 'o', column: 'name' }),
    periodFrom: value('integer', 'period_from'),
    periodTo: value('integer', 'period_to'),
    status: value('string', 'status'),
  },
}

const { lastUpdated: _notInThere, ...baseProperties } = attributeValueDocument.properties

/** What the collection of one attribute answers: the fields of the resource without its lists. */
export const baseDataDocument: DocumentDefinition = { ...attributeValueDocument, properties: baseProperties }
