// The endpoints of attribute relations: permissions, parameters, bodies and responses.

import { Type } from 'typebox'
import { noResource } from '../../errors/catalogue.ts'
import {
  asOfParameter,
  bodyAnswers,
  commonAnswers,
  companyParameter,
  fieldRefusal,
  goneAnswer,
  ifMatchParameter,
  ifNoneMatchParameter,
  refusal,
} from '../../http/openapi/parameters.ts'
import { createdReply, etagHeader, recordReply } from '../../http/route/replies.ts'
import type { ApiRequest, RouteTable } from '../../http/route/route.ts'
import type { ParameterDescription } from '../../model/option-texts.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { PatchBody } from '../../patch/patch-body.ts'
import { idempotent } from '../shared/idempotent.ts'
import type { RelationKey } from '../shared/master-data/relation-store.ts'
import { historyReply, historyText, type PastService, pastHeader } from '../shared/past-routes.ts'
import { patchHandler, readHandler, removeHandler } from '../shared/record-routes.ts'
import { keyFilterOf, relationAccess } from './attribute-relation.ts'
import { type CreatedRelation, createAttributeRelation } from './create-relation.ts'
import { relationRecord } from './relation-record.ts'

const COLLECTION = '/v1/attribute-relations'
const SINGLE = `${COLLECTION}/:attributeId/:attributeValue/:relatedAttributeId/:relationValue`

const ENCODED = 'percent-encoded where it holds other characters than a path allows, such as %2F for a slash.'

const keyParameters: readonly ParameterDescription[] = [
  pathParameter('attributeId', 'The attribute.', 'C1'),
  pathParameter('attributeValue', `Its value; ${ENCODED}`, '1000'),
  pathParameter('relatedAttributeId', 'The related attribute.', 'C2'),
  pathParameter('relationValue', `The value of the related attribute; ${ENCODED}`, '100'),
  companyParameter,
]

function pathParameter(name: keyof RelationKey, description: string, example: string): ParameterDescription {
  return { name, in: 'path', description, schema: Type.String({ examples: [example] }) }
}

export function attributeRelationRoutes(router: RouteTable, service: PastService): void {
  router.post(COLLECTION, {
    permit: 'attribute-relations:create',
    summary: 'Create an attribute relation',
    parameters: [companyParameter],
    body: AttributeRelation.schema,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      201: {
        description: 'The relation as it was created.',
        schema: AttributeRelation.schema,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read.'),
      422: fieldRefusal('A rule is not met, all findings together; or both values are connected already.'),
    },
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => createAttributeRelation(service, request),
        toStored: (created: CreatedRelation) => ({
          ...createdReply(created, addressOf(created.key)),
          row: keyFilterOf(created.key),
        }),
        visibility: { access: (company) => relationAccess(apiRequest.caller, company, 'create') },
      }),
  })

  router.get(SINGLE, {
    permit: 'attribute-relations:read',
    summary: 'Read one attribute relation',
    parameters: [...keyParameters, asOfParameter, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      ...goneAnswer,
      200: {
        description: 'The relation.',
        schema: AttributeRelation.schema,
        headers: { ...etagHeader, ...pastHeader },
      },
      304: { description: 'The relation is as the caller knows it.', headers: { ...etagHeader, ...pastHeader } },
      404: refusal('There is no such relation.'),
    },
    handle: (request) => readHandler(service, relationRecord, request, keyOf(request)),
  })

  router.get(`${SINGLE}/history`, {
    ...historyText('an attribute relation', { permit: 'attribute-relations:read', parameters: keyParameters }),
    handle: (request) => historyReply(service, relationRecord, request, keyOf(request)),
  })

  router.patch(SINGLE, {
    permit: 'attribute-relations:update',
    reportsUnknownCompany: true,
    summary: 'Change percentage, end or related value of an attribute relation: all operations or none',
    parameters: [...keyParameters, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      200: { description: 'The relation as it is now.', schema: AttributeRelation.schema, headers: etagHeader },
      400: refusal('The body is no array of operations.'),
      404: refusal('There is no such relation.'),
      409: refusal('Somebody has changed the relation since.'),
      422: fieldRefusal('An operation cannot be applied, or a rule is not met; nothing was changed.'),
    },
    handle: (request) => patchHandler(service, relationRecord, request, keyOf(request), recordReply),
  })

  router.delete(SINGLE, {
    permit: 'attribute-relations:delete',
    summary: 'Delete an attribute relation for good',
    parameters: [...keyParameters, ifMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'No body.' },
      404: refusal('There is no such relation.'),
      409: refusal('Somebody has changed the relation since.'),
      422: refusal('The relation is mandatory.'),
    },
    handle: (request) => removeHandler(service, relationRecord, request, keyOf(request)),
  })

  // A missing path value is 404, even where the shorter path supports other methods (decision 2).
  router.incomplete(['PATCH', 'DELETE'], COLLECTION)
}

/** Reads the key from the path. Throws 404 (1030) when a part is empty. */
function keyOf({ params, path }: ApiRequest): RelationKey {
  const { attributeId = '', attributeValue = '', relatedAttributeId = '', relationValue = '' } = params
  const key = { attributeId, attributeValue, relatedAttributeId, relationValue }
  if (Object.values(key).includes('')) throw noResource(path)
  return key
}

function addressOf({ attributeId, attributeValue, relatedAttributeId, relationValue }: RelationKey): string {
  const parts = [attributeId, attributeValue, relatedAttributeId, relationValue]
  return `${COLLECTION}/${parts.map(encodeURIComponent).join('/')}`
}
