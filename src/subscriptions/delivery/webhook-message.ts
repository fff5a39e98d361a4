// The body of a webhook: one CloudEvents 1.0 event in the structured form, or a batch of them.
import type { VisibleChange } from '../../changes/feed/visible-change.ts'

/** What the events of a subscription have in common. */
export interface EventStyle {
  readonly companyId: string
  /** The path below which the service answers; empty at the root. */
  readonly basePath: string
  /** Whether the record is left out. */
  readonly isThin: boolean
  readonly isBatch: boolean
}

export interface WebhookMessage {
  /** The id of the whole message. */
  readonly id: string
  readonly contentType: string
  readonly body: string
}

/** A message about changes: exactly one, unless the style is that of batches. */
export function webhookMessage(changes: readonly VisibleChange[], style: EventStyle): WebhookMessage {
  return messageOf(
    changes.map(({ id }) => headerText(id)),
    changes.map((change) => cloudEvent(change, style)),
    style,
  )
}

/** Advises to load all records again, because the changes after a number are no longer kept. */
export function resyncMessage(
  { number }: { readonly number: number },
  { covers }: { readonly covers: readonly string[] },
  style: EventStyle,
  time: Date,
): WebhookMessage {
  const { companyId } = style
  const event = {
    specversion: '1.0',
    id: `${companyId}-${number}-resync`,
    source: sourceOf(style),
    type: 'tabularium.resync',
    time: time.toISOString(),
    datacontenttype: 'application/json',
    data: { companyId, number, entities: covers },
  }
  return messageOf([headerText(event.id)], [JSON.stringify(event)], style)
}

function messageOf(
  [id = '', ...more]: readonly string[],
  events: readonly string[],
  { isBatch }: EventStyle,
): WebhookMessage {
  if (!isBatch) return { id, contentType: 'application/cloudevents+json; charset=utf-8', body: events.join('') }
  return {
    // As long as the batch is the same, so is its id.
    id: `${id}_${more.length + 1}`,
    contentType: 'application/cloudevents-batch+json; charset=utf-8',
    body: `[${events.join(',')}]`,
  }
}

function sourceOf({ companyId, basePath }: EventStyle): string {
  return `${basePath}/v1/changes?companyId=${encodeURIComponent(companyId)}`
}

/** An identifier as the value of a header. A full stop would end it in what is signed. */
function headerText(id: string): string {
  return encodeURIComponent(id).replaceAll('.', '_')
}

function cloudEvent(change: VisibleChange, style: EventStyle): string {
  const key = JSON.parse(change.recordKey) as readonly (string | number)[]
  const subject = [change.entity, ...key].map((part) => encodeURIComponent(part)).join('/')
  const head = JSON.stringify({
    specversion: '1.0',
    id: change.id,
    source: sourceOf(style),
    type: `tabularium.record.${change.operation}`,
    subject,
    time: change.time,
    datacontenttype: 'application/json',
    // An identifier, because the service does not know under which host receivers reach it.
    dataschema: `urn:tabularium:change:${encodeURIComponent(change.entity)}`,
    // Changes of one record have one key, and are told in the order of their sequence.
    partitionkey: subject,
    sequence: sequenceOf(change),
  })
  return `${head.slice(0, -1)},"data":${style.isThin ? withoutRecord(change.json) : change.json}}`
}

/** Sorts as text as the changes do: the extension asks for that. */
function sequenceOf({ position: { number, part } }: VisibleChange): string {
  return `${String(number).padStart(16, '0')}.${String(part).padStart(9, '0')}`
}

/** The record is the last member, and large. */
function withoutRecord(json: string): string {
  const { record: _, ...rest } = JSON.parse(json) as Record<string, unknown>
  return JSON.stringify(rest)
}
