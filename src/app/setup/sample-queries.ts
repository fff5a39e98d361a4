// One query of each document, to look at its plan: the first page of one company.

import type { SampleQuery } from '../../databases/driver.ts'
import { planCollection } from '../../query/plan.ts'
import { readItemsBeside, rulesFrom } from '../../setup/items/setup-items.ts'
import { compileCollection } from '../../sql/compile/compile-query.ts'
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { storedDocuments } from './stored-documents.ts'

/** The default page of a client request. */
const PAGE = { select: undefined, filter: undefined, orderBy: undefined, offset: 0, limit: 50 }

/** None where no company is set up, and none of tables that are not ours. */
export async function sampleQueries(database: ReadOnlyDatabase): Promise<SampleQuery[]> {
  const items = await readItemsBeside(database)
  const [company] = rulesFrom(items).values()
  if (!company) return []
  const served = [...(await storedDocuments(items, database))].filter(([, { of }]) => of !== 'foreign')
  return served.map(([name, { document }]) => {
    const definition = document.of(company)
    const plan = planCollection(definition, PAGE)
    const scope = [[definition.companyColumn, company.id]] as const
    return { name, companyId: company.id, query: compileCollection(plan, scope, database.dialect) }
  })
}
