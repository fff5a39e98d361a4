import type { Caller } from '../access/caller.ts'
import { ALL_PARTS, type Position } from '../changes/record-change.ts'
import { coded, invalidRecord } from '../errors/catalogue.ts'
import { Findings } from '../errors/findings.ts'
import { readRecord } from '../model/read-record.ts'
import { type CreateRequest, writeRecord } from '../records/shared/write-record.ts'
import { lastChangeNumber } from '../store/change-number.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import { checkSubscription, definitionOf } from './check-subscription.ts'
import { newSigningKey, secretText } from './signing-keys.ts'
import { queryOf, type Subscription, type SubscriptionDefinition } from './subscription.ts'
import { answerAfter, type WrittenSubscription, writeChange } from './subscription-answer.ts'
import { NewSubscription } from './subscription-schema.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { countSubscriptions, insertSubscription } from './subscription-store.ts'

/** Each is delivered by itself, and all of them are listed in one answer. */
const MAX_SUBSCRIPTIONS = 100

/** Creates a subscription of the owner, by default of the caller. Reports all findings together. */
export async function createSubscription(
  service: SubscriptionService,
  request: CreateRequest,
  owner: Caller = request.caller,
): Promise<WrittenSubscription> {
  const company = service.companies.require(request.companyId)
  const findings = new Findings()
  const given = readRecord(NewSubscription, request.body ?? null, findings)
  const definition = definitionOf(given)
  const subscriber = { caller: owner, companyId: company.id }
  const since = await readSince(service.store.reading(company.id), given.since ?? 'now', findings)
  await checkSubscription(service, subscriber, definition, findings)
  if (findings.size > 0) throw invalidRecord(given, findings)
  if (since) await requireKept(service, subscriber, definition, since)
  const { clientId, userId } = owner
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

// The positions that clients name: `now`, or the number of a change.

const NUMBER = /^\d{1,15}$/

/** The position that `since` names; undefined for `now`, and with a finding for what is none. */
export async function readSince(tx: ReadTx, since: string | number, findings: Findings): Promise<Position | undefined> {
  const text = String(since).trim()
  if (text.toLowerCase() === 'now') return undefined
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  if (number <= (await lastChangeNumber(tx))) return { number, part: ALL_PARTS }
  findings.add('since', 1020, 'The field since must be now, or a number that X-ERP-Change-Number named.', 400)
  return undefined
}

/** Throws 410 when the changes after the position are no longer kept. */
export async function requireKept(
  { feed }: SubscriptionService,
  subscriber: { readonly caller: Caller; readonly companyId: string },
  definition: SubscriptionDefinition,
  position: Position,
): Promise<void> {
  const opened = await feed.open({ ...subscriber, ...queryOf(definition) })
  await opened.read(position, 1)
}
