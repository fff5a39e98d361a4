// The JSON Schema of what webhooks send: CloudEvents 1.0 in the structured form, with the extensions `partitionkey` and
// `sequence`. Guides show it.
import { Type } from 'typebox'
import { Change, OPERATIONS } from '../../changes/feed/describe.ts'

const common = {
  specversion: Type.Literal('1.0'),
  id: Type.String({ description: 'That of the change: equal events are one.' }),
  source: Type.String({ format: 'uri-reference', description: 'The feed of the company.' }),
  time: Type.String({ format: 'date-time' }),
  datacontenttype: Type.Literal('application/json'),
}

const RecordEvent = Type.Object(
  {
    ...common,
    type: Type.Union(OPERATIONS.map((operation) => Type.Literal(`tabularium.record.${operation}`))),
    subject: Type.String({ description: 'The entity and the key, percent-encoded and separated by slashes.' }),
    dataschema: Type.String({ description: '`urn:tabularium:change:` and the entity.' }),
    partitionkey: Type.String({ description: 'The same for all changes of a record, which come in their order.' }),
    sequence: Type.String({ description: 'Sorts as text in the order of the changes.' }),
    data: Change,
  },
  { title: 'RecordEvent' },
)

const ResyncEvent = Type.Object(
  {
    ...common,
    type: Type.Literal('tabularium.resync'),
    data: Type.Object({
      companyId: Type.String(),
      number: Type.Integer({ description: 'Changes up to it are not kept any more: load the records again.' }),
      entities: Type.Array(Type.String()),
    }),
  },
  { title: 'ResyncEvent' },
)

const OneEvent = Type.Union([RecordEvent, ResyncEvent])

/** One event; a list of them for a subscription that asks for batches. */
export const WebhookEvent = Type.Union([OneEvent, Type.Array(OneEvent, { minItems: 1 })], { title: 'WebhookEvent' })
