// The changes that a subscription tells: those that its owner may see at this moment.
import type { OpenFeed } from '../../changes/feed/feed.ts'
import { Problem } from '../../errors/problem.ts'
import { queryOf, type Subscription } from '../subscription.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** The subscription cannot be delivered before somebody changes it, or the setup; the message says why. */
export class NotDeliverable extends Error {}

const SERVER_ERROR = 500

/**
 * Returns what opens the feed of a subscription: again only after a setup was applied, or the subscription was changed,
 * as each setup makes callers and rules anew. It throws `NotDeliverable` when there is no owner any more, or it may not
 * read what it has named.
 */
export function ownerFeed(
  companyId: string,
  { companies, directory, feed }: Pick<DeliveryParts, 'companies' | 'directory' | 'feed'>,
) {
  let opened: { readonly by: readonly unknown[]; readonly feed: OpenFeed } | undefined
  return async ({ clientId, definition }: Subscription): Promise<OpenFeed> => {
    const caller = directory.callerOfClient(clientId)
    if (!caller) throw new NotDeliverable(`The client it belongs to cannot be used: ${directory.absenceOf(clientId)}.`)
    const company = companies.find(companyId)
    if (!company || !caller.knows(company.id)) {
      throw new NotDeliverable('The client it belongs to has no role in the company any more.')
    }
    const by = [caller, company, JSON.stringify(definition)]
    if (opened?.by.every((one, at) => one === by[at])) return opened.feed
    const request = { caller, companyId: company.id, ...queryOf(definition) }
    opened = { by, feed: await feed.open(request).catch(rethrowRefusal) }
    return opened.feed
  }
}

function rethrowRefusal(error: unknown): never {
  if (error instanceof Problem && error.status < SERVER_ERROR) throw new NotDeliverable(error.message)
  throw error
}
