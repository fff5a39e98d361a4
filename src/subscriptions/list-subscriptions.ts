import { requireSubscription, type SubscriptionRequest, subscriptionNotFound } from './change-subscription.ts'
import { findBacklog, listBacklogs } from './delivery-log-store.ts'
import { answerOf } from './subscription-answer.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { listKeyedSubscriptions } from './subscription-store.ts'

type Target = Pick<SubscriptionRequest, 'caller' | 'companyId' | 'subscriptionId'>

/** All subscriptions of the company, as this client sees them. */
export async function listAnswers(
  { store, companies, clock }: SubscriptionService,
  { caller, companyId }: Omit<Target, 'subscriptionId'>,
): Promise<object[]> {
  const { id } = companies.require(companyId)
  const tx = store.reading(id)
  const subscriptions = await listKeyedSubscriptions(tx)
  const backlogs = new Map((await listBacklogs(tx)).map((backlog) => [backlog.subscription_id, backlog]))
  const reader = { clientId: caller.clientId, at: clock().toISOString() }
  return subscriptions.flatMap((keyed) => {
    const backlog = backlogs.get(keyed.subscription.id)
    // One that was deleted between the two statements.
    return backlog ? [answerOf(id, keyed, backlog, reader)] : []
  })
}

/** One subscription as this client sees it. Throws 404. */
export async function readSubscription(
  { store, companies, clock }: SubscriptionService,
  request: Target,
): Promise<{ readonly body: string; readonly change_no: number }> {
  const { id } = companies.require(request.companyId)
  const tx = store.reading(id)
  const keyed = await requireSubscription(tx, request)
  const backlog = await findBacklog(tx, request.subscriptionId)
  // It was deleted between two statements.
  if (!backlog) throw subscriptionNotFound(id, request.subscriptionId)
  const answer = answerOf(id, keyed, backlog, { clientId: request.caller.clientId, at: clock().toISOString() })
  return { body: JSON.stringify(answer), change_no: keyed.subscription.changeNo }
}
