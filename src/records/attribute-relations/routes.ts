// The four endpoints of one attribute relation: who may, what comes in, what goes out.

import { Type } from 'typebox'
import { noResource } from '../../errors/catalogue.ts'
import type { Call, Edge, ParameterText } from '../../http/edge.ts'
import {
  bodyAnswers,
  commonAnswers,
  companyParameter,
  fieldRefusal,
  ifMatchParameter,
  ifNoneMatchParameter,
  refusal,
} from '../../http/parameters.ts'
import { createdReply, etagHeader, recordReply } from '../../http/record-reply.ts'
import { PatchBody } from '../../patch/patch-body.ts'
import { answerOnce } from '../shared/answer-once.ts'
import { answerRecord } from '../shared/answer-record.ts'
import type { RelationKey } from '../shared/relation-store.ts'
import type { Service } from '../shared/service.ts'
import { AttributeRelation, relationNotFound, rowWith } from './attribute-relation.ts'
import { relationSight } from './attribute-relation-document.ts'
import { relationReadings } from './attribute-relation-store.ts'
import { type CreatedRelation, createAttributeRelation } from './create-relation.ts'
import { deleteAttributeRelation } from './delete-relation.ts'
import { type PatchedRelation, patchAttributeRelation } from './patch-relation.ts'
import { readAttributeRelation } from './read-relation.ts'

const COLLECTION = '/v1/attribute-relations'
const SINGLE = `${COLLECTION}/:attributeId/:attributeValue/:relatedAttributeId/:relationValue`

const ENCODED = 'percent-encoded where it holds other characters than a path allows, such as %2F for a slash.'

const keyParameters: readonly ParameterText[] = [
  pathParameter('attributeId', 'The attribute.', 'C1'),
  pathParameter('attributeValue', `Its value; ${ENCODED}`, '1000'),
  pathParameter('relatedAttributeId', 'The related attribute.', 'C2'),
  pathParameter('relationValue', `The value of the related attribute; ${ENCODED}`, '100'),
  companyParameter,
]

function pathParameter(name: keyof RelationKey, description: string, example: string): ParameterText {
  return { name, in: 'path', description, schema: Type.String({ examples: [example] }) }
}

export function attributeRelationRoutes(edge: Edge, service: Service): void {
  edge.post(COLLECTION, {
    permit: 'attribute-relations:create',
    summary: 'Create an attribute relation',
    parameters: [companyParameter],
    body: AttributeRelation,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      201: {
        description: 'The relation as it was created.',
        schema: AttributeRelation,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read.'),
      422: fieldRefusal('A rule is not met, all findings together; or both values are connected already.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => createAttributeRelation(service, request),
        seal: (created: CreatedRelation) => ({
          ...createdReply(created, addressOf(created.key)),
          row: rowWith(created.key),
        }),
        seen: { sight: (company) => relationSight(call.caller, company, 'create') },
      }),
  })

  edge.get(SINGLE, {
    permit: 'attribute-relations:read',
    summary: 'Read one attribute relation',
    parameters: [...keyParameters, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'The relation.', schema: AttributeRelation, headers: etagHeader },
      304: { description: 'The relation is as the caller knows it.' },
      404: refusal('There is no such relation.'),
    },
    handle: (call) =>
      answerRecord(service, call, {
        readings: relationReadings,
        sightFor: relationSight,
        read: () => readAttributeRelation(service, call.caller, call.companyId, keyOf(call)),
      }),
  })

  edge.patch(SINGLE, {
    permit: 'attribute-relations:update',
    summary: 'Change percentage, end or related value of an attribute relation: all operations or none',
    parameters: [...keyParameters, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      200: { description: 'The relation as it is now.', schema: AttributeRelation, headers: etagHeader },
      400: refusal('The body is no array of operations.'),
      404: refusal('There is no such relation.'),
      409: refusal('Somebody has changed the relation since.'),
      422: fieldRefusal('An operation cannot be applied, or a rule is not met; nothing was changed.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => patchAttributeRelation(service, { ...request, key: keyOf(call) }),
        seal: (patched: PatchedRelation) => ({ ...recordReply(patched), row: rowWith(patched.key) }),
        seen: {
          sight: (company) => relationSight(call.caller, company, 'update'),
          refusal: (company) => relationNotFound(company, keyOf(call)),
        },
      }),
  })

  edge.delete(SINGLE, {
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
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => deleteAttributeRelation(service, { ...request, key: keyOf(call) }),
        seal: () => ({ status: 200 }),
      }),
  })

  // decision 2: a path value that is missing is 404, also where the shorter path answers other methods.
  edge.incomplete(['PATCH', 'DELETE'], COLLECTION)
}

/** The four parts of the key. Throws 404 (1030) when one is empty. */
function keyOf({ params, path }: Call): RelationKey {
  const { attributeId = '', attributeValue = '', relatedAttributeId = '', relationValue = '' } = params
  const key = { attributeId, attributeValue, relatedAttributeId, relationValue }
  if (Object.values(key).includes('')) throw noResource(path)
  return key
}

function addressOf({ attributeId, attributeValue, relatedAttributeId, relationValue }: RelationKey): string {
  const parts = [attributeId, attributeValue, relatedAttributeId, relationValue]
  return `${COLLECTION}/${parts.map(encodeURIComponent).join('/')}`
}
