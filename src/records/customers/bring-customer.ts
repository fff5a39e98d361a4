import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import type { Service } from '../shared/service.ts'
import { createCustomer } from './create-customer.ts'
import { patchCustomer } from './patch-customer.ts'
import { findWhole } from './read-customer.ts'

export interface BringRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonObject
}

/** Told by the service or by the key: no part of a change. */
const NOT_CHANGED = new Set(['customerid', 'companyid', 'lastupdated', 'notificationmessages'])

/** Makes the customer what the record says: changes the members that it gives when the customer exists, creates it otherwise. */
export async function bringCustomer(service: Service, request: BringRequest): Promise<'written' | 'unchanged'> {
  const company = service.companies.require(request.companyId)
  const customerId = idIn(request.body)
  const known = customerId === '' ? undefined : await findWhole(service.store.reading(company.id), company, customerId)
  if (!known) {
    await createCustomer(service, request)
    return 'written'
  }
  const operations = Object.entries(request.body)
    .filter(([name, value]) => !NOT_CHANGED.has(foldName(name)) && value !== null)
    .map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
  const { isChanged } = await patchCustomer(service, { ...request, customerId, body: operations, ifMatch: undefined })
  return isChanged ? 'written' : 'unchanged'
}

function idIn(body: JsonObject): string {
  const found = Object.entries(body).find(([name]) => foldName(name) === 'customerid')
  return String(found?.[1] ?? '')
}
