import { type DocumentDefinition, lastUpdated, value } from '../model/document.ts'

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
