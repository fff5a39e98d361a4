// The bodies of answers, for the API description. What an entity has, the metadata of its company says.
import { Type } from 'typebox'

const context = Type.Optional(Type.String({ description: 'What the answer consists of. Absent without metadata.' }))

export const ServiceDocument = Type.Object(
  {
    '@odata.context': context,
    value: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['customers'] }),
        kind: Type.Literal('EntitySet'),
        url: Type.String({ description: 'Relative to the address of the document; absolute without metadata.' }),
      }),
    ),
  },
  { title: 'ODataServiceDocument' },
)

const Row = Type.Object(
  {},
  { additionalProperties: true, title: 'ODataRow', description: 'An entity, as `$metadata` describes it, or a group.' },
)

export const Page = Type.Object(
  {
    '@odata.context': context,
    '@odata.count': Type.Optional(Type.Integer({ minimum: 0, description: 'How many there are, with `$count=true`.' })),
    value: Type.Array(Row),
    '@odata.nextLink': Type.Optional(
      Type.String({ description: 'The address of the next page; absent: there is none.' }),
    ),
  },
  { title: 'ODataPage' },
)

export const Entity = Type.Object(
  { '@odata.context': context },
  { additionalProperties: true, title: 'ODataEntity', description: 'Its members are those of `$metadata`.' },
)

/** In plain text. */
export const Count = Type.String({ pattern: '^[0-9]+$', examples: ['2000'] })

export const Refusal = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'See the table of codes; the status where there is none.' }),
      message: Type.String({ description: 'What was wrong, where, and what was expected.' }),
    }),
  },
  { title: 'ODataRefusal', description: 'The body of every error below `/odata/v4/`.' },
)
