// The four endpoints of customers: who may, what comes in, what goes out.

import { Type } from 'typebox'
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
import type { Service } from '../shared/service.ts'
import { closeCustomer } from './close-customer.ts'
import { type CreatedCustomer, createCustomer } from './create-customer.ts'
import { Customer, customerNotFound, rowWith } from './customer.ts'
import { customerSight } from './customer-document.ts'
import { customerReadings, type FoundCustomer } from './customer-store.ts'
import { patchCustomer } from './patch-customer.ts'
import { readCustomer } from './read-customer.ts'

const COLLECTION = '/v1/customers'
const SINGLE = `${COLLECTION}/:customerId`

const keyParameters: readonly ParameterText[] = [
  {
    name: 'customerId',
    in: 'path',
    description: 'The customer.',
    schema: Type.String({ examples: ['100000'] }),
  },
  companyParameter,
]

export function customerRoutes(edge: Edge, service: Service): void {
  edge.post(COLLECTION, {
    permit: 'customers:create',
    summary: 'Create a customer',
    parameters: [companyParameter],
    body: Customer,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      201: {
        description: 'The customer as it was created.',
        schema: Customer,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read, a text is too long, or the customer exists already.'),
      422: fieldRefusal('A rule is not met; all findings together.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => createCustomer(service, request),
        seal: (created: CreatedCustomer) => ({
          ...createdReply(created, `${COLLECTION}/${encodeURIComponent(created.customerId)}`),
          row: rowWith(created.customerId),
        }),
        seen: { sight: (company) => customerSight(call.caller, company, 'create') },
      }),
  })

  edge.get(SINGLE, {
    permit: 'customers:read',
    summary: 'Read one customer',
    parameters: [...keyParameters, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'The customer.', schema: Customer, headers: etagHeader },
      304: { description: 'The customer is as the caller knows it.' },
      404: refusal('There is no such customer.'),
    },
    handle: (call) =>
      answerRecord(service, call, {
        readings: customerReadings,
        sightFor: customerSight,
        read: () => readCustomer(service, call.caller, call.companyId, idOf(call)),
      }),
  })

  edge.patch(SINGLE, {
    permit: 'customers:update',
    summary: 'Change a customer: all operations or none',
    parameters: [...keyParameters, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      200: { description: 'The customer as it is now.', schema: Customer, headers: etagHeader },
      400: fieldRefusal('An operation cannot be read or applied, or a text is too long; nothing was changed.'),
      404: refusal('There is no such customer.'),
      409: refusal('Somebody has changed the customer since.'),
      422: fieldRefusal('A rule is not met; nothing was changed.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => patchCustomer(service, { ...request, customerId: idOf(call) }),
        seal: (patched: FoundCustomer) => ({ ...recordReply(patched), row: rowWith(idOf(call)) }),
        seen: {
          sight: (company) => customerSight(call.caller, company, 'update'),
          refusal: (company) => customerNotFound(company, idOf(call)),
        },
      }),
  })

  edge.delete(SINGLE, {
    permit: 'customers:delete',
    summary: 'Close a customer: it stays readable with status Closed',
    parameters: [...keyParameters, ifMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'No body.' },
      404: refusal('There is no such customer.'),
      409: refusal('Somebody has changed the customer since.'),
    },
    handle: (call) =>
      answerOnce(service, call, {
        write: (request) => closeCustomer(service, { ...request, customerId: idOf(call) }),
        seal: () => ({ status: 200 }),
      }),
  })
}

function idOf({ params }: Call): string {
  return params.customerId ?? ''
}
