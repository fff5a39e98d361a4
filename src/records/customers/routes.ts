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
import { createdReply, etagHeader, recordReply } from '../../http/reply/replies.ts'
import type { ApiRequest, RouteTable } from '../../http/route.ts'
import type { ParameterDescription } from '../../model/option-texts.ts'
import { Customer } from '../../model/records/customer.ts'
import { PatchBody } from '../../patch/patch-body.ts'
import { idempotent } from '../shared/idempotency/idempotent.ts'
import { historyReply, historyText, type PastService, pastHeader } from '../shared/past/past-routes.ts'
import { patchHandler, readHandler, removeHandler } from '../shared/pipeline/record-routes.ts'
import { type CreatedCustomer, createCustomer } from './create-customer.ts'
import { keyFilterOf } from './customer.ts'
import { customerAccess } from './customer-document.ts'
import { customerRecord } from './customer-record.ts'

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
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => createCustomer(service, request),
        toStored: (created: CreatedCustomer) => ({
          ...createdReply(created, `${COLLECTION}/${encodeURIComponent(created.customerId)}`),
          row: keyFilterOf(created.customerId),
        }),
        visibility: { access: (company) => customerAccess(apiRequest.caller, company, 'create') },
      }),
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
    handle: (request) => readHandler(service, customerRecord, request, idOf(request)),
  })

  router.get(`${SINGLE}/history`, {
    ...historyText('a customer', {
      permit: 'customers:read',
      deniedMessage: NOT_AUTHORIZED,
      parameters: keyParameters,
    }),
    handle: (request) => historyReply(service, customerRecord, request, idOf(request)),
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
    handle: (request) => patchHandler(service, customerRecord, request, idOf(request), recordReply),
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
    handle: (request) => removeHandler(service, customerRecord, request, idOf(request)),
  })
}

function idOf({ params }: ApiRequest): string {
  return params.customerId ?? ''
}
