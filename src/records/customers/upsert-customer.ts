import type { Caller } from '../../access/caller.ts'
import { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { patchRecord } from '../shared/pipeline/record-pipeline.ts'
import type { Service } from '../shared/service.ts'
import { createCustomer } from './create-customer.ts'
import { customerRecord, findWithCustomFields } from './customer-record.ts'

export interface UpsertRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonObject
  readonly validateOnly?: boolean
}

/**
 * An import begins many rows at once. Their reads wait here as long as it takes: a store refuses those that wait too
 * long for a session.
 */
const lookups = new AdmissionQueue({
  inFlight: 8,
  waiting: Number.POSITIVE_INFINITY,
  refusal: () => new Error('no lookup is refused'),
})

/** Members, in lower case, that the service or the key determines; an update ignores them. */
const NOT_CHANGED = new Set(['customerid', 'companyid', 'lastupdated', 'notificationmessages'])

/** Creates the customer of a record, or updates the members that the record gives if the customer exists. */
export async function upsertCustomer(service: Service, request: UpsertRequest): Promise<'written' | 'unchanged'> {
  const company = service.companies.require(request.companyId)
  const customerId = idIn(request.body)
  if (customerId === '' || !(await isStored(service, company, customerId))) {
    await createCustomer(service, request)
    return 'written'
  }
  const operations = Object.entries(request.body)
    .filter(([name, value]) => !NOT_CHANGED.has(foldName(name)) && value !== null)
    .map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
  const { isChanged } = await patchRecord(service, customerRecord, {
    ...request,
    key: customerId,
    body: operations,
    ifMatch: undefined,
  })
  return isChanged ? 'written' : 'unchanged'
}

async function isStored(service: Service, company: CompanyRules, customerId: string): Promise<boolean> {
  const release = await lookups.acquire({ group: company.id, member: '' })
  try {
    return (await findWithCustomFields(service.store.reading(company.id), company, customerId)) !== undefined
  } finally {
    release()
  }
}

function idIn(body: JsonObject): string {
  const found = Object.entries(body).find(([name]) => foldName(name) === 'customerid')
  return String(found?.[1] ?? '')
}
