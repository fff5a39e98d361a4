// The paths of a company, `/odata/v4/{companyId}/...`: service document, metadata, entity sets and their `/$count`, one
// entity by its key and the items of its lists, and files that open an entity set in Excel or Power BI.
import { noResource } from '../errors/catalogue.ts'
import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest, PathParams, Route, RouteTable } from '../http/route.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { ObjectService } from '../objects/query-document.ts'
import { keyFilter, setSegment } from './entity/key.ts'
import { isThere } from './entity/read-entity.ts'
import { LINK_FILES, linkFile } from './links/link-routes.ts'
import { entitySetNames, type ODataModel, odataModel } from './model.ts'
import type { EntitySetRequest } from './pages/request.ts'
import { problemForm } from './protocol/problem-form.ts'
import { metadataReply, serviceDocumentReply } from './protocol/service-routes.ts'
import { countReply, entityReply, pageReply } from './protocol/set-routes.ts'
import { COMPANY, rootUrlOf } from './protocol/urls.ts'
import { maxVersionIn } from './protocol/version.ts'
import { notSupported } from './query/refusals.ts'

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
  const isSet = ({ entitySet }: PathParams) =>
    entitySet === undefined || entitySetNames(documents()).includes(setSegment(entitySet).name)
  const modelOf = ({ caller, companyId }: ApiRequest) =>
    odataModel(caller, service.companies.require(companyId), documents())
  const declare = (path: string, handle: Handle) => declareReads(router, COMPANY + path, isSet, handle)
  const askedOf = (request: ApiRequest) => entitySetRequest(request, modelOf(request))
  const itemsOf = (request: ApiRequest) => itemsRequest(service, request, modelOf(request))

  declare('', (request) => serviceDocumentReply(request, modelOf(request)))
  declare('/$metadata', (request) => metadataReply(request, modelOf(request)))
  declare('/:entitySet', (request) => {
    const asked = askedOf(request)
    return asked.key ? entityReply(service, asked, request.path) : pageReply(service, asked)
  })
  declare('/:entitySet/$count', async (request) => {
    const asked = askedOf(request)
    if (asked.key) throw noResource(request.path)
    return countReply(service, asked)
  })
  declare('/:entitySet/:navigation', async (request) => pageReply(service, await itemsOf(request)))
  declare('/:entitySet/:navigation/$count', async (request) => countReply(service, await itemsOf(request)))
  declare(`/${LINK_FILES}/:file`, (request) => linkFile(request, modelOf(request)))
  declareRefusals(router)
}

function declareReads(router: RouteTable, path: string, isSet: (params: PathParams) => boolean, handle: Handle): void {
  const route: Route = {
    ...COMMON,
    methodsAt: (params) => (isSet(params) ? ['GET', 'HEAD'] : []),
    requireResource(params, path) {
      if (!isSet(params)) throw noResource(path)
    },
    handle(request) {
      maxVersionIn(request.header('odata-maxversion'))
      return handle(request)
    },
  }
  router.get(path, route)
}

/** Batches, and whatever else there is below a company: so that these have OData's body of an error, too. */
function declareRefusals(router: RouteTable): void {
  const handle = (request: ApiRequest) => {
    throw noResource(request.path)
  }
  router.post(`${COMPANY}/$batch`, {
    ...COMMON,
    // Before the body, which may be of any type.
    requireResource() {
      throw notSupported('$batch')
    },
    handle,
  })
  router.get(`${COMPANY}/*`, { ...COMMON, methodsAt: () => [], handle })
}

/** The items of a list of one entity. Throws 404 if the caller sees no such entity, 501 for other paths behind one. */
async function itemsRequest(service: ObjectService, request: ApiRequest, model: ODataModel): Promise<EntitySetRequest> {
  const asked = entitySetRequest(request, model)
  const { navigation = '' } = request.params
  if (!asked.key) throw noResource(request.path)
  const items = asked.set.lists?.get(navigation)
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
  const [metadataUrl, pageUrl] = [`${rootUrlOf(request)}/$metadata`, request.origin() + path]
  const key = keyText === undefined ? undefined : keyFilter(set, keyText)
  return { caller, companyId, set, key, query, asker, accept, acceptLanguage, prefer, metadataUrl, pageUrl }
}
