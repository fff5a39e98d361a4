// The endpoints of attribute values: permissions, parameters, bodies and responses.
import { Type } from 'typebox'
import { noResource } from '../../errors/catalogue.ts'
import {
  collectionAsOfParameter,
  collectionParameters,
  companyParameter,
  countParameters,
  fieldRefusal,
  goneAnswer,
  ifNoneMatchParameter,
  OTHER_FORMATS,
  refusal,
  validAtParameter,
} from '../../http/openapi/parameters.ts'
import { countedAnswer, pageAnswerHeaders, unchangedAnswer } from '../../http/route/replies.ts'
import type { ApiRequest, DescribedRoute, Route, RouteTable } from '../../http/route/route.ts'
import { optionTexts, type ParameterDescription, pathParameter } from '../../model/option-texts.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { collectionHandlers } from '../../parquet/parquet-routes.ts'
import { schemaOfDocument } from '../../query/schema-of.ts'
import { createHandler } from '../engine/create-routes.ts'
import { KindRecords } from '../engine/kind-records.ts'
import { recordTexts, singleRoutes } from '../shared/record-routes.ts'
import { baseDataOf } from './attribute-value.ts'
import { VALUES } from './attribute-value-record.ts'
import { insertNewValue } from './create-attribute-value.ts'
import { countAttributeValues, type ListService, listAttributeValues } from './list-attribute-values.ts'

const COLLECTION = '/v1/attribute-values'
const OF_ATTRIBUTE = `${COLLECTION}/:attributeId`
/** The wildcard contains the value, which may contain slashes, and the period. */
const SINGLE = `${OF_ATTRIBUTE}/*`
/** The end of the wildcard where it is the history that is asked for: no value has a period of this name. */
const HISTORY = /^(.+\/\d+)\/history$/s

const attributeIdParameter = pathParameter('attributeId', 'The attribute.', Type.String({ examples: ['C1'] }))

const keyParameters: readonly ParameterDescription[] = [
  attributeIdParameter,
  pathParameter(
    'attributeValue',
    'The value; percent-encoded where it holds other characters than a path allows.',
    Type.String({ examples: ['1000'] }),
  ),
  pathParameter('periodFrom', 'The first period, yyyypp or 0.', Type.Integer({ examples: [0] })),
  companyParameter,
]

const LISTED_DOCUMENT = baseDataOf(AttributeValue.document)
const LISTED = optionTexts(LISTED_DOCUMENT)
const VALID_AT = validAtParameter('period')

const texts = recordTexts({
  name: 'attribute-values',
  noun: 'value',
  schema: AttributeValue.schema,
  key: keyParameters,
  summaries: {
    create: 'Create an attribute value',
    read: 'Read one attribute value with its relations and contact points',
    history: 'an attribute value',
    update: 'Change an attribute value',
    delete: 'Close an attribute value: it stays readable with status C',
  },
  absent: 'There is no such attribute or value.',
  answers: {
    create: { 400: fieldRefusal('The body cannot be read.'), 409: refusal('The value exists already.') },
    update: {
      400: refusal('The body is no array of operations.'),
      422: fieldRefusal('An operation cannot be applied, or a rule is not met; nothing was changed.'),
    },
    delete: { 400: refusal('The attribute does not allow manual maintenance.') },
  },
})

export function attributeValueRoutes(router: RouteTable, service: ListService): void {
  router.post(COLLECTION, {
    ...texts.create,
    handle: (request) => createHandler(service, VALUES, request, insertNewValue),
  })
  const { history: _described, ...ofValue } = texts
  singleRoutes(router, service, {
    path: SINGLE,
    texts: { ...ofValue, update: { ...texts.update, reportsUnknownCompany: true } },
    typeOf: ({ caller }) => new KindRecords(VALUES, caller, service.own),
    keyOf,
    historyOf: (request) => {
      const [, ofHistory] = HISTORY.exec(request.params['*'] ?? '') ?? []
      return ofHistory === undefined ? undefined : keyOf(request, ofHistory)
    },
  })

  const handlers = collectionHandlers(
    service,
    (request) => listAttributeValues(service, request, attributeIdOf(request)),
    (request) => countAttributeValues(service, request, attributeIdOf(request)),
  )
  const common = [VALID_AT, collectionAsOfParameter, ifNoneMatchParameter]
  const query: Route = {
    permit: 'attribute-values:read',
    summary: 'Query the values of an attribute (base data only)',
    parameters: [attributeIdParameter, ...collectionParameters(LISTED), ...common],
    answers: {
      ...unchangedAnswer,
      ...goneAnswer,
      200: {
        description: 'The values; an empty array when there are none.',
        schema: Type.Unsafe({ type: 'array', items: schemaOfDocument(LISTED_DOCUMENT, 'AttributeValueBase') }),
        headers: pageAnswerHeaders,
        otherTypes: OTHER_FORMATS,
      },
      400: refusal('A limit, an offset or a combination of options is not legal.'),
      404: refusal('There is no such attribute, or the query is wrong: the message says where.'),
    },
    handle: handlers.query,
  }

  const count: Route = {
    permit: 'attribute-values:read',
    summary: 'Count the values of an attribute',
    parameters: [attributeIdParameter, ...countParameters(LISTED), ...common],
    answers: {
      ...unchangedAnswer,
      ...goneAnswer,
      200: countedAnswer('values'),
      404: refusal('There is no such attribute, or the filter is wrong.'),
    },
    handle: handlers.count,
  }
  router.get(OF_ATTRIBUTE, query, count)

  // A missing path value is 404, even where the shorter path supports other methods (decision 2).
  router.incomplete(['GET', 'PATCH', 'DELETE'], COLLECTION)
  router.incomplete(['PATCH', 'DELETE'], OF_ATTRIBUTE)
}

/** A part of the path of single values, for the API description. */
export const valueHistoryRoute: DescribedRoute = { ...texts.history, method: 'GET', path: `${SINGLE}/history` }

function attributeIdOf({ params }: ApiRequest): string {
  return params.attributeId ?? ''
}

/** Reads the key from the path. Throws 404 (1030) when the value or the period is missing. */
function keyOf(request: ApiRequest, rest = request.params['*'] ?? ''): readonly string[] {
  const slash = rest.lastIndexOf('/')
  if (slash < 1) throw noResource(request.path)
  return [attributeIdOf(request), rest.slice(0, slash), rest.slice(slash + 1)]
}
