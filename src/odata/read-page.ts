// Reads a page of an entity set, or of its groups. All pages of an answer are of one state of the records, as far as
// the service keeps earlier states.
import { wholeText } from '../base/byte-stream.ts'
import type { QueryPairs } from '../base/text.ts'
import { invalidOption } from '../errors/catalogue.ts'
import type { ObjectService } from '../objects/query-document.ts'
import { MAX_LIMIT } from '../query/options.ts'
import type { SelectedProperty } from '../query/plan-select.ts'
import type { CollectionAnswer } from '../store/collection.ts'
import { type MetadataLevel, metadataLevelOf } from './answer-format.ts'
import { framed } from './framed.ts'
import type { EntitySet, ODataProperties } from './metadata/entity-set.ts'
import { pageRows } from './page-rows.ts'
import { type ODataOption, pageSizeIn } from './query/options.ts'
import { type Question, questionOf } from './query/question.ts'
import type { EntitySetRequest } from './request.ts'
import { type NextPage, type TokenOwner, tokensOf } from './skip-token.ts'

/** The rows of a page unless the client wishes another size. */
const DEFAULT_PAGE = 1_000

interface EntityPage {
  readonly body: CollectionAnswer['body']
  /** The last change in what was read; undefined where changes are not recorded. */
  readonly changeNumber: number | undefined
  /** The rows of a page, if the client has wished how many, for `Preference-Applied`. */
  readonly appliedSize: number | undefined
  readonly level: MetadataLevel
}

/** Throws 400 for what is wrong with the options or the token, 410 for states that are no longer kept, and 501. */
export async function readPage(service: ObjectService, request: EntitySetRequest): Promise<EntityPage> {
  const question = questionOf(request.set, request.companyId, request.query)
  const { skiptoken, format } = question.options
  const level = metadataLevelOf(format, request.accept)
  const wishedSize = pageSizeIn(request.prefer)
  const tokens = await tokensOf(service.store, ownerOf(request))
  const place = skiptoken === undefined ? firstPage(question, wishedSize) : tokens.read(skiptoken)
  const page = pageRows(service, request, question, place)
  const count = place.count ?? (question.isCounted ? await page.count() : undefined)
  const { body, next } = await page.read()
  const link = next && nextLink(request, tokens.write({ ...next, count }))
  const context = level === 'none' ? '' : `"@odata.context":${JSON.stringify(contextOf(request, question))},`
  const counted = count === undefined ? '' : `"@odata.count":${count},`
  const before = `{${context}${counted}"value":`
  const after = link === undefined ? '}' : `,"@odata.nextLink":${JSON.stringify(link)}}`
  return {
    body: framed(before, body, after),
    changeNumber: page.changeNumber,
    appliedSize: wishedSize && place.pageSize,
    level,
  }
}

/** The number of records or groups, for `/$count`. Orders, pages and selections do not change it. */
export async function countRecords(service: ObjectService, request: EntitySetRequest): Promise<number> {
  const question = questionOf(request.set, request.companyId, request.query)
  if (question.options.skiptoken !== undefined) throw invalidOption('$skiptoken is no option of a count.')
  return pageRows(service, request, question, firstPage(question, undefined)).count()
}

function firstPage({ top, skip }: Question, wishedSize = DEFAULT_PAGE): NextPage {
  const pageSize = Math.min(wishedSize, MAX_LIMIT)
  return { changeNumber: undefined, remaining: top, pageSize, count: undefined, offset: skip, row: undefined }
}

const SKIP_TOKEN = /^\$?skiptoken$/i

function ownerOf({ caller, companyId, set, query, key = [] }: EntitySetRequest): TokenOwner {
  const others = query.filter(([name]) => !SKIP_TOKEN.test(name))
  return [caller.clientId, caller.userId, companyId, set.name, JSON.stringify(key), ...others.flat()]
}

/** The same request, for the page behind this one. */
function nextLink({ pageUrl, query }: EntitySetRequest, token: string): string {
  const others: QueryPairs = query.filter(([name]) => !SKIP_TOKEN.test(name))
  const pairs = [...others, ['$skiptoken', token] as const]
  return `${pageUrl}?${pairs.map(([name, value]) => `${nameInUrl(name)}=${encodeURIComponent(value)}`).join('&')}`
}

