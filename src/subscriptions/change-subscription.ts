// Every change of a subscription: who may make it, whether somebody was faster, and its entry in the change log.

import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../access/caller.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { coded, entityNotFound, invalidRecord, notAuthorised } from '../errors/catalogue.ts'
import { Findings } from '../errors/findings.ts'
import type { Problem } from '../errors/problem.ts'
import { applyOperations } from '../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../patch/operations.ts'
import type { PatchRule } from '../patch/rules.ts'
import { requireUnchanged, type WriteRequest, writeRecord } from '../records/shared/write-record.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import { checkSubscription, definitionOf } from './check-subscription.ts'
import type { KeyedSubscription, SubscriptionDefinition } from './subscription.ts'
import { answerAfter, ENTITY, journalText, type WrittenSubscription, writeChange } from './subscription-answer.ts'
import { SubscriptionMembers } from './subscription-schema.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { deleteSubscription, findKeyed, updateSubscription } from './subscription-store.ts'

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
    if (isChanged) writeChange(tx, request.subscriptionId, found, after)
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
    writeChange(tx, request.subscriptionId, found, undefined)
  })
}

const RULES: readonly PatchRule[] = [
  { path: '/name', ops: ['replace'] },
  { path: '/url', ops: ['replace'] },
  { path: '/entities' },
  { path: '/entities/*' },
  { path: '/entities/-' },
  { path: '/filter' },
  { path: '/select' },
  { path: '/payload', ops: ['replace'] },
  { path: '/batch', ops: ['replace'] },
]

/** Changes what the client has given; the position stays. All operations or none. */
export async function patchSubscription(
  service: SubscriptionService,
  request: SubscriptionRequest & { readonly body: JsonValue | undefined },
): Promise<WrittenSubscription> {
  const operations = parseOperations(request.body ?? null)
  return changeSubscription(service, request, { isOwners: true, isOfApi: true }, async (tx, found) => {
    const { subscription } = found
    const definition = patched(subscription.definition, operations)
    if (isDeepStrictEqual(definition, subscription.definition)) return found
    const findings = new Findings()
    const subscriber = { caller: request.caller, companyId: tx.companyId }
    await checkSubscription(service, subscriber, definition, findings, subscription.definition)
    if (findings.size > 0) throw invalidRecord(definition, findings)
    return { ...found, subscription: updateSubscription(tx, { ...subscription, definition }) }
  })
}

function patched(definition: SubscriptionDefinition, operations: readonly PatchOperation[]): SubscriptionDefinition {
  const { signature, entities, ...members } = definition
  const before = { ...members, entities: [...entities] }
  const { record, failures } = applyOperations(SubscriptionMembers, RULES, before, operations)
  if (record) return definitionOf({ ...record, signature })
  // The messages of all failures and the code of the first; no operation was applied.
  throw coded(400, failures[0]?.code ?? 4020, failures.map(({ message }) => message).join('; '), {
    parts: failures,
  })
}
