// The entity sets of a company: `/odata/v4/{companyId}/{entitySet}` and its `/$count`.
import { noResource } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { changeNumbered } from '../http/reply/replies.ts'
import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest, PathParams, RouteTable } from '../http/route.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { ObjectService } from '../objects/query-document.ts'
import { metadataXml } from './metadata/csdl.ts'
import { entitySetNames, type ODataModel, odataModel } from './model.ts'
import { countRecords, readPage } from './pages/read-page.ts'
import type { EntitySetRequest } from './pages/request.ts'

const PAGE_TYPE = 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8'
const VERSION = { 'odata-version': '4.0' }
/** Up to the company. */
const ROOT = /^.*?\/odata\/v4\/[^/]+/

type Documents = () => Iterable<EnterpriseDocument>

const COMPANY = '/odata/v4/:companyId'

export function odataRoutes(router: RouteTable, service: ObjectService, documents: Documents): void {
  const isSet = ({ entitySet }: PathParams) =>
    entitySet === undefined || entitySetNames(documents()).includes(entitySet)
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
  declare(`${COMPANY}/:entitySet`, (request) => page(service, askedOf(request)))
  declare(`${COMPANY}/:entitySet/$count`, async (request) => {
    const body = String(await countRecords(service, askedOf(request)))
    return { status: 200, body, headers: { 'content-type': 'text/plain;charset=utf-8', ...VERSION } }
  })
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

function entitySetRequest(request: ApiRequest, { entitySets }: ODataModel): EntitySetRequest {
  const { caller, companyId, params, path, query, asker, accept, acceptLanguage, prefer } = request
  const set = entitySets.get(params.entitySet ?? '')
  // What the caller may not read is not in its model.
  if (!set) throw noResource(path)
  const [metadataUrl, pageUrl] = [metadataUrlOf(request), request.origin() + path]
  return { caller, companyId, set, query, asker, accept, acceptLanguage, prefer, metadataUrl, pageUrl }
}

function metadataUrlOf(request: ApiRequest): string {
  return `${request.origin()}${ROOT.exec(request.path)?.[0] ?? ''}/$metadata`
}
