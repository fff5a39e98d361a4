// The object endpoints: one path for each built-in document, and one for all documents that a setup defines.
import { Type } from 'typebox'
import { nearestName } from '../base/text.ts'
import { noResource } from '../errors/catalogue.ts'
import type { Call, DeclaredRoute, Edge, Route } from '../http/edge.ts'
import {
  collectionParameters,
  commonAnswers,
  companyParameter,
  filterParameter,
  ifNoneMatchParameter,
  refusal,
} from '../http/parameters.ts'
import { stateHeaders, unchangedAnswer } from '../http/repeats.ts'
import { optionTexts } from '../model/option-texts.ts'
import { schemaOfDocument } from '../query/schema-of.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'
import type { OwnDocuments } from './own-documents.ts'
import { countDocument, type ObjectService, queryDocument } from './query-document.ts'

export function objectRoutes(
  edge: Edge,
  service: ObjectService,
  documents: readonly EnterpriseDocument[],
  own: OwnDocuments,
): void {
  for (const document of documents) {
    const { name, version } = document.common
    const path = `/v${version}/objects/${name}`
    edge.get(path, {
      ...queryText(document),
      handle: (call) => queryDocument(service, document, call),
    })
    edge.head(path, {
      ...countText(document),
      handle: (call) => countDocument(service, document, call),
    })
  }
  const path = '/:version/objects/:document'
  const find = ({ version = '', document = '' }: Call['params'], asked: string) => {
    const found = own.find(version, document)
    if (!found) throw noResource(asked, nearestPath([...documents, ...own.all], version, document, asked))
    return found
  }
  const common = { permit: 'objects:read', requireResource: find } as const
  edge.get(path, {
    ...common,
    ...OWN_QUERY,
    handle: (call) => queryDocument(service, find(call.params, call.path), call),
  })
  edge.head(path, {
    ...common,
    ...OWN_COUNT,
    handle: (call) => countDocument(service, find(call.params, call.path), call),
  })
}

/** The endpoint that was probably meant, below the base path that was asked for. */
function nearestPath(
  documents: readonly EnterpriseDocument[],
  version: string,
  name: string,
  asked: string,
): string | undefined {
  const nearest = nearestName(
    name,
    documents.map(({ common }) => common.name),
  )
  const found = documents.find(({ common }) => common.name === nearest)
  const basePath = asked.slice(0, Math.max(0, asked.indexOf(`/${version}/objects/`)))
  return found && `${basePath}/v${found.common.version}/objects/${found.common.name}`
}

/** The endpoints of the setup's own documents, for the description. */
export function ownEndpoints(own: OwnDocuments): DeclaredRoute[] {
  return [...own.all].flatMap((document) => {
    const { name, version } = document.common
    const path = `/v${version}/objects/${name}`
    const texts = [
      { method: 'GET', ...queryText(document) },
      { method: 'HEAD', ...countText(document) },
    ] as const
    return texts.map((text) => ({ ...text, path, handle: neverCalled }))
  })
}

function neverCalled(): never {
  throw new Error('an endpoint that is only described was called')
}

type RouteText = Omit<Route, 'handle'>

function queryText({ common, parameters = [] }: EnterpriseDocument): RouteText {
  const title = titleOf(common.name)
  return {
    permit: 'objects:read',
    summary: `Query ${common.name.replaceAll('-', ' ')}`,
    description: `${common.description} Lists, associations and custom fields are answered when \`select\` names them. ${FORMS}`,
    parameters: [...collectionParameters(optionTexts(common)), ...parameters, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      ...unchangedAnswer,
      200: {
        description: 'The records; an empty array when there are none.',
        schema: Type.Unsafe({ type: 'array', items: schemaOfDocument(common, title) }),
        headers: PAGE_HEADERS,
        otherTypes: OTHER_TYPES,
      },
      400: WRONG_QUERY,
    },
  }
}

function countText({ common, parameters = [] }: EnterpriseDocument): RouteText {
  return {
    permit: 'objects:read',
    summary: `Count ${common.name.replaceAll('-', ' ')}`,
    parameters: [companyParameter, filterParameter(optionTexts(common)), ...parameters, ifNoneMatchParameter],
    answers: { ...commonAnswers, ...unchangedAnswer, 200: COUNTED, 400: WRONG_QUERY },
  }
}

const FORMS =
  'By `Accept`: application/json, application/x-ndjson (an object a line), text/csv (RFC 4180), and application/schema+json for the JSON Schema of the answer.'

const OTHER_TYPES = ['application/x-ndjson', 'text/csv', 'application/schema+json']

const PAGE_HEADERS = {
  Link: 'The next page, when no limit was sent and there is more.',
  'X-ERP-Truncated': '`true` then.',
  ...stateHeaders,
}

const COUNTED = {
  description: 'No body.',
  headers: { 'X-ERP-Total-Count': 'How many records the filter leaves.', ...stateHeaders },
}

const WRONG_QUERY = refusal('The query is wrong: the message says where, and what was expected there.')

const ownDocumentParameters = [
  {
    name: 'version',
    in: 'path',
    description: 'Of the document, with a v before it.',
    schema: Type.String({ pattern: '^v[1-9][0-9]*$', examples: ['v1'] }),
  },
  {
    name: 'document',
    in: 'path',
    description: 'A document that the setup defines.',
    schema: Type.String({ examples: ['work-orders'] }),
  },
] as const

const OWN_QUERY = {
  summary: "Query a document of the setup's own",
  description: `What its records hold, the setup says: ask with \`Accept: application/schema+json\`. ${FORMS}`,
  parameters: [...ownDocumentParameters, ...collectionParameters()],
  answers: {
    ...commonAnswers,
    200: {
      description: 'The records; an empty array when there are none.',
      schema: Type.Array(Type.Object({}, { additionalProperties: true, title: 'OwnDocument' })),
      headers: PAGE_HEADERS,
      otherTypes: OTHER_TYPES,
    },
    400: WRONG_QUERY,
    404: refusal('No document has this name and version.'),
  },
}

const OWN_COUNT = {
  summary: "Count a document of the setup's own",
  parameters: [...ownDocumentParameters, companyParameter, filterParameter()],
  answers: { ...commonAnswers, 200: COUNTED, 400: WRONG_QUERY, 404: refusal('No document has this name and version.') },
}

/** `attribute-values` -> `AttributeValuesDocument`. */
function titleOf(name: string): string {
  return `${name.replace(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase())}Document`
}
