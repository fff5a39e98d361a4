// One attempt to deliver events: they are told as the owner may see them now, signed and sent.
import type { OpenFeed } from '../../changes/feed/feed.ts'
import type { VisibleChange } from '../../changes/feed/visible-change.ts'
import { type KeyedSubscription, keysAt } from '../subscription.ts'
import type { WebhookReply, WebhookSender } from '../webhook-sender.ts'
import type { DeliveryResult } from './attempt-store.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { EventEnd, WaitingEvent } from './event-store.ts'
import { nextAttempt } from './retry-plan.ts'
import { signedHeaders } from './signature.ts'
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
export function sendMessage(
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
