// What is done with a subscription besides changing what it is: pause, resume, rotate, replay.
import { defined } from '../../base/defined.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { ALL_PARTS, type Position } from '../../changes/record-change.ts'
import { invalidRecord } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { GivenOf } from '../../model/schema.ts'
import { writeRecord } from '../../records/shared/write-record.ts'
import { lastChangeNumber, numberBefore } from '../../store/change-number.ts'
import type { ReadTx } from '../../store/store.ts'
import {
  type ChangeRight,
  changeSubscription,
  requireSubscription,
  type SubscriptionRequest,
} from '../change-subscription.ts'
import { readSince, requireKept } from '../create-subscription.ts'
import { deleteEventsAfter } from '../delivery-log-store.ts'
import { DEFAULT_ROTATION_MS, newSigningKey, rotated, secretText } from '../signing-keys.ts'
import { keysAt, type Subscription } from '../subscription.ts'
import type { WrittenSubscription } from '../subscription-answer.ts'
import { Replay, Rotation } from '../subscription-schema.ts'
import type { SubscriptionService } from '../subscription-service.ts'
import { moveSubscription, updateSigningKeys, updateSubscription } from '../subscription-store.ts'
import { handOverAgain, makeDue } from './event-store.ts'
import { eventToResend } from './resent-event.ts'
import { signedHeaders } from './send-events.ts'

type ActionRequest = SubscriptionRequest & { readonly body: JsonValue | undefined }

/** Who has the permission may stop what harms. */
const EVERYBODYS: ChangeRight = { isOwners: false, isOfApi: false }

const PAUSED_BY_REQUEST = 'It was paused by a request.'

/** Stops the delivery; what changes meanwhile is told when it is resumed. */
export function pauseSubscription(service: SubscriptionService, request: ActionRequest): Promise<WrittenSubscription> {
  return setState(service, request, { state: 'paused', reason: PAUSED_BY_REQUEST })
}

/** Goes on where it was paused. */
export function resumeSubscription(service: SubscriptionService, request: ActionRequest): Promise<WrittenSubscription> {
  return setState(service, request, { state: 'active', reason: '' })
}

function setState(
  service: SubscriptionService,
  request: ActionRequest,
  state: Pick<Subscription, 'state' | 'reason'>,
): Promise<WrittenSubscription> {
  return changeSubscription(service, request, EVERYBODYS, async (tx, found) => {
    const { subscription } = found
    // A subscription that was paused because of failures keeps that reason.
    if (subscription.state === state.state) return found
    const after = updateSubscription(tx, { ...subscription, ...state, failingSince: '' })
    if (state.state === 'active') makeDue(tx, subscription.id)
    return { ...found, subscription: after }
  })
}

const DAY_MS = 86_400_000
const MAX_ROTATION_MS = 30 * DAY_MS

/** Replaces the secret; the previous one signs too, until its end. */
export function rotateSecret(service: SubscriptionService, request: ActionRequest): Promise<WrittenSubscription> {
  const findings = new Findings()
  const given = readRecord(Rotation, request.body === undefined ? {} : request.body, findings)
  const now = service.clock().getTime()
  const until = given.until ?? new Date(now + DEFAULT_ROTATION_MS).toISOString()
  const endsAt = Date.parse(until)
  if (!findings.has('until') && (endsAt < now || endsAt > now + MAX_ROTATION_MS))
    findings.add('until', 3010, 'The field until must be a time within the next 30 days.')
  if (findings.size > 0) throw invalidRecord(given, findings)
  return changeSubscription(service, request, { isOwners: true, isOfApi: true }, async (tx, found) => {
    const key = newSigningKey(found.subscription.definition.signature, tx.at)
    const keys = rotated(found.keys, key, until)
    updateSigningKeys(tx, found.subscription.id, keys)
    return { subscription: updateSubscription(tx, found.subscription), keys, secret: secretText(key) }
  })
}

/** Moves the position back: all changes after it are told again. */
export async function replaySubscription(
  service: SubscriptionService,
  request: ActionRequest,
): Promise<WrittenSubscription> {
  const { id: companyId } = service.companies.require(request.companyId)
  const tx = service.store.reading(companyId)
  const { subscription } = await requireSubscription(tx, request)
  const { eventId, ...start } = readReplay(request.body ?? null)
  if (eventId !== undefined) {
    const event = await eventToResend(service, companyId, subscription, eventId)
    return changeSubscription(service, request, EVERYBODYS, async (writing, found) => {
      handOverAgain(writing, subscription.id, event)
      return found
    })
  }
  const position = await replayFrom(tx, start)
  // With the rights of the client that it belongs to: what another one may read says nothing.
  if (subscription.clientId === request.caller.clientId && position.number < (await lastChangeNumber(tx)))
    await requireKept(service, { caller: request.caller, companyId }, subscription.definition, position)
  return changeSubscription(service, request, EVERYBODYS, async (writing, found) => {
    // First, because it locks the subscription, as what delivers does.
    const after = updateSubscription(writing, { ...found.subscription, position })
    moveSubscription(writing, after.id, position)
    deleteEventsAfter(writing, after.id, position)
    return { ...found, subscription: after }
  })
}

function readReplay(body: JsonValue): GivenOf<typeof Replay> {
  const findings = new Findings()
  const given = readRecord(Replay, body, findings)
  if (findings.size === 0 && Object.keys(defined(given)).length !== 1)
    findings.add('since', 1010, 'Expected either since, from or eventId.')
  if (findings.size > 0) throw invalidRecord(given, findings)
  return given
}

async function replayFrom(tx: ReadTx, given: Omit<GivenOf<typeof Replay>, 'eventId'>): Promise<Position> {
  const findings = new Findings()
  const since = given.since === undefined ? undefined : await readSince(tx, given.since, findings)
  if (findings.size > 0) throw invalidRecord(given, findings)
  if (since) return since
  const number = given.from === undefined ? await lastChangeNumber(tx) : await numberBefore(tx, Date.parse(given.from))
  return { number, part: ALL_PARTS }
}

// An event of a test, by which a client learns whether its receiver is reached and verifies signatures.

/** How the attempt went, as it is answered. */
interface TestAttempt {
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
