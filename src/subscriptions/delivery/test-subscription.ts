// An event of a test, by which a client learns whether its receiver is reached and verifies signatures.
import { writeRecord } from '../../records/shared/write-record.ts'
import { requireSubscription, type SubscriptionRequest } from '../change-subscription.ts'
import { keysAt } from '../subscription.ts'
import type { SubscriptionService } from '../subscription-service.ts'
import { signedHeaders } from './signature.ts'

/** How the attempt went, as it is answered. */
export interface TestAttempt {
  readonly status: number
  readonly outcome: string
  readonly ms: number
  readonly excerpt: string
}

/** Sends an event of a test at once, beside all others. With `validateOnly`, nothing is sent. */
export async function testSubscription(
  service: SubscriptionService,
  request: SubscriptionRequest,
): Promise<TestAttempt> {
  const { id: companyId } = service.companies.require(request.companyId)
  const keyed = await requireSubscription(service.store.reading(companyId), request)
  if (request.validateOnly) return { status: 0, outcome: 'not sent', ms: 0, excerpt: '' }
  const at = service.clock()
  const message = { id: `test_${service.newId()}`, at, body: '' }
  const { definition, id } = keyed.subscription
  const event = {
    specversion: '1.0',
    id: message.id,
    source: `${service.deliveries.basePath}/v1/subscriptions/${encodeURIComponent(id)}?companyId=${encodeURIComponent(companyId)}`,
    type: 'tabularium.subscription.test',
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data: { subscriptionId: id },
  }
  const body = JSON.stringify(definition.batch ? [event] : event)
  const type = definition.batch ? 'cloudevents-batch' : 'cloudevents'
  const reply = await service.deliveries.send({
    target: definition.url,
    headers: {
      'content-type': `application/${type}+json; charset=utf-8`,
      ...signedHeaders({ ...message, body }, keysAt(keyed.keys, at.toISOString())),
    },
    body,
  })
  const { status, outcome, ms, excerpt } = reply
  const attempt = { status, outcome, ms, excerpt }
  // A retry of the request gets this answer.
  if (request.storeResponse) await writeRecord(service, companyId, request, async () => attempt)
  return attempt
}
