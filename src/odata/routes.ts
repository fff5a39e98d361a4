// The paths of a company, `/odata/v4/{companyId}/...`: service document, metadata, entity sets and their `/$count`, one
// entity by its key and the items of its lists, and files that open an entity set in Excel or Power BI.
import { changeNumbered } from '../base/etag.ts'
import { shortened } from '../base/text.ts'
import { coded, noResource } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { textReply } from '../http/route/replies.ts'
import type { ApiRequest, PathParams, Route, RouteTable } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { isLines } from '../model/document.ts'
import { namedLanguages } from '../model/titles.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { ObjectService } from '../objects/query-document.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import { isMetadataJson, jsonType, metadataLevelOf } from './answer-format.ts'
import { keyFilter, setSegment } from './key.ts'
import { LINK_FILES, linkFile } from './link-routes.ts'
import { metadataXml } from './metadata/csdl.ts'
import { metadataJson } from './metadata/csdl-json.ts'
import type { EntitySet } from './metadata/entity-set.ts'
import { entitySetNames, type ODataModel, odataModel } from './metadata/model.ts'
import { readODataOptions } from './query/options.ts'
import { notSupported } from './query/refusals.ts'
import { countRecords, isThere, readEntity, readPage } from './read-page.ts'
import { COMPANY, type EntitySetRequest, rootUrlOf } from './request.ts'

type Documents = () => Iterable<EnterpriseDocument>

type Handle = (request: ApiRequest) => Reply | Promise<Reply>

/** What all paths have in common; description/described-routes.ts describes them. */
const COMMON = {
  permit: () => 'objects:read' as const,
  companyInPath: true,
  summary: 'Ask in OData',
  parameters: [],
  answers: {},
  problemForm,
} as const

export function odataRoutes(router: RouteTable, service: ObjectService, documents: Documents): void {
  const isSet = (params: PathParams) => {
    const [entitySet] = segmentsOf(params)
    if (entitySet === undefined || unsupportedIn(params) !== undefined) return true
    return entitySetNames(documents()).includes(setSegment(entitySet).name)
  }
  const modelOf = ({ caller, companyId }: ApiRequest) =>
    odataModel(caller, service.companies.require(companyId), documents())
  const declare = (path: string, handle: Handle) => declareReads(router, COMPANY + path, isSet, handle)
  const requestedOf = (request: ApiRequest) => entitySetRequest(request, modelOf(request))
  const itemsOf = (request: ApiRequest) => itemsRequest(service, request, modelOf(request))

  declare('', (request) => serviceDocumentReply(request, modelOf(request)))
  declare('/$metadata', (request) => metadataReply(request, modelOf(request)))
  declare('/:entitySet', (request) => {
    const requested = requestedOf(request)
    return requested.key ? entityReply(service, requested, request.path) : pageReply(service, requested)
  })
  declare('/:entitySet/$count', async (request) => {
    const requested = requestedOf(request)
    if (requested.key) throw noResource(request.path)
    return countReply(service, requested)
  })
  declare('/:entitySet/:navigation', async (request) => pageReply(service, await itemsOf(request)))
  declare('/:entitySet/:navigation/$count', async (request) => countReply(service, await itemsOf(request)))
  declare(`/${LINK_FILES}/:file`, (request) => linkFile(request, modelOf(request)))
  // Further paths, so that these are refused in OData's form, too.
  declare('/*', (request) => {
    const [entitySet = '', behind = '', further] = segmentsOf(request.params)
    const set = modelOf(request).entitySets.get(setSegment(entitySet).name)
    // Lists have routes of their own: only a key that is too long for any brings one here.
    const isList = set?.lists?.has(behind) && (further === undefined || further === '$count')
    throw set && !isList ? refusalBehind(set, behind, request.path) : noResource(request.path)
  })
  declareBatch(router)
}

/** What the standard knows as a path of its own: `$value`, `$ref`, `$all` and the like, and the names of types. */
const OF_STANDARD = /^(?:\$(?:all|batch|crossjoin|each|entity|filter|query|ref|value)\b|Tabularium\.)/

/** Those of the path below the company. */
function segmentsOf({ entitySet, navigation, '*': rest }: PathParams): string[] {
  return rest === undefined ? [entitySet, navigation].filter((one) => one !== undefined) : rest.split('/')
}

function unsupportedIn(params: PathParams): string | undefined {
  return segmentsOf(params).find((segment) => OF_STANDARD.test(segment))
}

function declareReads(router: RouteTable, path: string, isSet: (params: PathParams) => boolean, handle: Handle): void {
  const route: Route = {
    ...COMMON,
    methodsAt: (params) => (isSet(params) ? ['GET', 'HEAD'] : []),
    requireResource(params, path) {
      const unsupported = unsupportedIn(params)
      if (unsupported !== undefined) throw notSupported(`the path ${shortened(unsupported, 40)}`)
      if (!isSet(params)) throw noResource(path)
    },
    handle(request) {
      maxVersionIn(request.header('odata-maxversion'))
      return handle(request)
    },
  }
  router.get(path, route)
}

function declareBatch(router: RouteTable): void {
  router.post(`${COMPANY}/$batch`, {
    ...COMMON,
    // Before the body, which may be of any type.
    requireResource() {
      throw notSupported('$batch')
    },
    handle(request) {
      throw noResource(request.path)
    },
  })
}

