// Every change of a subscription: who may make it, whether somebody was faster, and its entry in the change log.
import type { Caller } from '../access/caller.ts'
import { coded, entityNotFound, notAuthorised } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { requireUnchanged } from '../records/shared/require-unchanged.ts'
import { type WriteRequest, writeRecord } from '../records/shared/write-record.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import type { KeyedSubscription } from './subscription.ts'
import { answerAfter, ENTITY, journalText, type WrittenSubscription, writeChange } from './subscription-answer.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { deleteSubscription, findKeyed } from './subscription-store.ts'

export interface SubscriptionRequest extends WriteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly subscriptionId: string
  readonly ifMatch: string | undefined
}

/** Who may make a change. */
export interface ChangeRight {
  /** Only the client that the subscription belongs to. */
  readonly isOwners: boolean
  /** Not of a subscription that the setup declares. */
  readonly isOfApi: boolean
}

/** Writes the changed subscription; returns the same when nothing changes, and nothing is written. */
type Change = (tx: Tx, found: KeyedSubscription) => Promise<KeyedSubscription & { readonly secret?: string }>

/** Throws 404, or 403 for the client of another subscription where only its own may. */
export async function requireSubscription(
  tx: ReadTx,
  { caller, subscriptionId }: Pick<SubscriptionRequest, 'caller' | 'subscriptionId'>,
  isOwners = false,
): Promise<KeyedSubscription> {
  const found = await findKeyed(tx, subscriptionId)
  if (!found) throw subscriptionNotFound(tx.companyId, subscriptionId)
  if (isOwners && found.subscription.clientId !== caller.clientId)
    throw notAuthorised('the subscription belongs to another client')
  return found
}

export function subscriptionNotFound(companyId: string, subscriptionId: string): Problem {
  return entityNotFound({ Company: companyId, Subscription: subscriptionId })
}

/** Changes one subscription, with an entry in the change log. */
export async function changeSubscription(
  service: SubscriptionService,
  request: SubscriptionRequest,
  right: ChangeRight,
  change: Change,
): Promise<WrittenSubscription> {
  const company = service.companies.require(request.companyId)
  const written = await writeRecord(service, company.id, request, async (tx) => {
    const found = await requireChangeable(tx, request, right)
    const after = await change(tx, found)
    const isChanged = journalText(found) !== journalText(after)
    if (isChanged) await writeChange(tx, request.subscriptionId, found, after)
    const answer = await answerAfter(tx, after, { clientId: request.caller.clientId, at: tx.at })
    return {
      id: request.subscriptionId,
      body: JSON.stringify(answer),
      change_no: isChanged ? tx.entryNo : found.subscription.changeNo,
      secret: after.secret ?? '',
      madeAt: after.keys.current.madeAt,
    }
  })
  if (!request.validateOnly) service.deliveries.wake(company.id)
  return written
}

async function requireChangeable(
  tx: Tx,
  request: SubscriptionRequest,
  { isOwners, isOfApi }: ChangeRight,
): Promise<KeyedSubscription> {
  const found = await requireSubscription(tx, request, isOwners)
  if (isOfApi && found.subscription.isSetup)
    throw coded(422, 3010, 'The setup declares this subscription: it can be changed there alone.')
  const ranges = [{ entity: ENTITY, firstParts: [request.subscriptionId] }]
  await requireUnchanged(tx, { change_no: found.subscription.changeNo }, request.ifMatch, ranges, { hidesAny: false })
  return found
}

/** Deletes a subscription with what was still to be delivered. */
export async function removeSubscription(service: SubscriptionService, request: SubscriptionRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const found = await requireChangeable(tx, request, { isOwners: false, isOfApi: true })
    deleteSubscription(tx, request.subscriptionId)
    await writeChange(tx, request.subscriptionId, found, undefined)
  })
}
