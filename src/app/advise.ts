// What an administrator can do about the slow questions that a service has seen: how the database answers each now, and
// which index would serve it. It only reads, beside the running service.
import { systemClock } from '../base/clock.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { type EnterpriseDocument, sameForAll } from '../objects/enterprise-document.ts'
import { planCollection } from '../query/plan.ts'
import { QueryError } from '../query/query-error.ts'
import { pathOfColumn, sampleOf } from '../query/shape.ts'
import { wantedIndexes } from '../setup/document-indexes.ts'
import { withIndexes } from '../setup/indexes-in-force.ts'
import { foreignDefinition, ownDefinition } from '../setup/own-document.ts'
import type { CompanyRules } from '../setup/rules.ts'
import { itemOf, rulesFrom, type SetupItem } from '../setup/setup-items.ts'
import type { DocumentSetup, IndexesSetup } from '../setup/setup-schema.ts'
import type { ReadOnlyDatabase } from '../store/audit-store.ts'
import { compileCollection, compileCount } from '../store/compile/compile-query.ts'
import type { Asked } from '../store/compile/search.ts'
import { suggestIndex } from '../store/compile/suggest-index.ts'
import { listSetupItems } from '../store/setup-store.ts'
import type { QuestionShape } from '../store/slow-queries.ts'
import { listSlowQueries } from '../store/slow-query-store.ts'
import type { Scope } from '../store/store.ts'
import type { SlowQueryTable } from '../store/tables.ts'
import { builtInDocuments } from './built-in-documents.ts'

/** What is wanted, and where it is declared. */
export interface SuggestedIndex {
  readonly section: 'indexes' | 'textIndexes'
  /** `foreign`: on a table of others, whose columns these are. */
  readonly of: 'built-in' | 'own' | 'foreign'
  readonly table: string
  /** Paths of properties, or columns. */
  readonly names: readonly string[]
}

export interface Advice {
  readonly seen: SlowQueryTable
  readonly shape: QuestionShape
  /** Nothing when no question of this shape can be asked any more. */
  readonly plan: readonly string[] | undefined
  readonly suggestion: SuggestedIndex | undefined
}

export interface Advised {
  /** The slowest in sum first. */
  readonly advice: readonly Advice[]
  /** What the setup says of each document now. */
  readonly declared: ReadonlyMap<string, IndexesSetup>
}

/** A page as clients ask for it. */
const PAGE = { select: undefined, offset: 0, limit: 50 }

export async function advise(database: ReadOnlyDatabase): Promise<Advised> {
  const rows = await database.all('', listSlowQueries, {})
  const items = (await listSetupItems({ all: (declared, values) => database.all('', declared, values) })).map(itemOf)
  const documents = await documentsOf(items, database)
  const companies = [...rulesFrom(items).values()]
  const advice: Advice[] = []
  for (const row of rows) advice.push(await adviseOn(row, documents, companies, database))
  const declared = items.filter(({ kind }) => kind === 'indexes' || kind === 'document')
  return { advice, declared: new Map(declared.map(({ id, definition }) => [id, definition as IndexesSetup])) }
}

interface Served {
  readonly document: EnterpriseDocument
  readonly of: SuggestedIndex['of']
  readonly add: (definition: DocumentDefinition) => DocumentDefinition
}

async function documentsOf(items: readonly SetupItem[], database: ReadOnlyDatabase): Promise<Map<string, Served>> {
  const builtIn = builtInDocuments(systemClock)
  const wanted = wantedIndexes(items, (name) => builtIn.find(({ common }) => common.name === name)?.common)
  const existing = await database.setupIndexes()
  const add = (definition: DocumentDefinition) => withIndexes(definition, wanted.get(definition.name) ?? [], existing)
  const served = new Map(builtIn.map((document) => [document.common.name, { document, of: 'built-in', add } as Served]))
  for (const { kind, definition } of items) {
    if (kind !== 'document') continue
    const setup = definition as DocumentSetup
    const made =
      setup.table === undefined ? ownDefinition(setup) : foreignDefinition(setup, await database.columnsOf(setup.table))
    served.set(setup.name, { document: sameForAll(made), of: setup.table === undefined ? 'own' : 'foreign', add })
  }
  return served
}

async function adviseOn(
  seen: SlowQueryTable,
  documents: ReadonlyMap<string, Served>,
  companies: readonly CompanyRules[],
  database: ReadOnlyDatabase,
): Promise<Advice> {
  const shape = JSON.parse(seen.question) as QuestionShape
  const served = documents.get(seen.document)
  // Some properties are those of one company.
  for (const company of served ? companies : []) {
    const found = served && (await adviseIn(company, served, shape, database))
    if (found) return { seen, shape, ...found }
  }
  return { seen, shape, plan: undefined, suggestion: undefined }
}

async function adviseIn(
  company: CompanyRules,
  { document, of, add }: Served,
  shape: QuestionShape,
  database: ReadOnlyDatabase,
): Promise<Pick<Advice, 'plan' | 'suggestion'> | undefined> {
  const definition = add(document.of(company))
  const plan = planOrNothing(definition, shape)
  if (!plan) return undefined
  const scope: Scope = [[definition.companyColumn, company.id], ...scopeOf(shape)]
  const query = shape.isCount
    ? compileCount(definition, plan.filter, scope, database.expressions)
    : compileCollection(plan, scope, database.expressions)
  const asked: Asked = { definition, scope, filter: plan.filter, order: shape.isCount ? [] : plan.order }
  return { plan: await database.explain(company.id, query.byText ?? query), suggestion: suggestionFor(asked, of) }
}

function planOrNothing(definition: DocumentDefinition, { filter, order }: QuestionShape) {
  try {
    return planCollection(definition, { ...PAGE, filter: filter && sampleOf(filter), orderBy: order })
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

function scopeOf({ scope = [] }: QuestionShape): Scope {
  return scope.map(({ column, isNumber, isList }) => {
    const value = isNumber ? 0 : 'x'
    return [column, isList ? [value, isNumber ? 1 : 'y'] : value]
  })
}

function suggestionFor(asked: Asked, of: Served['of']): SuggestedIndex | undefined {
  const { definition } = asked
  const found = suggestIndex(asked)
  if (!found) return undefined
  const { table, properties } = definition
  if (of === 'foreign') {
    if (found.kind === 'text') return undefined
    return { section: 'indexes', of, table, names: [definition.companyColumn, ...found.columns] }
  }
  const columns = found.kind === 'text' ? [found.column] : found.columns
  // A column that no property shows is the endpoint's own matter, such as whether a document is deleted.
  const names = columns.map((column) => pathOfColumn(properties, column)).filter((path) => path !== undefined)
  return names.length === 0
    ? undefined
    : { section: found.kind === 'text' ? 'textIndexes' : 'indexes', of, table, names }
}
