// Searches one document: by queries that the caller could send, so that its rules of rows and fields hold.
import { LRUCache } from 'lru-cache'
import { wholeText } from '../../base/byte-stream.ts'
import { memo } from '../../base/memo.ts'
import { Problem } from '../../errors/problem.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { planOf } from '../../query/known-plans.ts'
import type { Plan } from '../../query/plan.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import { answerCollection, countCollection } from '../../store/collection.ts'
import type { QueryCaller, Store } from '../../store/store.ts'
import type { EnterpriseDocument } from '../enterprise-document.ts'
import { propertyAt } from '../titled-schema.ts'
import { hitOf, type RankedHit, type Row } from './marked-hits.ts'
import { everythingFilter, indexedFilters, type SearchFilter, startFilter } from './search-filters.ts'
import type { SearchTerms } from './search-terms.ts'
import { type SearchedProperties, searchedProperties } from './searched-properties.ts'

/** What each statement answers at most: so many hits are ranked. */
const RANKED = 100
/** Records whose texts are gone through: some tenth of a second. */
export const LOOKED_AT = 100_000

export interface SearchRequest {
  readonly store: Store
  readonly company: CompanyRules
  readonly terms: SearchTerms
  readonly languages: readonly string[]
  readonly requester: QueryCaller
}

interface FoundInDocument {
  /** The best first. */
  readonly hits: readonly RankedHit[]
  /** `cut`: there are more records than were looked at; `late`: they were not looked at in time. */
  readonly end: 'whole' | 'cut' | 'late'
}

/** `definition`: as the caller's rules show it. */
export async function searchDocument(
  request: SearchRequest,
  document: EnterpriseDocument,
  definition: DocumentDefinition,
): Promise<FoundInDocument> {
  const { terms, languages } = request
  const searched = searchedProperties(definition)
  const filter = everythingFilter(terms, searched)
  if (filter === undefined) return { hits: [], end: 'whole' }
  const isCut = await isLarge(request, document)
  const ask = asking(request, document, definition, searched)
  const askIndexes = () => Promise.all(indexedFilters(terms, searched, definition, ask.scoped).map((one) => ask(one)))
  // What indexes find of a large table is there in any case.
  const rows = isCut ? (await askIndexes()).flat() : []
  const all = await unlessLate(() => ask({ filter }, isCut))
  rows.push(...(all ?? []))
  if (all?.length === RANKED) {
    const starts = startFilter(terms, searched)
    if (!isCut) rows.push(...(await askIndexes()).flat())
    if (starts !== undefined) rows.push(...((await unlessLate(() => ask({ filter: starts }, isCut))) ?? []))
  }
  const hits = rows.flatMap((row) => hitOf(row, terms, searched, definition, languages) ?? [])
  return { hits: bestFirst(hits), end: all ? (isCut ? 'cut' : 'whole') : 'late' }
}

/** Undefined when the store has not answered: in time, or at all. */
export async function unlessLate<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Each record once. */
export function bestFirst(hits: readonly RankedHit[]): RankedHit[] {
  const byKey = new Map<string, RankedHit>()
  for (const one of hits) {
    const key = JSON.stringify(one.hit.key)
    const known = byKey.get(key)
    if (!known || one.rank < known.rank) byKey.set(key, one)
  }
  const newerFirst = (one: RankedHit, other: RankedHit) =>
    one.changedAt < other.changedAt ? 1 : one.changedAt > other.changedAt ? -1 : 0
  return [...byKey.values()].sort((one, other) => one.rank - other.rank || newerFirst(one, other))
}

/** Plans a question about the records of a company that the caller may see. */
export function searchPlan(
  document: EnterpriseDocument,
  definition: DocumentDefinition,
  searched: SearchedProperties,
  company: CompanyRules,
  { filter, orderBy }: Partial<SearchFilter>,
): { readonly plan: Plan; readonly scope: KeyFilter } {
  const { plan } = planOf(definition, [
    ...(filter === undefined ? [] : [['filter', filter] as const]),
    ['select', selectOf(definition, searched)],
    ['orderby', orderBy ?? searched.key.map((name) => `${name} desc`).join(',')],
    ['limit', String(RANKED)],
  ])
  // Records in every state that a parameter asks for.
  const states = (document.parameters ?? []).map(({ name }) => [name, 'true'] as const)
  const scope = document.scopeOf?.(states, plan) ?? []
  return { plan, scope: [[definition.companyColumn, company.id], ...scope] }
}

export async function foundRows(
  { store, company, languages, requester }: SearchRequest,
  { plan, scope }: ReturnType<typeof searchPlan>,
  among?: number,
): Promise<Row[]> {
  const { body } = await answerCollection(store, {
    companyId: company.id,
    plan,
    scope,
    among,
    language: company.valueLists.languageFor(languages),
    format: 'json',
    cap: undefined,
    caller: requester,
  })
  return JSON.parse(await wholeText(body)) as Row[]
}

function asking(
  request: SearchRequest,
  document: EnterpriseDocument,
  definition: DocumentDefinition,
  searched: SearchedProperties,
) {
  const planned = (filter: Partial<SearchFilter>) => searchPlan(document, definition, searched, request.company, filter)
  const ask = (filter: SearchFilter, isCut = false) =>
    foundRows(request, planned(filter), isCut ? LOOKED_AT : undefined)
  return Object.assign(ask, { scoped: planned({}).scope.map(([column]) => column) })
}

/** `x/y[C;T]` is a code with its description. */
function selectOf(definition: DocumentDefinition, searched: SearchedProperties): string {
  const { key, title, details, ...kinds } = searched
  const paths = Object.values(kinds).flatMap((all) => all.map(({ path }) => path))
  const described = details.map((path) => {
    const found = propertyAt(definition.properties, path.split('/'), definition.name)?.property
    return found?.kind === 'value' && found.codes ? `${path}[C;T]` : path
  })
  const changed = definition.properties.lastUpdated?.kind === 'group' ? ['lastUpdated'] : []
  return [...new Set([...key, ...paths, ...(title === undefined ? [] : [title]), ...described, ...changed])].join(',')
}

/** How long it is believed that a table is large, and that it is small. */
const LARGE_MS = 60 * 60_000
const SMALL_MS = 30_000
const knownIn = memo((_store: Store) => new LRUCache<string, boolean>({ max: 10_000 }))

/** Whether a table of the service has more rows of the company than are looked at. */
async function isLarge({ store, company, requester }: SearchRequest, document: EnterpriseDocument): Promise<boolean> {
  const whole = document.of(company)
  if (whole.isExternal) return false
  const key = `${company.id} ${whole.table}`
  const large = knownIn(store)
  const known = large.get(key)
  if (known !== undefined) return known
  const { plan } = planOf(whole, [])
  const scope: KeyFilter = [[whole.companyColumn, company.id]]
  const counted = { companyId: company.id, plan, scope, among: LOOKED_AT + 1, caller: requester }
  const { content } = await countCollection(store, counted)
  const isMore = content > LOOKED_AT
  large.set(key, isMore, { ttl: isMore ? LARGE_MS : SMALL_MS })
  return isMore
}
