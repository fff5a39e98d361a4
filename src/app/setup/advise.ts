// Advice on recorded slow queries: the current query plan of each, and the index that would serve it. Only reads, so it
// can run beside the service.
import type { DocumentDefinition } from '../../model/document.ts'
import { QueryError } from '../../query/parse/query-error.ts'
import { planCollection } from '../../query/plan.ts'
import { pathOfColumn, sampleOf } from '../../query/shape.ts'
import type { IndexesSetup } from '../../setup/file/setup-schema.ts'
import { readItemsBeside, rulesFrom } from '../../setup/items/setup-items.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { requestedBy } from '../../sql/compile/compile-grouped.ts'
import { compileCollection, compileTotal } from '../../sql/compile/compile-query.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { Requested } from '../../sql/rows/search.ts'
import { suggestIndex } from '../../sql/rows/suggest-index.ts'
import type { SlowQueryTable } from '../../sql/service-tables.ts'
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { listSlowQueries } from '../../store/service-state/slow-query-store.ts'
import type { QueryShape } from '../../store/slow-queries.ts'
import { type Served, storedDocuments } from './stored-documents.ts'

/** A missing index, and where to declare it. */
export interface SuggestedIndex {
  readonly section: 'indexes' | 'textIndexes'
  /** The kind of document. For `foreign`, an external table, `names` are columns of that table. */
  readonly of: 'built-in' | 'own' | 'foreign'
  readonly table: string
  /** Property paths, or column names. */
  readonly names: readonly string[]
}

export interface Advice {
  readonly query: SlowQueryTable
  readonly shape: QueryShape
  /** Undefined when queries of this shape are no longer possible. */
  readonly plan: readonly string[] | undefined
  readonly suggestion: SuggestedIndex | undefined
}

export interface Advised {
  /** Sorted by total time, the highest first. */
  readonly advice: readonly Advice[]
  /** The declared indexes of each document. */
  readonly declared: ReadonlyMap<string, IndexesSetup>
}

/** The default page of a client request. */
const PAGE = { select: undefined, offset: 0, limit: 50 }

export async function advise(database: ReadOnlyDatabase): Promise<Advised> {
  const rows = await database.all('', listSlowQueries, {})
  const items = await readItemsBeside(database)
  const documents = await storedDocuments(items, database)
  const companies = [...rulesFrom(items).values()]
  const advice: Advice[] = []
  for (const row of rows) advice.push(await adviseOn(row, documents, companies, database))
  const declared = items.filter(({ kind }) => kind === 'indexes' || kind === 'document')
  return { advice, declared: new Map(declared.map(({ id, definition }) => [id, definition])) }
}

async function adviseOn(
  slowQuery: SlowQueryTable,
  documents: ReadonlyMap<string, Served>,
  companies: readonly CompanyRules[],
  database: ReadOnlyDatabase,
): Promise<Advice> {
  const shape = JSON.parse(slowQuery.question) as QueryShape
  const served = documents.get(slowQuery.document)
  // A property may exist in some companies only: take the first company where the query is possible.
  for (const company of served ? companies : []) {
    const found = served && (await adviseIn(company, served, shape, database))
    if (found) return { query: slowQuery, shape, ...found }
  }
  return { query: slowQuery, shape, plan: undefined, suggestion: undefined }
}

async function adviseIn(
  company: CompanyRules,
  { document, of, addIndexes }: Served,
  shape: QueryShape,
  database: ReadOnlyDatabase,
): Promise<Pick<Advice, 'plan' | 'suggestion'> | undefined> {
  const definition = addIndexes(document.of(company))
  const plan = planIfPossible(definition, shape)
  if (!plan) return undefined
  const scope: KeyFilter = [[definition.companyColumn, company.id], ...scopeOf(shape)]
  const compile = shape.isCount ? compileTotal : compileCollection
  const query = compile(plan, scope, database.dialect)
  const requested = requestedBy(plan, scope)
  const search = shape.isCount && !plan.grouping ? { ...requested, order: [] } : requested
  return { plan: await database.explain(company.id, query.byText ?? query), suggestion: suggestionFor(search, of) }
}

function planIfPossible(definition: DocumentDefinition, { filter, order, groups }: QueryShape) {
  const grouping = groups && { groupBy: groups.by.join() || undefined, aggregate: sampleAggregate(groups.reads) }
  try {
    return planCollection(definition, { ...PAGE, ...grouping, filter: filter && sampleOf(filter), orderBy: order })
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

/** A function that every property has. */
function sampleAggregate(reads: readonly string[]): string {
  return ['count()', ...reads.map((path, at) => `countDistinct(${path}) as result${at}`)].join()
}

function scopeOf({ scope = [] }: QueryShape): KeyFilter {
  return scope.map(({ column, isNumber, isList }) => {
    const value = isNumber ? 0 : 'x'
    return [column, isList ? [value, isNumber ? 1 : 'y'] : value]
  })
}

function suggestionFor(search: Requested, of: Served['of']): SuggestedIndex | undefined {
  const { definition } = search
  const found = suggestIndex(search)
  if (!found) return undefined
  const { table, properties } = definition
  if (of === 'foreign') {
    if (found.kind === 'text') return undefined
    return { section: 'indexes', of, table, names: [definition.companyColumn, ...found.columns] }
  }
  const columns = found.kind === 'text' ? [found.column] : found.columns
  // Columns without a property, such as the deletion mark of documents, are internal to an endpoint.
  const names = columns.map((column) => pathOfColumn(properties, column)).filter((path) => path !== undefined)
  return names.length === 0
    ? undefined
    : { section: found.kind === 'text' ? 'textIndexes' : 'indexes', of, table, names }
}
