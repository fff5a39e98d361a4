import { type DocumentDefinition, lastUpdated, type Source, value } from '../model/document.ts'

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
    properties: {
      companyId: value('string', 'company_id'),
      companyName: value('string', 'name'),
      language: value('string', 'language', { description: 'Of descriptions.' }),
      currentAccountingPeriod: value('integer', period, { description: 'yyyypp; that of today when none is set up.' }),
      lastUpdated,
    },
  } satisfies DocumentDefinition
}
