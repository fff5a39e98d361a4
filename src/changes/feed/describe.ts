// The feed in the API description: its options and its answer.
import { Type } from 'typebox'
import { headerParameter, type ParameterDescription, queryParameter } from '../../model/option-texts.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_WAIT_SECONDS } from './options.ts'

export const OPERATIONS = ['created', 'updated', 'deleted', 'entered', 'left'] as const

export const Change = Type.Object(
  {
    id: Type.String({ description: 'The same for every reader, and whenever it is read.' }),
    number: Type.Integer({ description: 'Of the write, in the order of the commits of the company; with gaps.' }),
    time: Type.String({ format: 'date-time' }),
    entity: Type.String({ description: 'The name of the Enterprise Document, or `document-revisions`.' }),
    key: Type.Object({}, { additionalProperties: true, description: 'The key without the company.' }),
    operation: Type.Union(
      OPERATIONS.map((name) => Type.Literal(name)),
      {
        description:
          '`entered` and `left`: the record was there before, or still is, but moved into or out of the filter or of what the caller may see.',
      },
    ),
    changed: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With `updated`: JSON pointers of the members that differ. Of lines of their own, it is told that some do.',
      }),
    ),
    etag: Type.Optional(Type.String({ description: 'Of the record after the change, where it has one.' })),
    record: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'After the change. Not with `deleted` and `left`, which tell the key alone.',
        },
      ),
    ),
  },
  { title: 'Change' },
)

export const CHANGES_SCHEMA = Type.Object(
  {
    companyId: Type.String(),
    covers: Type.Array(Type.String(), { description: 'The entities of this answer.' }),
    notCovered: Type.Array(Type.String(), {
      description: 'Documents that the caller may read, and of whose changes the service does not know.',
    }),
    changes: Type.Array(Change),
    next: Type.String({ description: 'The cursor for `since` of the next request.' }),
    upToDate: Type.Boolean({ description: 'Whether there was no further change.' }),
    pending: Type.Integer({ description: 'At most so many writes of the log were not read yet.' }),
  },
  { title: 'Changes' },
)

export const CHANGES_OPTIONS: readonly ParameterDescription[] = [
  queryParameter(
    'since',
    'Mandatory. The cursor `next` of an answer to the same request; the number in the header `X-ERP-Change-Number` of any collection, to go on from there; or `now`.',
    Type.String({ examples: ['now'] }),
  ),
  queryParameter(
    'entities',
    'Names of Enterprise Documents, or `document-revisions`; all that the caller may read when left out.',
    Type.String({ examples: ['customers,attribute-values'] }),
  ),
  queryParameter(
    'filter',
    'Of the records, as at their object endpoint; valid for each of `entities`, which it needs.',
    Type.String({ maxLength: 8_000 }),
  ),
  queryParameter(
    'select',
    'Which members a record has, in the same way. It does not choose among the changes.',
    Type.String(),
  ),
  queryParameter(
    'limit',
    'At most how many changes; fewer if they are large.',
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
  ),
  queryParameter(
    'wait',
    'How many seconds the answer may wait for the first change. Not for events, which always wait.',
    Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 }),
  ),
  queryParameter('latest', 'Whether only the newest state of each record is told.', Type.Boolean({ default: false })),
  headerParameter('Last-Event-ID', 'For events: the id of the last one. Wins over `since`.', Type.String()),
]

export const CHANGES_DESCRIPTION = `What was written in a company since a place in its log, in the order of the commits, without gaps and doubles: each change with the record as the caller may see it. Load a collection, then ask for the changes since the \`X-ERP-Change-Number\` of that answer.

By \`Accept\`: application/json; application/x-ndjson, a line with \`companyId\`, \`covers\` and \`notCovered\`, a line for each change, and a line with \`next\`, \`upToDate\` and \`pending\`; text/event-stream (Server-Sent Events), without an end: the event \`head\`, an event \`change\` for each change with its cursor as the id, and a comment every 15 seconds. Before the service ends a stream it sends \`end\`, or \`error\` with the body of the refusal.`