/** The items or lines of one entity. Throws 404 if the caller sees no such entity, 501 for other paths behind one. */
async function itemsRequest(service: ObjectService, request: ApiRequest, model: ODataModel): Promise<EntitySetRequest> {
  const requested = entitySetRequest(request, model)
  const { navigation = '' } = request.params
  if (!requested.key) throw noResource(request.path)
  const list = requested.set.lists?.get(navigation)
  const items = list ? { set: list } : linesOf(requested.set, requested.key, navigation, model)
  if (!items) throw refusalBehind(requested.set, navigation, request.path)
  if (!(await isThere(service, requested))) throw noResource(request.path)
  return { ...requested, ...items }
}

/** The entity set of the lines of an entity, with the part of their key that they have of it. */
function linesOf({ navigation }: EntitySet, key: KeyFilter, name: string, { entitySets }: ODataModel) {
  const property = navigation.get(name)?.property
  if (property?.kind !== 'list' || !isLines(property)) return undefined
  const { document, on } = property.from
  const set = entitySets.values().find((one) => one.document.common.name === document.name)
  const values = new Map(key)
  return set && { set, key: on.map(([own, item]) => [item, values.get(own) ?? ''] as const) }
}

function refusalBehind({ properties, navigation }: EntitySet, behind: string, path: string): Problem {
  const { name } = setSegment(behind)
  const property = navigation.get(name)?.property
  // Lines are refused only to who may not read their document: there are none for such a caller.
  const isKnown = properties.has(name) || (property !== undefined && !(property.kind === 'list' && isLines(property)))
  return isKnown ? notSupported(`the path ${name} behind an entity`) : noResource(path)
}

function entitySetRequest(request: ApiRequest, { entitySets }: ODataModel): EntitySetRequest {
  const { caller, companyId, params, path, query, requester, accept, acceptLanguage, prefer } = request
  const { name, key: keyText } = setSegment(params.entitySet ?? '')
  const set = entitySets.get(name)
  // What the caller may not read is not in its model.
  if (!set) throw noResource(path)
  const [metadataUrl, pageUrl] = [`${rootUrlOf(request)}/$metadata`, request.origin() + path]
  const key = keyText === undefined ? undefined : keyFilter(set, keyText)
  return { caller, companyId, set, key, query, requester, accept, acceptLanguage, prefer, metadataUrl, pageUrl }
}

/** The replies to questions about entity sets. */
async function pageReply(service: ObjectService, requested: EntitySetRequest): Promise<Reply> {
  const { body, changeNumber, appliedSize, level } = await readPage(service, requested)
  const applied: Record<string, string> =
    appliedSize === undefined ? {} : { 'preference-applied': `odata.maxpagesize=${appliedSize}` }
  const headers = { 'content-type': jsonType(level), ...VERSION, ...applied, ...changeNumbered(changeNumber) }
  return { status: 200, body, headers }
}

async function countReply(service: ObjectService, requested: EntitySetRequest): Promise<Reply> {
  const body = String(await countRecords(service, requested))
  return { status: 200, body, headers: { 'content-type': 'text/plain;charset=utf-8', ...VERSION } }
}

/** Throws 404 if there is no such entity that the caller may see. */
async function entityReply(service: ObjectService, requested: EntitySetRequest, path: string): Promise<Reply> {
  const found = await readEntity(service, requested)
  if (!found) throw noResource(path)
  const { body, changeNumber, level } = found
  return {
    status: 200,
    body,
    headers: { 'content-type': jsonType(level), ...VERSION, ...changeNumbered(changeNumber) },
  }
}

/** What describes the service to a caller: the service document and the metadata. Both are made of the setup alone. */
function serviceDocumentReply(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const level = metadataLevelOf(formatIn(request), request.accept)
  const value = [...entitySets.keys()].map((name) => ({ name, kind: 'EntitySet', url: name }))
  const [context, root] = [`${rootUrlOf(request)}/$metadata`, `${rootUrlOf(request)}/`]
  // Without a context, the addresses are relative to nothing that an answer tells.
  const absolute = value.map((one) => ({ ...one, url: root + one.url }))
  const document = level === 'none' ? { value: absolute } : { '@odata.context': context, value }
  return textReply(request, JSON.stringify(document), { 'content-type': jsonType(level), ...VERSION })
}

/** XML, or JSON, which is of OData 4.01. */
function metadataReply(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const maxVersion = maxVersionIn(request.header('odata-maxversion'))
  const sets = [...entitySets.values()]
  const languages = namedLanguages(request.acceptLanguage)
  if (isMetadataJson(formatIn(request), request.accept, maxVersion)) {
    const headers = { 'content-type': 'application/json;charset=utf-8', 'odata-version': '4.01' }
    return textReply(request, JSON.stringify(metadataJson(sets, languages)), headers)
  }
  return textReply(request, metadataXml(sets, languages), {
    'content-type': 'application/xml;charset=utf-8',
    ...VERSION,
  })
}

function formatIn({ query }: ApiRequest): string | undefined {
  return readODataOptions(query).format
}

/** OData's own body of an error. */
function problemForm({ status, code, message }: Problem) {
  return { body: { error: { code: String(code ?? status), message } }, headers: VERSION }
}

/** The headers of every answer. */
const VERSION: Readonly<Record<string, string>> = { 'odata-version': '4.0' }

/** The `OData-MaxVersion` of a client; undefined: any. Throws 400 for what is no version, and for those below 4.0. */
function maxVersionIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const version = /^\d{1,3}\.\d{1,3}$/.test(header.trim()) ? Number(header) : Number.NaN
  if (version >= 4) return version
  throw coded(400, 1020, `OData-MaxVersion is '${shortened(header, 40)}', but answers are of OData 4.0.`)
}
