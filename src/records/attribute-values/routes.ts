// The six endpoints of attribute values: who may, what comes in, what goes out.
import { Type } from 'typebox'
import { noResource } from '../../errors/catalogue.ts'
import type { Call, Edge, ParameterText } from '../../http/edge.ts'
import {
  bodyAnswers,
  collectionParameters,
  commonAnswers,
  companyParameter,
  fieldRefusal,
  filterParameter,
  ifMatchParameter,
  ifNoneMatchParameter,
  refusal,
} from '../../http/parameters.ts'
import { createdReply, etagHeader, recordReply } from '../../http/record-reply.ts'
import { stateHeaders, unchangedAnswer } from '../../http/repeats.ts'
import { optionTexts } from '../../model/option-texts.ts'
import { PatchBody } from '../../patch/patch-body.ts'
import { schemaOfDocument } from '../../query/schema-of.ts'
import { answerOnce } from '../shared/answer-once.ts'
import { answerRecord } from '../shared/answer-record.ts'
import { AttributeValue, type RequestedKey, rowWith, valueNotFound } from './attribute-value.ts'
import { attributeValueDocument, baseDataOf, valueSight } from './attribute-value-document.ts'
import { type ValueKey, valueReadings } from './attribute-value-store.ts'
import { closeAttributeValue } from './close-attribute-value.ts'
import { countAttributeValues } from './count-attribute-values.ts'
import { type CreatedValue, createAttributeValue } from './create-attribute-value.ts'
import { type ListService, listAttributeValues } from './list-attribute-values.ts'
import { type PatchedValue, patchAttributeValue } from './patch-attribute-value.ts'
import { readAttributeValue } from './read-attribute-value.ts'

const COLLECTION = '/v1/attribute-values'
const OF_ATTRIBUTE = `${COLLECTION}/:attributeId`
/** Behind the attribute stand the value, which may hold slashes, and the period. */
const SINGLE = `${OF_ATTRIBUTE}/*`

const attributeIdParameter: ParameterText = {
  name: 'attributeId',
  in: 'path',
  description: 'The attribute.',
  schema: Type.String({ examples: ['C1'] }),
}

const keyParameters: readonly ParameterText[] = [
  attributeIdParameter,
  {
    name: 'attributeValue',
    in: 'path',
    description: 'The value; percent-encoded where it holds other characters than a path allows.',
    schema: Type.String({ examples: ['1000'] }),
  },
  {
    name: 'periodFrom',
    in: 'path',
    description: 'The first period, yyyypp or 0.',
    schema: Type.Integer({ examples: [0] }),
  },
  companyParameter,
]

const LISTED_DOCUMENT = baseDataOf(attributeValueDocument)
const LISTED = optionTexts(LISTED_DOCUMENT)

export function attributeValueRoutes(edge: Edge, service: ListService): void {
  edge.post(COLLECTION, {
    permit: 'attribute-values:create',
    summary: 'Create an attribute value',
    parameters: [companyParameter],
    body: AttributeValue,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      201: {
        description: 'The value as it was created.',
        schema: AttributeValue,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read.'),
      409: refusal('The value exists already.'),
      422: fieldRefusal('A rule is not met; all findings together.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => createAttributeValue(service, request),
        seal: (created: CreatedValue) => ({
          ...createdReply(created, addressOf(created.key)),
          row: rowWith(created.key),
        }),
        seen: { sight: (company) => valueSight(call.caller, company, 'create') },
      }),
  })

  edge.get(SINGLE, {
    permit: 'attribute-values:read',
    summary: 'Read one attribute value with its relations and contact points',
    parameters: [...keyParameters, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'The value.', schema: AttributeValue, headers: etagHeader },
      304: { description: 'The value is as the caller knows it.' },
      404: refusal('There is no such attribute or value.'),
    },
    handle: (call) =>
      answerRecord(service, call, {
        readings: valueReadings,
        sightFor: valueSight,
        read: () => readAttributeValue(service, call.caller, call.companyId, keyOf(call)),
      }),
  })

  edge.get(OF_ATTRIBUTE, {
    permit: 'attribute-values:read',
    summary: 'Query the values of an attribute (base data only)',
    parameters: [attributeIdParameter, ...collectionParameters(LISTED), ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      ...unchangedAnswer,
      200: {
        description: 'The values; an empty array when there are none.',
        schema: Type.Unsafe({ type: 'array', items: schemaOfDocument(LISTED_DOCUMENT, 'AttributeValueBase') }),
        headers: {
          Link: 'The next page, when no limit was sent and there is more.',
          'X-ERP-Truncated': '`true` then.',
          ...stateHeaders,
        },
      },
      400: refusal('A limit, an offset or a combination of options is not legal.'),
      404: refusal('There is no such attribute, or the query is wrong: the message says where.'),
    },
    handle: (call) => listAttributeValues(service, call),
  })

  edge.head(OF_ATTRIBUTE, {
    permit: 'attribute-values:read',
    summary: 'Count the values of an attribute',
    parameters: [attributeIdParameter, companyParameter, filterParameter(LISTED), ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      ...unchangedAnswer,
      200: {
        description: 'No body.',
        headers: { 'X-ERP-Total-Count': 'How many values the filter leaves.', ...stateHeaders },
      },
      404: refusal('There is no such attribute, or the filter is wrong.'),
    },
    handle: (call) => countAttributeValues(service, call),
  })

  edge.patch(SINGLE, {
    permit: 'attribute-values:update',
    summary: 'Change an attribute value: all operations or none',
    parameters: [...keyParameters, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      200: { description: 'The value as it is now.', schema: AttributeValue, headers: etagHeader },
      400: refusal('The body is no array of operations.'),
      404: refusal('There is no such attribute or value.'),
      409: refusal('Somebody has changed the value since.'),
      422: fieldRefusal('An operation cannot be applied, or a rule is not met; nothing was changed.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => patchAttributeValue(service, { ...request, key: keyOf(call) }),
        seal: (patched: PatchedValue) => ({ ...recordReply(patched), row: rowWith(patched.key) }),
        seen: {
          sight: (company) => valueSight(call.caller, company, 'update'),
          refusal: (company) => valueNotFound(company, keyOf(call)),
        },
      }),
  })

  edge.delete(SINGLE, {
    permit: 'attribute-values:delete',
    summary: 'Close an attribute value: it stays readable with status C',
    parameters: [...keyParameters, ifMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'No body.' },
      400: refusal('The attribute does not allow manual maintenance.'),
      404: refusal('There is no such attribute or value.'),
      409: refusal('Somebody has changed the value since.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => closeAttributeValue(service, { ...request, key: keyOf(call) }),
        seal: () => ({ status: 200 }),
      }),
  })

  // decision 2: a path value that is missing is 404, also where the shorter path answers other methods.
  edge.incomplete(['GET', 'HEAD', 'PATCH', 'DELETE'], COLLECTION)
  edge.incomplete(['PATCH', 'DELETE'], OF_ATTRIBUTE)
}

/** The three parts of the key. Throws 404 (1030) when the value or the period is missing. */
function keyOf({ params, path }: Call): RequestedKey {
  const rest = params['*'] ?? ''
  const slash = rest.lastIndexOf('/')
  if (slash < 1) throw noResource(path)
  return {
    attributeId: params.attributeId ?? '',
    attributeValue: rest.slice(0, slash),
    periodFrom: rest.slice(slash + 1),
  }
}

function addressOf({ attributeId, attributeValue, periodFrom }: ValueKey): string {
  return `${COLLECTION}/${[attributeId, attributeValue, periodFrom].map(encodeURIComponent).join('/')}`
}
