// One attempt to deliver events: they are told as the owner may see them now, signed and sent.
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import type { OpenFeed } from '../../changes/feed/feed.ts'
import type { VisibleChange } from '../../changes/feed/visible-change.ts'
import { type KeyedSubscription, keysAt } from '../subscription.ts'
import type { WebhookReply, WebhookSender } from '../webhook-sender.ts'
import type { DeliveryResult } from './attempt-store.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { EventEnd, WaitingEvent } from './event-store.ts'
import { type EventStyle, resyncMessage, type WebhookMessage, webhookMessage } from './webhook-message.ts'

/** A batch has no more; a change that comes when there is as much already is sent next. */
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024

type SendParts = Pick<DeliveryParts, 'sender' | 'time' | 'basePath'>

/** Sends events, which are one unless the subscription is of batches. `signal` gives it up. */
export async function sendEvents(
  parts: SendParts,
  companyId: string,
  { keyed, feed }: { readonly keyed: KeyedSubscription; readonly feed: OpenFeed },
  events: readonly WaitingEvent[],
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const { payload, batch } = keyed.subscription.definition
  const style: EventStyle = { companyId, basePath: parts.basePath, isThin: payload === 'thin', isBatch: batch }
  const { told, gone } = await tell(feed, events)
  const dropped = gone.map((event) => ({ event, end: { kind: 'dropped' } as const }))
  const [first] = told
  if (!first) return { ends: dropped }
  const at = parts.time.clock()
  const changes = told.flatMap(({ change }) => change ?? [])
  const message = first.change ? webhookMessage(changes, style) : resyncMessage(first.event, feed, style, at)
  const reply = await sendMessage(parts.sender, keyed, message, at, signal)
  const now = parts.time.clock().getTime()
  const ends = told.map(({ event }) => ({ event, end: endOf(event, reply, now) }))
  return { ends: [...ends, ...dropped], attempt: { ...reply, event: first.event, events: told.length, at } }
}

interface Told {
  readonly event: WaitingEvent
  /** Absent for the advice to load everything again. */
  readonly change?: VisibleChange
}

async function tell(feed: OpenFeed, events: readonly WaitingEvent[]): Promise<{ told: Told[]; gone: WaitingEvent[] }> {
  const told: Told[] = []
  const gone: WaitingEvent[] = []
  let characters = 0
  for (const event of events) {
    if (characters > MAX_BATCH_CHARACTERS) break
    const change = event.entity === '' ? undefined : await feed.readOne({ number: event.number, part: event.part })
    if (change) told.push({ event, change })
    else if (event.entity === '') told.push({ event })
    else gone.push(event)
    characters += change?.json.length ?? 0
  }
  return { told, gone }
}

/** Signs and sends a message. */
function sendMessage(
  sender: WebhookSender,
  { subscription, keys }: KeyedSubscription,
  { id, contentType, body }: WebhookMessage,
  at: Date,
  signal?: AbortSignal,
): Promise<WebhookReply> {
  const headers = {
    'content-type': contentType,
    'user-agent': 'Tabularium',
    ...signedHeaders({ id, at, body }, keysAt(keys, at.toISOString())),
  }
  return sender.send({ target: subscription.definition.url, headers, body }, signal)
}

function endOf({ attempts }: WaitingEvent, reply: WebhookReply, now: number): EventEnd {
  if (reply.outcome === 'delivered') return { kind: 'delivered' }
  const { status, excerpt } = reply
  const error = status === 0 ? excerpt : `${status} ${excerpt}`.trim()
  const nextAt = nextAttempt(attempts + 1, reply, now)
  return nextAt === undefined ? { kind: 'dead', status, error } : { kind: 'failed', nextAt, status, error }
}

// When an event is sent again: ten attempts over three days, as Standard Webhooks advises.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long each attempt comes after the end of the one before it. */
const RETRY_PLAN_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]
/** A subscription that has failed for as long is paused. */
export const FAILING_MS = 72 * HOUR
/** What a receiver may ask for by `Retry-After`: one that asks for more would lose attempts of the plan. */
const MAX_RETRY_AFTER_MS = HOUR
const RETRY_LATER: ReadonlySet<number> = new Set([429, 503])

/** When the next attempt is due after so many that have failed; undefined when there is none. */
function nextAttempt(failed: number, reply: WebhookReply, now: number): number | undefined {
  const planned = RETRY_PLAN_MS[failed]
  if (planned === undefined) return undefined
  const requested = RETRY_LATER.has(reply.status) ? Math.min(reply.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0
  return now + Math.max(planned, requested)
}

// The headers by which a receiver knows that a webhook is ours: Standard Webhooks 1.0.

/** A key of HMAC-SHA256, or of Ed25519 as PKCS #8; both in base64. */
type SecretKey =
  | { readonly kind: 'hmac'; readonly secret: string }
  | { readonly kind: 'ed25519'; readonly privateKey: string }

interface SignedMessage {
  /** The same in each attempt, so that a receiver knows what it has already. */
  readonly id: string
  /** The time of the attempt. */
  readonly at: Date
  readonly body: string
}

/** The headers of a message, signed with each of the keys: while one replaces another, receivers may hold either. */
export function signedHeaders({ id, at, body }: SignedMessage, keys: readonly SecretKey[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signature(key, content)).join(' '),
  }
}

function signature(key: SecretKey, content: Buffer): string {
  if (key.kind === 'hmac') {
    return `v1,${createHmac('sha256', Buffer.from(key.secret, 'base64')).update(content).digest('base64')}`
  }
  const der = Buffer.from(key.privateKey, 'base64')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return `v1a,${sign(null, content, privateKey).toString('base64')}`
}