/** The dollar sign may stand in a query as it is. */
function nameInUrl(name: string): string {
  return encodeURIComponent(name).replaceAll('%24', '$')
}

// One entity, found by its key.

interface ReadEntity {
  readonly body: string
  /** The last change in what was read; undefined where changes are not recorded. */
  readonly changeNumber: number | undefined
  readonly level: MetadataLevel
}

const ALLOWED: ReadonlySet<string> = new Set<ODataOption>(['select', 'expand', 'format'])
const ALONE = { changeNumber: undefined, remaining: 1, pageSize: 1, count: undefined, offset: 0, row: undefined }

/** Undefined if there is none that the caller may see. Throws 400 for options of entity sets. */
export async function readEntity(service: ObjectService, request: EntitySetRequest): Promise<ReadEntity | undefined> {
  const question = questionOf(request.set, request.companyId, request.query)
  refuseOthers(question)
  const level = metadataLevelOf(question.options.format, request.accept)
  const page = pageRows(service, request, question, ALONE)
  const rows = await wholeText((await page.read()).body)
  if (rows === '[]') return undefined
  // The rows are an array of one object.
  const own = rows.slice(1, -1)
  if (level === 'none') return { body: own, changeNumber: page.changeNumber, level }
  const context = JSON.stringify(`${contextOf(request, question)}/$entity`)
  return { body: `{"@odata.context":${context},${own.slice(1)}`, changeNumber: page.changeNumber, level }
}

const NO_OPTIONS: QueryPairs = []

/** Whether the caller may see an entity with the key of the request. */
export async function isThere(service: ObjectService, request: EntitySetRequest): Promise<boolean> {
  return (await countRecords(service, { ...request, query: NO_OPTIONS })) > 0
}

function refuseOthers({ options }: Question): void {
  const other = Object.keys(options).find((option) => !ALLOWED.has(option))
  if (other !== undefined) throw invalidOption(`$${other} is an option of an entity set, not of one entity.`)
}

/** The context of an answer: what it consists of, as a fragment of the metadata. What is named alone is whole. */
function contextOf({ metadataUrl, set }: EntitySetRequest, { plan, options }: Question): string {
  const { apply, select, expand } = options
  const isWhole = apply === undefined && select === undefined
  if (isWhole && expand === undefined) return `${metadataUrl}#${set.name}`
  const named = isWhole ? plan.select.filter(({ name }) => set.navigation.has(name)) : plan.select
  return `${metadataUrl}#${set.name}(${named.flatMap((one) => itemsOf(set, one)).join(',')})`
}

function itemsOf({ properties, navigation, lists }: EntitySet, one: SelectedProperty): string[] {
  const declared = lists?.get(one.name)?.properties ?? navigation.get(one.name)?.properties
  if (!declared || one.kind === 'value') return pathsIn([one], properties)
  const inside = insideOf(one)
  return [`${one.name}(${isAll(inside, declared) ? '' : pathsIn(inside, declared).join(',')})`]
}

function pathsIn(selected: readonly SelectedProperty[], declared: ODataProperties): string[] {
  return selected.flatMap((one) => {
    if (one.kind !== 'group') return one.name
    const type = typeOf(one, declared)
    return isAll(one.properties, type) ? one.name : pathsIn(one.properties, type).map((path) => `${one.name}/${path}`)
  })
}

/** Whether nothing of a type is left out. */
function isAll(selected: readonly SelectedProperty[], declared: ODataProperties): boolean {
  if (selected.length !== declared.size) return false
  return selected.every((one) => one.kind !== 'group' || isAll(one.properties, typeOf(one, declared)))
}

function typeOf({ name }: SelectedProperty, declared: ODataProperties): ODataProperties {
  const type = declared.get(name)
  return type?.kind === 'group' ? type.properties : NONE
}

const NONE: ODataProperties = new Map()

function insideOf(one: SelectedProperty): readonly SelectedProperty[] {
  if (!('properties' in one)) return []
  if (one.kind !== 'list' || !one.identity) return one.properties
  const { ofRecord, position } = one.identity
  return [...ofRecord, ...(position ? [position] : []), ...one.properties]
}
