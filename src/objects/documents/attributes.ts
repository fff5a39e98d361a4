import { type DocumentDefinition, lastUpdated, value } from '../../model/document.ts'

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
    attributeId: value('string', 'attribute_id'),
    attributeName: value('string', 'name'),
    autoNumbering: value('boolean', flag('auto_numbering'), { description: 'The service numbers its values.' }),
    companyId: value('string', 'company_id'),
    contactPoints: value('boolean', flag('contact_points'), { description: 'Its values may have contact points.' }),
    description: value('string', 'description'),
    lastUpdated,
    maintenance: value('string', 'maintenance', { description: 'manual or system.' }),
    ownerAttributeId: value('string', 'owner_attribute_id', { description: 'Whose values own its values.' }),
  },
} satisfies DocumentDefinition
