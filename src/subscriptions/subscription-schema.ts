// The bodies of the endpoints of subscriptions.
import { requiring } from '../model/record-fields.ts'
import { bool, dateTime, integer, list, record, text, textOrNumber } from '../model/schema.ts'

export const MAX_NAME = 100
export const MAX_URL = 2_000
/** As of a filter in a query. */
export const MAX_QUERY = 8_000
/** More than the Enterprise Documents of most companies; who wants all leaves the list empty. */
export const MAX_ENTITIES = 50
export const PAYLOADS = ['thin', 'full'] as const
export const SIGNATURES = ['hmac', 'ed25519'] as const

const members = {
  name: text({ maxLength: MAX_NAME, examples: ['Web shop'] }),
  url: text({
    maxLength: MAX_URL,
    description: 'Where events are sent to: https, at a public address; http for localhost alone.',
  }),
  entities: list(text(), {
    maxItems: MAX_ENTITIES,
    description: 'The entities whose changes are told, as of `GET /v1/changes`; default all that the client may read.',
    examples: [['customers']],
  }),
  filter: text({
    maxLength: MAX_QUERY,
    description: 'Which records, in the query language; `entities` must then be named.',
    examples: ["customerGroupId eq 'DOM'"],
  }),
  select: text({
    maxLength: MAX_QUERY,
    description: 'Which properties the record of an event has; the payload is then full.',
    examples: ['customerId,customerName'],
  }),
  payload: text({
    enum: [...PAYLOADS],
    default: 'thin',
    description: 'Whether events hold the record: thin (no) or full.',
    examples: ['thin'],
  }),
  batch: bool({ description: 'Whether several events may be sent in one request, as a batch of CloudEvents.' }),
}

const signature = text({
  enum: [...SIGNATURES],
  default: 'hmac',
  description: 'How deliveries are signed (Standard Webhooks): hmac or ed25519.',
  examples: ['hmac'],
})

/** What a patch can change. */
export const SubscriptionMembers = record(members)

/** The body of a new subscription. */
export const NewSubscription = requiring(
  ['name', 'url'],
  record(
    {
      ...members,
      signature,
      since: textOrNumber({
        default: 'now',
        description: 'From where on changes are told: `now`, or a number that `X-ERP-Change-Number` named.',
        examples: ['now'],
      }),
    },
    { title: 'Subscription' },
  ),
)

const answered = {
  id: text(),
  companyId: text(),
  ...members,
  signature,
  publicKey: text({
    description: 'Of ed25519, for the client that it belongs to: `whpk_` and the key in base64. Otherwise empty.',
  }),
  clientId: text({ description: 'The client that it belongs to, whose rights are looked up at each delivery.' }),
  userId: text(),
  isSetup: bool({ description: 'Whether the setup declares it: then it is changed there.' }),
  state: text({ enum: ['active', 'paused'] }),
  reason: text({ description: 'Why it is paused; empty when it is active.' }),
  position: integer({ description: 'The number of the last change that was handed over for delivery.' }),
  pending: integer({ description: 'At most how many events are still to be delivered.' }),
  deadLetters: integer({ description: 'How many events were given up.' }),
  oldestUndelivered: dateTime({ description: 'Of what is pending; 1900-01-01 when nothing is.' }),
  failingSince: dateTime({ description: 'Since when no delivery succeeded; 1900-01-01 when the last one did.' }),
  previousSecretUntil: dateTime({
    description: 'Until when deliveries are signed with the previous secret too; 1900-01-01 when there is none.',
  }),
  lastUpdated: record({ updatedAt: dateTime(), updatedBy: text() }),
}

/** A subscription as it is read. */
export const SubscriptionAnswer = record(answered, { title: 'SubscriptionState' })

const secret = text({
  description: 'Shown in this answer alone: `whsec_` and the secret in base64. Empty for ed25519.',
})

/** A subscription as it is answered when it has got a new secret. */
export const SubscriptionWithSecret = record({ ...answered, secret }, { title: 'SubscriptionWithSecret' })

export const Rotation = record(
  {
    until: dateTime({
      description: 'Until when the previous secret signs too; default 24 hours from now, at most 30 days.',
    }),
  },
  { title: 'SecretRotation' },
)

export const Replay = record(
  {
    since: textOrNumber({ description: 'A number that `X-ERP-Change-Number` named: all after it is told again.' }),
    from: dateTime({ description: 'In place of since: a time; all changes from then on are told again.' }),
    eventId: text({
      description: 'In place of both: the id of one event, which alone is sent again; the position stays.',
    }),
  },
  { title: 'SubscriptionReplay' },
)

export const Retry = record(
  {
    ids: list(text(), { description: 'The ids of events.', examples: [['EN-1234']] }),
    from: integer({ minimum: 0, description: 'In place of ids, with to: the numbers of changes.' }),
    to: integer({ minimum: 0 }),
  },
  { title: 'DeadLetterRetry' },
)

export const Retried = record({ retried: integer() }, { title: 'RetriedDeadLetters' })

export const TestResult = record(
  {
    status: integer({ description: 'Of the answer; 0 without one.' }),
    outcome: text({ description: '`delivered`, or what went wrong.' }),
    ms: integer(),
    excerpt: text({ description: 'The beginning of the answer, or of the error.' }),
  },
  { title: 'SubscriptionTest' },
)

export const Attempt = record(
  {
    attemptNo: integer({ description: 'Grows by one with each attempt of the subscription.' }),
    eventId: text({ description: 'Of the first event of the request; empty for a test.' }),
    events: integer({ description: 'How many events the request held.' }),
    at: dateTime(),
    attempt: integer({ description: 'Which attempt it was for the first event, counted from 1.' }),
    status: integer({ description: 'Of the answer; 0 without one.' }),
    outcome: text({ description: '`delivered`, or what went wrong.' }),
    ms: integer(),
    excerpt: text({ description: 'The beginning of the answer, or of the error.' }),
  },
  { title: 'DeliveryAttempt' },
)

export const DeadLetter = record(
  {
    eventId: text(),
    number: integer({ description: 'The number of the change.' }),
    entity: text(),
    recordKey: text({ description: 'The parts of the key after the company, as a JSON array.' }),
    attempts: integer(),
    lastStatus: integer({ description: 'Of the last answer; 0 without one.' }),
    lastError: text(),
    firstAt: dateTime({ description: 'When it was handed over for delivery.' }),
  },
  { title: 'DeadLetter' },
)
