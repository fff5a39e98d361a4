// The object endpoints: one path for each built-in document, and one path for all custom documents.
import { Type } from 'typebox'
import { nearestName } from '../base/text.ts'
import { noResource } from '../errors/catalogue.ts'
import {
  collectionAsOfParameter,
  collectionParameters,
  countParameters,
  goneAnswer,
  ifNoneMatchParameter,
  OTHER_FORMATS,
  refusal,
  validAtParameter,
} from '../http/openapi/parameters.ts'
import { countedAnswer, pageAnswerHeaders, unchangedAnswer } from '../http/route/replies.ts'
import type { ApiRequest, DescribedRoute, Route, RouteTable } from '../http/route/route.ts'
import { optionTexts, type ParameterDescription, pathParameter } from '../model/option-texts.ts'
import { descriptionIn } from '../model/titles.ts'
import { collectionHandlers } from '../parquet/parquet-routes.ts'
import { schemaOfDocument, schemaTitle } from '../query/schema-of.ts'
import type { PastCollections } from '../store/collection.ts'
import type { DeclaredDocuments } from './declared-documents.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'
import { type CollectionService, countDocument, queryDocument } from './query-document.ts'

export function objectRoutes(
  router: RouteTable,
  service: CollectionService,
  documents: readonly EnterpriseDocument[],
  customDocuments: DeclaredDocuments,
): void {
  const handlers = (documentOf: (request: ApiRequest) => EnterpriseDocument) =>
    collectionHandlers(
      service,
      (request) => queryDocument(service, documentOf(request), request),
      (request) => countDocument(service, documentOf(request), request),
    )
  for (const document of documents) {
    const { name, version } = document.common
    const path = `/v${version}/objects/${name}`
    const { query, count } = handlers(() => document)
    router.get(
      path,
      { ...queryText(document, service.past), handle: query },
      { ...countText(document, service.past), handle: count },
    )
  }
  const path = '/:version/objects/:document'
  const find = ({ version = '', document = '' }: ApiRequest['params'], requestedPath: string) => {
    const found = customDocuments.find(version, document)
    if (!found)
      throw noResource(
        requestedPath,
        nearestPath([...documents, ...customDocuments.all], version, document, requestedPath),
      )
    return found
  }
  const common = { permit: 'objects:read', requireResource: find } as const
  const { query, count } = handlers((request) => find(request.params, request.path))
  router.get(path, { ...common, ...CUSTOM_QUERY, handle: query }, { ...common, ...CUSTOM_COUNT, handle: count })
}

/** The path of the document with the most similar name, with the base path of the request. */
function nearestPath(
  documents: readonly EnterpriseDocument[],
  version: string,
  name: string,
  requestedPath: string,
): string | undefined {
  const nearest = nearestName(
    name,
    documents.map(({ common }) => common.name),
  )
  const found = documents.find(({ common }) => common.name === nearest)
  const basePath = requestedPath.slice(0, Math.max(0, requestedPath.indexOf(`/${version}/objects/`)))
  return found && `${basePath}/v${found.common.version}/objects/${found.common.name}`
}

/** The endpoints of custom documents, for the API description. */
export function declaredDocumentEndpoints(customDocuments: DeclaredDocuments, past: PastCollections): DescribedRoute[] {
  return [...customDocuments.all].flatMap((document) => {
    const { name, version } = document.common
    const path = `/v${version}/objects/${name}`
    const texts = [
      { method: 'GET', ...queryText(document, past) },
      { method: 'HEAD', ...countText(document, past) },
    ] as const
    return texts.map((text) => ({ ...text, path }))
  })
}

type Text = Omit<DescribedRoute, 'method' | 'path'>

function queryText(document: EnterpriseDocument, past: PastCollections): Text {
  const { common, parameters = [] } = document
  const { moments, gone } = momentsOf(document, past)
  const title = schemaTitle(common.name)
  return {
    permit: 'objects:read',
    summary: `Query ${common.name.replaceAll('-', ' ')}`,
    description: `${descriptionIn(common.description, [])} Lists, associations and custom fields are answered when \`select\` names them. With \`groupBy\` or \`aggregate\`, groups are answered instead. ${FORMS}`,
    parameters: [...collectionParameters(optionTexts(common)), ...moments, ...parameters, ifNoneMatchParameter],
    answers: {
      ...unchangedAnswer,
      ...gone,
      200: {
        description: 'The records; an empty array when there are none.',
        schema: Type.Unsafe({ type: 'array', items: schemaOfDocument(common, title) }),
        headers: pageAnswerHeaders,
        otherTypes: OTHER_TYPES,
      },
      400: WRONG_QUERY,
    },
  }
}

function countText(document: EnterpriseDocument, past: PastCollections): Text {
  const { common, parameters = [] } = document
  const { moments, gone } = momentsOf(document, past)
  return {
    permit: 'objects:read',
    summary: `Count ${common.name.replaceAll('-', ' ')}`,
    parameters: [...countParameters(optionTexts(common)), ...moments, ...parameters, ifNoneMatchParameter],
    answers: { ...unchangedAnswer, ...gone, 200: COUNTED, 400: WRONG_QUERY },
  }
}

/** The parameters that choose a moment, and what is answered when its states are no longer kept. */
function momentsOf(
  { common }: EnterpriseDocument,
  past: PastCollections,
): { moments: readonly ParameterDescription[]; gone: Route['answers'] } {
  const valid = common.validity ? [validAtParameter(common.validity.unit)] : []
  return past.covers(common)
    ? { moments: [...valid, collectionAsOfParameter], gone: goneAnswer }
    : { moments: valid, gone: {} }
}

const FORMS =
  'By `$format` or `Accept`: application/json, application/x-ndjson (an object a line), text/csv (RFC 4180), application/vnd.apache.parquet (typed columns; HEAD answers its size, and `Range` parts of it), and application/schema+json for the JSON Schema of the answer.'

const OTHER_TYPES = [...OTHER_FORMATS, 'application/schema+json']

const COUNTED = countedAnswer('records')

const NO_DOCUMENT = {
  ...refusal('No document has this name and version.'),
  headers: { Link: 'With `rel="alternate"`: the address of the document that was probably meant.' },
}
const WRONG_QUERY = refusal('The query is wrong: the message says where, and what was expected there.')

const declaredDocumentParameters = [
  pathParameter(
    'version',
    'Of the document, with a v before it.',
    Type.String({ pattern: '^v[1-9][0-9]*$', examples: ['v1'] }),
  ),
  pathParameter('document', 'A document that the setup defines.', Type.String({ examples: ['work-orders'] })),
] as const

const CUSTOM_QUERY = {
  summary: "Query a document of the setup's own",
  description: `What its records hold, the setup says: ask with \`Accept: application/schema+json\`. ${FORMS}`,
  parameters: [...declaredDocumentParameters, ...collectionParameters()],
  answers: {
    200: {
      description: 'The records; an empty array when there are none.',
      schema: Type.Array(Type.Object({}, { additionalProperties: true, title: 'OwnDocument' })),
      headers: pageAnswerHeaders,
      otherTypes: OTHER_TYPES,
    },
    400: WRONG_QUERY,
    404: NO_DOCUMENT,
  },
}

const CUSTOM_COUNT = {
  summary: "Count a document of the setup's own",
  parameters: [...declaredDocumentParameters, ...countParameters()],
  answers: { 200: COUNTED, 400: WRONG_QUERY, 404: NO_DOCUMENT },
}
