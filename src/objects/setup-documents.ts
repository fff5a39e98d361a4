// The Enterprise Documents of what a setup says: attributes, companies and value lists.
import { type DocumentDefinition, lastUpdated, type Source, value } from '../model/document.ts'

const flag = (column: string) => ({ column, storedAs: 'flag' }) as const

export const attributeDocument = {
  name: 'attributes',
  version: 1,
  description: 'An attribute that a company keeps values of.',
  table: 'attribute',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'attributeId'],
  searched: ['attributeId', 'attributeName', 'description'],
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

/** `period` is the source of the current period: a column, or a constant if the setup has none. */
export function companyDocument(period: Source) {
  return {
    name: 'companies',
    version: 1,
    description: 'The company that is asked for.',
    table: 'company',
    companyColumn: 'company_id',
    joins: {},
    key: ['companyId'],
    indexes: [],
    searched: ['companyName'],
    properties: {
      companyId: value('string', 'company_id'),
      companyName: value('string', 'name'),
      language: value('string', 'language', { description: 'Of descriptions.' }),
      currentAccountingPeriod: value('integer', period, { description: 'yyyypp; that of today when none is set up.' }),
      lastUpdated,
    },
  } satisfies DocumentDefinition
}

export const valueListDocument = {
  name: 'value-list',
  version: 1,
  description: 'A code of a value list, with what it is called in one language.',
  table: 'value_list',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'name', 'language', 'description'],
  indexes: [],
  defaultColumns: ['name', 'description', 'title', 'language'],
  searched: ['title', 'name', 'description'],
  properties: {
    companyId: value('string', 'company_id'),
    name: value('string', 'name', { description: 'Of the list.' }),
    language: value('string', 'language'),
    description: value('string', 'code', { description: 'The code, for string properties.' }),
    number: value('integer', 'number', { description: 'The code, for numeric properties; 0 when it is no number.' }),
    title: value('string', 'title', { description: 'What the code means.' }),
    lastUpdated,
  },
} satisfies DocumentDefinition
