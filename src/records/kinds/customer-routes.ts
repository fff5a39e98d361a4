// The endpoints of customers: permissions, parameters, bodies and responses.

import { Type } from 'typebox'
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
import { etagHeader, recordReply } from '../../http/route/replies.ts'
import type { ApiRequest, RouteTable } from '../../http/route/route.ts'
import type { ParameterDescription } from '../../model/option-texts.ts'
import { Customer } from '../../model/records/customer.ts'
import { PatchBody } from '../../patch/patch-body.ts'
import { createHandler } from '../engine/create-routes.ts'
import { KindRecords } from '../engine/kind-records.ts'
import { historyReply, historyText, type PastService, pastHeader } from '../shared/past-routes.ts'
import { patchHandler, readHandler, removeHandler } from '../shared/record-routes.ts'
import { customersOf } from './customers.ts'

const COLLECTION = '/v1/customers'
const SINGLE = `${COLLECTION}/:customerId`

/** Spelt differently from the other resources (specification, authentication 4). */
const NOT_AUTHORIZED = 'User is not authorized'

const keyParameters: readonly ParameterDescription[] = [
  {
    name: 'customerId',
    in: 'path',
    description: 'The customer.',
    schema: Type.String({ examples: ['100000'] }),
  },
  companyParameter,
]

export function customerRoutes(router: RouteTable, service: PastService): void {
  const kindOf = ({ companyId }: ApiRequest) => customersOf(service.companies.require(companyId))
  const typeOf = (request: ApiRequest) => new KindRecords(kindOf(request), request.caller, service.own)

  router.post(COLLECTION, {
    permit: 'customers:create',
    deniedMessage: NOT_AUTHORIZED,
    summary: 'Create a customer',
    parameters: [companyParameter],
    body: Customer.schema,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      201: {
        description: 'The customer as it was created.',
        schema: Customer.schema,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read, a text is too long, or the customer exists already.'),
      422: fieldRefusal('A rule is not met; all findings together.'),
    },
    handle: (request) => createHandler(service, kindOf(request), request),
  })

  router.get(SINGLE, {
    permit: 'customers:read',
    deniedMessage: NOT_AUTHORIZED,
    summary: 'Read one customer',
    parameters: [...keyParameters, asOfParameter, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      ...goneAnswer,
      200: { description: 'The customer.', schema: Customer.schema, headers: { ...etagHeader, ...pastHeader } },
      304: { description: 'The customer is as the caller knows it.', headers: { ...etagHeader, ...pastHeader } },
      404: refusal('There is no such customer.'),
    },
    handle: (request) => readHandler(service, typeOf(request), request, keyOf(request)),
  })

  router.get(`${SINGLE}/history`, {
    ...historyText('a customer', {
      permit: 'customers:read',
      deniedMessage: NOT_AUTHORIZED,
      parameters: keyParameters,
    }),
    handle: (request) => historyReply(service, typeOf(request), request, keyOf(request)),
  })

  router.patch(SINGLE, {
    permit: 'customers:update',
    deniedMessage: NOT_AUTHORIZED,
    summary: 'Change a customer: all operations or none',
    parameters: [...keyParameters, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      200: { description: 'The customer as it is now.', schema: Customer.schema, headers: etagHeader },
      400: fieldRefusal('An operation cannot be read or applied, or a text is too long; nothing was changed.'),
      404: refusal('There is no such customer.'),
      409: refusal('Somebody has changed the customer since.'),
      422: fieldRefusal('A rule is not met; nothing was changed.'),
    },
    handle: (request) => patchHandler(service, typeOf(request), request, keyOf(request), recordReply),
  })

  router.delete(SINGLE, {
    permit: 'customers:delete',
    deniedMessage: NOT_AUTHORIZED,
    summary: 'Close a customer: it stays readable with status Closed',
    parameters: [...keyParameters, ifMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'No body.' },
      404: refusal('There is no such customer.'),
      409: refusal('Somebody has changed the customer since.'),
    },
    handle: (request) => removeHandler(service, typeOf(request), request, keyOf(request)),
  })
}

function keyOf({ params }: ApiRequest): readonly string[] {
  return [params.customerId ?? '']
}
