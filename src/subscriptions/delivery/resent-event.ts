// One event that is sent again because somebody asks for it.
import type { VisibleChange } from '../../changes/feed/visible-change.ts'
import { coded } from '../../errors/catalogue.ts'
import type { Subscription } from '../subscription.ts'
import type { SubscriptionService } from '../subscription-service.ts'
import { readEventId } from './delivery-log.ts'
import { NotDeliverable, ownerFeed } from './owner-feed.ts'

/** The event as the owner of the subscription may see it now. Throws 422 for what it is not told of. */
export async function eventToResend(
  service: SubscriptionService,
  companyId: string,
  subscription: Subscription,
  eventId: string,
): Promise<VisibleChange> {
  const feed = await ownerFeed(companyId, service)(subscription).catch(rethrowAsRefusal)
  const position = readEventId(companyId, eventId)
  const change = position && (await feed.readOne(position))
  if (!change) throw coded(422, 3010, 'There is no such event any more, or its client is not told of it.')
  return change
}

function rethrowAsRefusal(error: unknown): never {
  throw error instanceof NotDeliverable ? coded(422, 3010, error.message) : error
}
