import { ALL_PARTS, type Position } from '../changes/record-change.ts'
import { coded, invalidRecord } from '../errors/catalogue.ts'
import { Findings } from '../errors/findings.ts'
import { readRecord } from '../model/read-record.ts'
import { type CreateRequest, writeRecord } from '../records/shared/write-record.ts'
import type { Tx } from '../store/store.ts'
import { checkSubscription, definitionOf } from './check-subscription.ts'
import { readSince, requireKept } from './read-position.ts'
import { newSigningKey, secretText } from './signing-keys.ts'
import type { Subscription } from './subscription.ts'
import { answerAfter, type WrittenSubscription, writeChange } from './subscription-answer.ts'
import { NewSubscription } from './subscription-schema.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { countSubscriptions, insertSubscription } from './subscription-store.ts'

/** Each is delivered by itself, and all of them are listed in one answer. */
export const MAX_SUBSCRIPTIONS = 100

/** Creates a subscription of the caller. Reports all findings together. */
export async function createSubscription(
  service: SubscriptionService,
  request: CreateRequest,
): Promise<WrittenSubscription> {
  const company = service.companies.require(request.companyId)
  const findings = new Findings()
  const given = readRecord(NewSubscription, request.body ?? null, findings)
  const definition = definitionOf(given)
  const subscriber = { caller: request.caller, companyId: company.id }
  const since = await readSince(service.store.reading(company.id), given.since ?? 'now', findings)
  await checkSubscription(service, subscriber, definition, findings)
  if (findings.size > 0) throw invalidRecord(given, findings)
  if (since) await requireKept(service, subscriber, definition, since)
  const { clientId, userId } = request.caller
  const written = await writeRecord(service, company.id, request, async (tx) => {
    await requireRoom(tx)
    const draft = { id: service.newId(), definition, clientId, userId, isSetup: false }
    return insertNew(tx, draft, since ?? { number: tx.entryNo, part: ALL_PARTS })
  })
  if (!request.validateOnly) service.deliveries.wake(company.id)
  return written
}

/** Throws 422 when the company has as many as it may. */
export async function requireRoom(tx: Tx): Promise<void> {
  if ((await countSubscriptions(tx)) < MAX_SUBSCRIPTIONS) return
  throw coded(422, 3010, `The company has ${MAX_SUBSCRIPTIONS} subscriptions, which is the most.`)
}

type Draft = Pick<Subscription, 'id' | 'definition' | 'clientId' | 'userId' | 'isSetup'>

/** Inserts a subscription with its entry in the change log. */
export async function insertNew(
  tx: Tx,
  draft: Draft,
  position: Position,
  key = newSigningKey(draft.definition.signature, tx.at),
): Promise<WrittenSubscription> {
  const subscription: Subscription = {
    ...draft,
    state: 'active',
    reason: '',
    position,
    failingSince: '',
    createdAt: tx.at,
    updatedAt: tx.at,
    updatedBy: tx.actor.userId,
    changeNo: tx.entryNo,
  }
  const keys = { current: key }
  const keyed = { subscription, keys }
  insertSubscription(tx, subscription, keys)
  writeChange(tx, draft.id, undefined, keyed)
  const answer = await answerAfter(tx, keyed, { clientId: draft.clientId, at: tx.at })
  const secret = secretText(keys.current)
  return { id: draft.id, body: JSON.stringify(answer), change_no: tx.entryNo, secret, madeAt: tx.at }
}
