// The body of a webhook: one CloudEvents 1.0 event in the structured form, or a batch of them.
import type { ToldChange } from '../../../changes/told/told-change.ts'

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
  /** Of the whole message. */
  readonly id: string
  readonly contentType: string
  readonly body: string
}

/** A message about changes: exactly one, unless the style is that of batches. */
export function webhookMessage(changes: readonly ToldChange[], style: EventStyle): WebhookMessage {
  const events = changes.map((change) => cloudEvent(change, style))
  const [id, ...more] = changes.map((change) => headerText(change.id))
  if (id === undefined) throw new Error('a webhook tells of a change')
  if (!style.isBatch) return { id, contentType: 'application/cloudevents+json; charset=utf-8', body: events.join('') }
  return {
    // As long as the batch is the same, so is its id.
    id: `${id}_${more.length + 1}`,
    contentType: 'application/cloudevents-batch+json; charset=utf-8',
    body: `[${events.join(',')}]`,
  }
}

/** An identifier as the value of a header. A full stop would end it in what is signed. */
function headerText(id: string): string {
  return encodeURIComponent(id).replaceAll('.', '_')
}

function cloudEvent(change: ToldChange, { companyId, basePath, isThin }: EventStyle): string {
  const key = JSON.parse(change.recordKey) as readonly (string | number)[]
  const subject = [change.entity, ...key].map((part) => encodeURIComponent(part)).join('/')
  const head = JSON.stringify({
    specversion: '1.0',
    id: change.id,
    source: `${basePath}/v1/changes?companyId=${encodeURIComponent(companyId)}`,
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
  return `${head.slice(0, -1)},"data":${isThin ? withoutRecord(change.json) : change.json}}`
}

/** Sorts as text as the changes do: the extension asks for that. */
function sequenceOf({ position: { number, part } }: ToldChange): string {
  return `${String(number).padStart(16, '0')}.${String(part).padStart(9, '0')}`
}

/** The record is the last member, and large. */
function withoutRecord(json: string): string {
  const { record: _, ...rest } = JSON.parse(json) as Record<string, unknown>
  return JSON.stringify(rest)
}
