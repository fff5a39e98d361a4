// The description of the batch for OpenAPI.

import { Type } from 'typebox'
import { companyParameter, refusal } from '../http/openapi/parameters.ts'
import { ANY_CALLER, type Route } from '../http/route/route.ts'
import { headerParameter } from '../model/option-texts.ts'
import { requiring } from '../model/record-fields.ts'
import { MAX_OPERATIONS } from './batch-body.ts'

/** The whole body has no more: an operation has some kilobytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Those of a record for each of the operations would be too many: it is a body that one parser reads at once. */
const JSON_LIMITS = { depth: 35, keys: 200_000, items: 200_000 }

const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.~-]+$', examples: ['1'] })
const Headers = Type.Record(Type.String(), Type.String())

const Operation = requiring(
  ['id', 'method', 'url'],
  Type.Object(
    {
      id: Type.String({ ...Id, description: 'By which its answer is known, and others refer to it.' }),
      method: Type.Union(
        ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'].map((method) => Type.Literal(method)),
        { description: 'In any letter case.' },
      ),
      url: Type.String({
        description:
          'The path of any resource with its query, from the root or from the address of the batch. `$1` at its start is the record that operation 1 has made or read.',
        examples: ['/v1/attribute-values', '$1/history'],
      }),
      headers: Type.Optional(Headers),
      body: Type.Optional(
        Type.Unknown({
          description: 'A text `$1/attributeValue` in it stands for that member in the answer of operation 1.',
        }),
      ),
      dependsOn: Type.Optional(
        Type.Array(Id, { description: 'Operations and groups before it, without whose success it is not done.' }),
      ),
      atomicityGroup: Type.Optional(
        Type.String({
          ...Id,
          description: 'Operations of one group stand one behind the other, and are all done or none of them.',
        }),
      ),
    },
    { title: 'BatchRequest', description: 'A request of its own.', additionalProperties: false },
  ),
)

const Response = Type.Object(
  {
    id: Id,
    atomicityGroup: Type.Optional(Id),
    status: Type.Integer({
      description: 'That of the operation alone; 424 for one that was not done because of another.',
    }),
    headers: Headers,
    body: Type.Optional(
      Type.Unknown({
        description: 'JSON; of text types a string, of others one in base64url; absent if there is none.',
      }),
    ),
  },
  { title: 'BatchResponse' },
)

const DESCRIPTION = `Each operation is checked, done and answered as a request of its own, with the rights of the caller of the batch; each counts for the limits of the client. They are done in their order; after the first that fails, no other one is, unless \`Prefer: continue-on-error\` is sent. With an \`Idempotency-Key\` each operation is done once, however often the batch is sent. With \`validateOnly\` nothing is kept of any of them.`

export const BATCH_TEXT: Omit<Route, 'handle'> = {
  permit: ANY_CALLER,
  operationId: 'sendBatch',
  summary: 'Send many requests in one',
  description: DESCRIPTION,
  parameters: [
    companyParameter,
    headerParameter(
      'Prefer',
      '`continue-on-error`: operations behind one that failed are done too, unless they depend on it. `continue-on-error=false` is the default.',
      Type.String({ examples: ['continue-on-error'] }),
    ),
  ],
  body: requiring(
    ['requests'],
    Type.Object(
      { requests: Type.Array(Operation, { maxItems: MAX_OPERATIONS }) },
      {
        title: 'Batch',
        description: 'The JSON format of the batches of OData 4.01.',
        additionalProperties: false,
      },
    ),
  ),
  bodyBounds: { bytes: MAX_BODY_BYTES, json: JSON_LIMITS },
  answers: {
    200: {
      description: 'The answers to all operations, in their order, whether they succeeded or not.',
      schema: Type.Object({ responses: Type.Array(Response) }, { title: 'BatchResponses' }),
      headers: { 'Preference-Applied': '`continue-on-error=true` or `continue-on-error=false`.' },
    },
    400: refusal('The batch itself is wrong: all mistakes with their positions. Nothing was done.'),
  },
}
