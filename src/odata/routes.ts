// The entity sets of a company: `/odata/v4/{companyId}/{entitySet}` and its `/$count`, one entity by its key, and the
// items of its lists.
import { noResource } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { changeNumbered } from '../http/reply/replies.ts'
import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest, PathParams, RouteTable } from '../http/route.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { ObjectService } from '../objects/query-document.ts'
import { keyFilter, setSegment } from './entity/key.ts'
import { isThere, readEntity } from './entity/read-entity.ts'
import { metadataXml } from './metadata/csdl.ts'
import { entitySetNames, type ODataModel, odataModel } from './model.ts'
import { countRecords, readPage } from './pages/read-page.ts'
import type { EntitySetRequest } from './pages/request.ts'
import { notSupported } from './query/refusals.ts'

const PAGE_TYPE = 'application/json;odata.metadata=minimal;IEEE754Compatible=false;charset=utf-8'
const VERSION = { 'odata-version': '4.0' }
/** Up to the company. */
const ROOT = /^.*?\/odata\/v4\/[^/]+/

type Documents = () => Iterable<EnterpriseDocument>

const COMPANY = '/odata/v4/:companyId'

export function odataRoutes(router: RouteTable, service: ObjectService, documents: Documents): void {
  const isSet = ({ entitySet }: PathParams) =>
    entitySet === undefined || entitySetNames(documents()).includes(setSegment(entitySet).name)
  const modelOf = ({ caller, companyId }: ApiRequest) =>
    odataModel(caller, service.companies.require(companyId), documents())
  const declare = (path: string, handle: (request: ApiRequest) => Reply | Promise<Reply>) =>
    router.get(path, {
      // The metadata of OData describes it.
      permit: () => 'objects:read',
      companyInPath: true,
      summary: 'Ask in OData',
      parameters: [],
      answers: {},
      methodsAt: (params) => (isSet(params) ? ['GET'] : []),
      requireResource(params, path) {
        if (!isSet(params)) throw noResource(path)
      },
      problemForm,
      handle,
    })
  const askedOf = (request: ApiRequest) => entitySetRequest(request, modelOf(request))
  declare(COMPANY, (request) => serviceDocument(request, modelOf(request)))
  declare(`${COMPANY}/$metadata`, (request) => {
    const headers = { 'content-type': 'application/xml;charset=utf-8', ...VERSION }
    return { status: 200, body: metadataXml([...modelOf(request).entitySets.values()]), headers }
  })
  declare(`${COMPANY}/:entitySet`, (request) => {
    const asked = askedOf(request)
    return asked.key ? entity(service, asked, request) : page(service, asked)
  })
  declare(`${COMPANY}/:entitySet/$count`, (request) => {
    const asked = askedOf(request)
    if (asked.key) throw noResource(request.path)
    return count(service, asked)
  })
  const itemsOf = (request: ApiRequest) => itemsRequest(service, request, modelOf(request))
  declare(`${COMPANY}/:entitySet/:navigation`, async (request) => page(service, await itemsOf(request)))
  declare(`${COMPANY}/:entitySet/:navigation/$count`, async (request) => count(service, await itemsOf(request)))
}

/** OData's own body of an error. */
function problemForm({ status, code, message }: Problem) {
  return { body: { error: { code: String(code ?? status), message } }, headers: VERSION }
}

function serviceDocument(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const value = [...entitySets.keys()].map((name) => ({ name, kind: 'EntitySet', url: name }))
  const body = JSON.stringify({ '@odata.context': metadataUrlOf(request), value })
  return { status: 200, body, headers: { 'content-type': PAGE_TYPE, ...VERSION } }
}

async function page(service: ObjectService, asked: EntitySetRequest): Promise<Reply> {
  const { body, changeNumber, appliedSize } = await readPage(service, asked)
  const applied: Record<string, string> =
    appliedSize === undefined ? {} : { 'preference-applied': `odata.maxpagesize=${appliedSize}` }
  const headers = { 'content-type': PAGE_TYPE, ...VERSION, ...applied, ...changeNumbered(changeNumber) }
  return { status: 200, body, headers }
}

async function count(service: ObjectService, asked: EntitySetRequest): Promise<Reply> {
  const body = String(await countRecords(service, asked))
  return { status: 200, body, headers: { 'content-type': 'text/plain;charset=utf-8', ...VERSION } }
}

async function entity(service: ObjectService, asked: EntitySetRequest, { path }: ApiRequest): Promise<Reply> {
  const found = await readEntity(service, asked)
  if (!found) throw noResource(path)
  const { body, changeNumber } = found
  return { status: 200, body, headers: { 'content-type': PAGE_TYPE, ...VERSION, ...changeNumbered(changeNumber) } }
}

/** The items of a list of one entity. Throws 404 if the caller sees no such entity, 501 for other paths behind one. */
async function itemsRequest(service: ObjectService, request: ApiRequest, model: ODataModel): Promise<EntitySetRequest> {
  const asked = entitySetRequest(request, model)
  const { navigation = '' } = request.params
  if (!asked.key) throw noResource(request.path)
  const items = model.entitySets.get(asked.set.lists?.get(navigation) ?? '')
  if (!items) {
    const { name } = setSegment(navigation)
    const isKnown = asked.set.properties.has(name) || asked.set.navigation.has(name) || name.startsWith('$')
    throw isKnown ? notSupported(`the path ${name} behind an entity`) : noResource(request.path)
  }
  if (!(await isThere(service, asked))) throw noResource(request.path)
  return { ...asked, set: items }
}

function entitySetRequest(request: ApiRequest, { entitySets }: ODataModel): EntitySetRequest {
  const { caller, companyId, params, path, query, asker, accept, acceptLanguage, prefer } = request
  const { name, key: keyText } = setSegment(params.entitySet ?? '')
  const set = entitySets.get(name)
  // What the caller may not read is not in its model.
  if (!set) throw noResource(path)
  const [metadataUrl, pageUrl] = [metadataUrlOf(request), request.origin() + path]
  const key = keyText === undefined ? undefined : keyFilter(set, keyText)
  return { caller, companyId, set, key, query, asker, accept, acceptLanguage, prefer, metadataUrl, pageUrl }
}

function metadataUrlOf(request: ApiRequest): string {
  return `${request.origin()}${ROOT.exec(request.path)?.[0] ?? ''}/$metadata`
}
