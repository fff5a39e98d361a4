// The changes that a subscription tells: those that its owner may see at this moment.
import type { OpenFeed } from '../../changes/feed/feed.ts'
import { Problem } from '../../errors/problem.ts'
import { queryOf, type Subscription } from '../subscription.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** The subscription cannot be delivered before somebody changes it, or the setup; the message says why. */
export class NotDeliverable extends Error {}

const SERVER_ERROR = 500

export class OwnerFeed {
  readonly #companyId: string
  readonly #parts: Pick<DeliveryParts, 'companies' | 'directory' | 'feed'>
  #opened: { readonly by: readonly unknown[]; readonly feed: OpenFeed } | undefined

  constructor(companyId: string, parts: Pick<DeliveryParts, 'companies' | 'directory' | 'feed'>) {
    this.#companyId = companyId
    this.#parts = parts
  }

  /**
   * Opened again only after a setup was applied, or the subscription was changed: each setup makes callers and rules
   * anew. Throws `NotDeliverable` when there is no owner any more, or it may not read what it has named.
   */
  async open({ clientId, definition }: Subscription): Promise<OpenFeed> {
    const { companies, directory, feed } = this.#parts
    const caller = directory.callerOfClient(clientId)
    if (!caller) throw new NotDeliverable(`The client it belongs to cannot be used: ${directory.absenceOf(clientId)}.`)
    const company = companies.find(this.#companyId)
    if (!company || !caller.knows(company.id)) {
      throw new NotDeliverable('The client it belongs to has no role in the company any more.')
    }
    const by = [caller, company, JSON.stringify(definition)]
    if (this.#opened?.by.every((one, at) => one === by[at])) return this.#opened.feed
    const request = { caller, companyId: company.id, ...queryOf(definition) }
    this.#opened = { by, feed: await feed.open(request).catch(rethrowRefusal) }
    return this.#opened.feed
  }
}

function rethrowRefusal(error: unknown): never {
  if (error instanceof Problem && error.status < SERVER_ERROR) throw new NotDeliverable(error.message)
  throw error
}
