// The entity sets of a company: `/odata/v4/{companyId}/{entitySet}` and its `/$count`.
import { noResource } from '../errors/catalogue.ts'
import { changeNumbered } from '../http/reply/replies.ts'
import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest, PathParams, Route, RouteTable } from '../http/route.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { ObjectService } from '../objects/query-document.ts'
import { entitySetNames, odataModel } from './model.ts'
import { countRecords, readPage } from './pages/read-page.ts'
import type { EntitySetRequest } from './pages/request.ts'

const PAGE_TYPE = 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8'
const VERSION = { 'odata-version': '4.0' }
/** Up to the company. */
const ROOT = /^.*?\/odata\/v4\/[^/]+/

type Documents = () => Iterable<EnterpriseDocument>

export function odataRoutes(router: RouteTable, service: ObjectService, documents: Documents): void {
  const isSet = ({ entitySet = '' }: PathParams) => entitySetNames(documents()).includes(entitySet)
  const routeOf = (handle: (asked: EntitySetRequest) => Promise<Reply>): Route => ({
    // The metadata of OData describes it.
    permit: () => 'objects:read',
    companyInPath: true,
    summary: 'Query an entity set',
    parameters: [],
    answers: {},
    methodsAt: (params) => (isSet(params) ? ['GET'] : []),
    requireResource(params, path) {
      if (!isSet(params)) throw noResource(path)
    },
    handle: (request) => handle(askedOf(service, documents, request)),
  })
  const path = '/odata/v4/:companyId/:entitySet'
  router.get(
    path,
    routeOf((asked) => page(service, asked)),
  )
  router.get(
    `${path}/$count`,
    routeOf(async (asked) => {
      const body = String(await countRecords(service, asked))
      return { status: 200, body, headers: { 'content-type': 'text/plain;charset=utf-8', ...VERSION } }
    }),
  )
}

async function page(service: ObjectService, asked: EntitySetRequest): Promise<Reply> {
  const { body, changeNumber, wishedSize } = await readPage(service, asked)
  const applied: Record<string, string> =
    wishedSize === undefined ? {} : { 'preference-applied': `odata.maxpagesize=${wishedSize}` }
  const headers = { 'content-type': PAGE_TYPE, ...VERSION, ...applied, ...changeNumbered(changeNumber) }
  return { status: 200, body, headers }
}

function askedOf(service: ObjectService, documents: Documents, request: ApiRequest): EntitySetRequest {
  const { caller, companyId, params, path, query, asker, accept, acceptLanguage, prefer } = request
  const company = service.companies.require(companyId)
  const set = odataModel(caller, company, documents()).entitySets.get(params.entitySet ?? '')
  // What the caller may not read is not in its model.
  if (!set) throw noResource(path)
  const origin = request.origin()
  const metadataUrl = `${origin}${ROOT.exec(path)?.[0] ?? ''}/$metadata`
  const pageUrl = `${origin}${path}`
  return { caller, companyId: company.id, set, query, asker, accept, acceptLanguage, prefer, metadataUrl, pageUrl }
}
