import { type DocumentDefinition, lastUpdated, value } from '../model/document.ts'

const flag = (column: string) => ({ column, storedAs: 'flag' }) as const

export const attributeDocument = {
  name: 'attributes',
  version: 1,
  description: 'An attribute that a company keeps values of.',
  table: 'attribute',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'attributeId'],
  indexes: [{ name: 'attribute_name', columns: ['company_id', 'name', 'attribute_id'] }],
  properties: {
    companyId: value('string', 'company_id'),
    attributeId: value('string', 'attribute_id'),
    attributeName: value('string', 'name'),
    description: value('string', 'description'),
    maintenance: value('string', 'maintenance', { description: 'manual or system.' }),
    contactPoints: value('boolean', flag('contact_points'), { description: 'Its values may have contact points.' }),
    autoNumbering: value('boolean', flag('auto_numbering'), { description: 'The service numbers its values.' }),
    ownerAttributeId: value('string', 'owner_attribute_id', { description: 'Whose values own its values.' }),
    lastUpdated,
  },
} satisfies DocumentDefinition
