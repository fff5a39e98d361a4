// The endpoints of attribute relations: permissions, parameters, bodies and responses.

import { Type } from 'typebox'
import { noResource } from '../../errors/catalogue.ts'
import { companyParameter, fieldRefusal, refusal } from '../../http/openapi/parameters.ts'
import { createdReply } from '../../http/route/replies.ts'
import type { ApiRequest, RouteTable } from '../../http/route/route.ts'
import { type ParameterDescription, pathParameter } from '../../model/option-texts.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { idempotent } from '../shared/idempotent.ts'
import type { RelationKey } from '../shared/master-data/relation-store.ts'
import type { PastService } from '../shared/past-routes.ts'
import { recordTexts, singleRoutes } from '../shared/record-routes.ts'
import { keyFilterOf, relationAccess } from './attribute-relation.ts'
import { type CreatedRelation, createAttributeRelation } from './create-relation.ts'
import { relationRecord } from './relation-record.ts'

const COLLECTION = '/v1/attribute-relations'
const SINGLE = `${COLLECTION}/:attributeId/:attributeValue/:relatedAttributeId/:relationValue`

const ENCODED = 'percent-encoded where it holds other characters than a path allows, such as %2F for a slash.'

const keyParameters: readonly ParameterDescription[] = [
  keyParameter('attributeId', 'The attribute.', 'C1'),
  keyParameter('attributeValue', `Its value; ${ENCODED}`, '1000'),
  keyParameter('relatedAttributeId', 'The related attribute.', 'C2'),
  keyParameter('relationValue', `The value of the related attribute; ${ENCODED}`, '100'),
  companyParameter,
]

function keyParameter(name: keyof RelationKey, description: string, example: string): ParameterDescription {
  return pathParameter(name, description, Type.String({ examples: [example] }))
}

const texts = recordTexts({
  name: 'attribute-relations',
  noun: 'relation',
  schema: AttributeRelation.schema,
  key: keyParameters,
  summaries: {
    create: 'Create an attribute relation',
    read: 'Read one attribute relation',
    history: 'an attribute relation',
    update: 'Change percentage, end or related value of an attribute relation',
    delete: 'Delete an attribute relation for good',
  },
  answers: {
    create: {
      400: fieldRefusal('The body cannot be read.'),
      422: fieldRefusal('A rule is not met, all findings together; or both values are connected already.'),
    },
    update: {
      400: refusal('The body is no array of operations.'),
      422: fieldRefusal('An operation cannot be applied, or a rule is not met; nothing was changed.'),
    },
    delete: { 422: refusal('The relation is mandatory.') },
  },
})

export function attributeRelationRoutes(router: RouteTable, service: PastService): void {
  router.post(COLLECTION, {
    ...texts.create,
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
  singleRoutes(router, service, {
    path: SINGLE,
    texts: { ...texts, update: { ...texts.update, reportsUnknownCompany: true } },
    typeOf: () => relationRecord,
    keyOf,
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
