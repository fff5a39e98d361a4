// The endpoints of attribute relations: permissions, parameters, bodies and responses.

import { Type } from 'typebox'
import { noResource } from '../../errors/catalogue.ts'
import { companyParameter, fieldRefusal, refusal } from '../../http/openapi/parameters.ts'
import type { ApiRequest, RouteTable } from '../../http/route/route.ts'
import { type ParameterDescription, pathParameter } from '../../model/option-texts.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { createHandler } from '../engine/create-routes.ts'
import type { PastService } from '../shared/past-routes.ts'
import { recordTexts, singleRoutes } from '../shared/record-routes.ts'
import { RELATIONS } from './attribute-relation.ts'
import { insertNewRelation } from './create-relation.ts'
import { RelationRecords } from './relation-record.ts'

const COLLECTION = '/v1/attribute-relations'
const SINGLE = `${COLLECTION}/:attributeId/:attributeValue/:relatedAttributeId/:relationValue`

const ENCODED = 'percent-encoded where it holds other characters than a path allows, such as %2F for a slash.'

const keyParameters: readonly ParameterDescription[] = [
  pathParameter('attributeId', 'The attribute.', exampleText('C1')),
  pathParameter('attributeValue', `Its value; ${ENCODED}`, exampleText('1000')),
  pathParameter('relatedAttributeId', 'The related attribute.', exampleText('C2')),
  pathParameter('relationValue', `The value of the related attribute; ${ENCODED}`, exampleText('100')),
  companyParameter,
]

function exampleText(example: string) {
  return Type.String({ examples: [example] })
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
    handle: (request) => createHandler(service, RELATIONS, request, insertNewRelation),
  })
  singleRoutes(router, service, {
    path: SINGLE,
    texts: { ...texts, update: { ...texts.update, reportsUnknownCompany: true } },
    typeOf: ({ caller }) => new RelationRecords(RELATIONS, caller, service.own),
    keyOf,
  })

  // A missing path value is 404, even where the shorter path supports other methods (decision 2).
  router.incomplete(['PATCH', 'DELETE'], COLLECTION)
}

/** Reads the key from the path. Throws 404 (1030) when a part is empty. */
function keyOf({ params, path }: ApiRequest): readonly string[] {
  const key = RELATIONS.keyNames.map((name) => params[name] ?? '')
  if (key.includes('')) throw noResource(path)
  return key
}
