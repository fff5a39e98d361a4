// The messages of the description: for each kind of record and operation one of the feed, and one of webhooks, which is
// a CloudEvent around it.

import { Change, OPERATIONS } from '../../changes/serving/describe.ts'
import type { Schema } from '../../http/openapi/document.ts'
import type { NamedSchemas } from '../../http/openapi/named-schemas.ts'
import { schemaTitle } from '../../query/schema-of.ts'
import type { DescribedKind } from './records.ts'

type Operation = (typeof OPERATIONS)[number]

export interface Message {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly contentType: string
  readonly payload: Schema
  readonly headers?: Schema
}

export interface Messages {
  readonly feed: readonly Message[]
  readonly webhooks: readonly Message[]
}

const SUMMARIES: Readonly<Record<Operation, string>> = {
  created: 'A record was created.',
  updated: 'Members of a record have changed.',
  deleted: 'A record is gone, or was removed from what is answered.',
  entered: 'A record has moved into the filter, or into what the reader may see.',
  left: 'A record has moved out of the filter, or out of what the reader may see: only its key is told.',
}

/** `schemas` collects the schemas that the payloads refer to. */
export function messagesOf(kinds: readonly DescribedKind[], schemas: NamedSchemas): Messages {
  const pairs = kinds.flatMap((described) => OPERATIONS.map((operation) => pairOf(described, operation, schemas)))
  const webhooks = pairs.map(({ webhook }) => webhook)
  return { feed: pairs.map(({ feed }) => feed), webhooks: [...webhooks, batchOf(webhooks)] }
}

function pairOf(described: DescribedKind, operation: Operation, schemas: NamedSchemas) {
  const { name } = described.kind
  const title = `${name} ${operation}`
  const payload = schemas.refer(changeOf(described, operation, schemas))
  const about = { title, summary: SUMMARIES[operation] }
  return {
    feed: { name: `${name}.${operation}`, ...about, contentType: 'application/json', payload },
    webhook: {
      name: `${name}.${operation}.event`,
      ...about,
      contentType: 'application/cloudevents+json',
      headers: WEBHOOK_HEADERS,
      payload: schemas.refer(eventOf(name, operation, payload)),
    },
  }
}

/** A change of this kind, as the feed tells it. */
function changeOf({ kind, record }: DescribedKind, operation: Operation, schemas: NamedSchemas): Schema {
  const { id, number, time, changed, etag } = Change.properties
  const isRecordTold = operation !== 'deleted' && operation !== 'left'
  const keys = kind.keyNames.map((name) => [name, schemas.refer(record.properties?.[name] ?? {})] as const)
  return {
    title: titleOf(kind.name, operation),
    type: 'object',
    required: ['id', 'number', 'time', 'entity', 'key', 'operation', ...(operation === 'updated' ? ['changed'] : [])],
    properties: {
      id,
      number,
      time,
      entity: { const: kind.name },
      key: { type: 'object', required: kind.keyNames, properties: Object.fromEntries(keys) },
      operation: { const: operation },
      ...(operation === 'updated' ? { changed } : {}),
      ...(isRecordTold && kind.hasEtag ? { etag } : {}),
      ...(isRecordTold ? { record: schemas.refer(record, 'selected') } : {}),
    },
  }
}

/** CloudEvents 1.0 in the structured form, with the extensions `partitionkey` and `sequence`. */
function eventOf(entity: string, operation: Operation, data: Schema): Schema {
  const properties: Record<string, Schema> = {
    specversion: { const: '1.0' },
    id: { type: 'string', description: 'That of the change: equal events are one.' },
    source: { type: 'string', format: 'uri-reference', description: 'The feed of the company.' },
    type: { const: `tabularium.record.${operation}` },
    subject: { type: 'string', description: 'The entity and the key, percent-encoded and separated by slashes.' },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    dataschema: { const: `urn:tabularium:change:${encodeURIComponent(entity)}` },
    partitionkey: { type: 'string', description: 'The same for all changes of a record, which come in their order.' },
    sequence: { type: 'string', description: 'Sorts as text in the order of the changes.' },
    data,
  }
  return { title: `${titleOf(entity, operation)}Event`, type: 'object', required: Object.keys(properties), properties }
}

function batchOf(events: readonly Message[]): Message {
  return {
    name: 'batch',
    title: 'several events',
    summary: 'For a subscription that asks for batches: several events, in their order.',
    contentType: 'application/cloudevents-batch+json',
    headers: WEBHOOK_HEADERS,
    payload: { type: 'array', minItems: 1, items: { anyOf: events.map(({ payload }) => payload) } },
  }
}

/** Standard Webhooks 1.0. */
const WEBHOOK_HEADERS: Schema = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'The same in each attempt: a receiver passes over what it has.' },
    'webhook-timestamp': { type: 'string', pattern: '^[0-9]+$', description: 'Of the attempt, in seconds since 1970.' },
    'webhook-signature': {
      type: 'string',
      description:
        'Of id, timestamp and body, joined by full stops: `v1,` and HMAC-SHA256, or `v1a,` and Ed25519, in base64. While a secret is being replaced there are two, with a blank between them.',
    },
  },
}

/** Such as `CustomersUpdated`. */
function titleOf(entity: string, operation: Operation): string {
  return schemaTitle(entity).replace(/Document$/, '') + operation[0]?.toUpperCase() + operation.slice(1)
}
