// The description of the requests of administrators, in OpenAPI. It is apart from that of the records: programs are
// made of that one, and no program has the rights of an administrator.
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { SubscriptionWithSecret } from '../../subscriptions/subscription-schema.ts'
import { ChangedClient, ChangedPerson, ClientSubscription, NewClient, NewPerson, NewSecret } from './access-schema.ts'

interface Described {
  readonly summary: string
  readonly body?: TSchema
  /** The status of success, and what is answered with it; absent: nothing. */
  readonly status?: 200 | 201 | 202 | 204
  readonly answer?: TSchema
  /** What may be refused besides the rights of the person. */
  readonly refusals?: readonly (keyof typeof REFUSALS)[]
  /** Whether `validateOnly` is taken. */
  readonly isTried?: true
}

const REFUSALS = {
  400: 'The body is no JSON of this form.',
  404: 'There is none in the companies that the person administers.',
  409: 'The id is taken, the person would take his own rights, or a backup is taken already.',
  422: 'Something is wrong with the record, told at its members, or with the setup, told by line.',
} as const

const Text = Type.String()
const RolesByCompany = Type.Record(Text, Type.Array(Text), { description: 'Company -> ids of roles.' })
const Setup = Type.Object({ setup: Type.String({ description: 'A setup file, in YAML.' }) }, { title: 'SetupText' })
const Password = Type.Object(
  { id: Text, password: Type.Optional(Type.String({ description: 'Told this once; absent with validateOnly.' })) },
  { title: 'PersonPassword' },
)
const Secret = Type.Object(
  {
    id: Text,
    secret: Type.Optional(Type.String({ description: 'Told this once; absent with validateOnly.' })),
    previousUntil: Type.Optional(Type.String({ description: 'Until then the secret before is accepted.' })),
  },
  { title: 'ClientSecret' },
)
const PeopleAnswer = Type.Object(
  {
    people: Type.Array(
      Type.Object({
        id: Text,
        name: Text,
        disabled: Type.Boolean(),
        administrator: Type.Union([Type.Boolean(), Type.Array(Text)]),
        hasPassword: Type.Boolean(),
        issuer: Type.Union([Text, Type.Null()]),
        defaultCompany: Text,
        roles: RolesByCompany,
      }),
    ),
    roles: Type.Array(
      Type.Object({
        id: Text,
        apis: Type.Record(Text, Type.Array(Text), { description: 'API -> operations.' }),
        objects: Type.Array(Text, { description: 'Documents that may be queried; * is all.' }),
        restricted: Type.Array(Text, { description: 'Documents of which something is left out.' }),
      }),
    ),
    companies: Type.Array(Type.Object({ id: Text, name: Text })),
  },
  { title: 'People' },
)
const ClientsAnswer = Type.Object(
  {
    clients: Type.Array(
      Type.Object({
        id: Text,
        user: Text,
        isDisabled: Type.Boolean(),
        secretsUntil: Type.Array(Text, { description: 'Empty for a secret without an end.' }),
        roles: RolesByCompany,
        companies: Type.Array(Type.Object({ id: Text, permissions: Type.Array(Text) })),
      }),
    ),
  },
  { title: 'Clients' },
)
const EntitiesAnswer = Type.Object(
  { companies: Type.Array(Type.Object({ id: Text, entities: Type.Array(Text) })) },
  { title: 'ClientEntities' },
)
const Requests = Type.Object({
  requests: Type.Array(
    Type.Object({
      at: Text,
      requestId: Text,
      client: Text,
      user: Text,
      method: Text,
      route: Text,
      status: Type.Integer(),
      company: Type.Optional(Text),
      ms: Type.Number(),
      reason: Type.Optional(Type.String({ description: 'Why it was refused.' })),
      message: Type.Optional(
        Type.String({
          description:
            'What the caller was told, without what was sent but names of properties; in the language of the reader.',
        }),
      ),
    }),
    { description: 'The newest first.' },
  ),
})
const CompaniesAnswer = Type.Object(
  {
    companies: Type.Array(
      Type.Object({
        id: Text,
        name: Text,
        fileBytes: Type.Integer(),
        journalBytes: Type.Integer(),
        quotas: Type.Object({
          fileBytes: Type.Optional(Type.Integer()),
          journalBytes: Type.Optional(Type.Integer()),
        }),
      }),
    ),
  },
  { title: 'CompanySizes' },
)
const Backup = Type.Object(
  {
    folder: Type.Optional(Type.String({ description: 'Absent: the service was started without --backups.' })),
    last: Type.Optional(
      Type.Object({
        begun: Text,
        ended: Text,
        program: Text,
        files: Type.Integer(),
        sizeBytes: Type.Integer(),
        missing: Type.Integer({ description: 'Files that records refer to, and that are not there.' }),
      }),
    ),
    unfinished: Type.Optional(Type.String({ description: 'When one was begun that is taken now, or interrupted.' })),
    running: Type.Optional(Type.Object({ stage: Text, done: Type.Integer(), total: Type.Integer() })),
    problem: Type.Optional(Text),
  },
  { title: 'Backups' },
)
const Comparison = Type.Object({ changes: Type.Optional(Text), problems: Type.Optional(Type.Array(Text)) })

/** `METHOD path` below the path of the administration. */
const OPERATIONS: Readonly<Record<string, Described>> = {
  'GET /openapi.json': { summary: 'This description', answer: Type.Object({}) },
  'GET /people': { summary: 'List people, roles and companies', answer: PeopleAnswer },
  'POST /people': {
    summary: 'Add a person, with a password that is told once',
    body: NewPerson,
    status: 201,
    answer: Password,
    refusals: [400, 409, 422],
    isTried: true,
  },
  'PATCH /people/{id}': {
    summary: 'Change, disable or enable a person',
    body: ChangedPerson,
    status: 204,
    refusals: [400, 404, 409, 422],
    isTried: true,
  },
  'POST /people/{id}/password': {
    summary: 'Give a person another password: the sessions of the person end',
    answer: Password,
    refusals: [404],
    isTried: true,
  },
  'GET /clients': { summary: 'List clients', answer: ClientsAnswer },
  'POST /clients': {
    summary: 'Add a client and its user, with a secret that is told once',
    body: NewClient,
    status: 201,
    answer: Secret,
    refusals: [400, 409, 422],
    isTried: true,
  },
  'PATCH /clients/{id}': {
    summary: 'Disable or enable a client',
    body: ChangedClient,
    status: 204,
    refusals: [400, 404],
    isTried: true,
  },
  'POST /clients/{id}/secret': {
    summary: 'Give a client another secret, beside the one before or in its place',
    body: NewSecret,
    answer: Secret,
    refusals: [400, 404],
    isTried: true,
  },
  'GET /clients/{id}/requests': { summary: 'List what a client has asked lately', answer: Requests, refusals: [404] },
  'GET /clients/{id}/entities': {
    summary: 'List of which entities a client may be told by webhooks, by company',
    answer: EntitiesAnswer,
    refusals: [404],
  },
  'POST /clients/{id}/subscriptions': {
    summary: 'Subscribe for a client, with the rights that it has, and a secret that is told once',
    body: ClientSubscription,
    status: 201,
    answer: SubscriptionWithSecret,
    refusals: [400, 404, 422],
    isTried: true,
  },
  'GET /requests': { summary: 'List what was refused lately in the process that answers, and why', answer: Requests },
  'GET /companies': { summary: 'Read what companies keep, and their quotas', answer: CompaniesAnswer },
  'GET /health': { summary: 'Read version, database and processes', answer: Type.Object({}) },
  'GET /backups': { summary: 'Read the last backup, and how far one is that is taken', answer: Backup },
  'POST /backups': { summary: 'Take a backup', status: 202, answer: Backup, refusals: [409] },
  'GET /setup': { summary: 'Read the setup in force, with marks for secrets', answer: Setup },
  'POST /setup/comparison': {
    summary: 'Tell what a setup would change, and what is wrong with it',
    body: Setup,
    answer: Comparison,
    refusals: [400, 409],
  },
  'POST /setup': {
    summary: 'Apply a setup',
    body: Setup,
    answer: Comparison,
    refusals: [400, 409, 422],
  },
}

const Fault = Type.Object({ code: Type.Integer(), message: Text }, { title: 'Problem' })
const json = (schema: TSchema) => ({ content: { 'application/json': { schema } } })

export function administrationDescription(path: string, version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, described] of Object.entries(OPERATIONS)) {
    const [method = '', below = ''] = name.split(' ')
    const at = path + below
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(below, described) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Administration of Tabularium', version, description: GENERAL },
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-tabularium-session' } },
    },
  }
}

const GENERAL =
  'For people who have signed in to the console and administer the service, or companies of it: each request has the cookie of the session and the header `X-Requested-With: tabularium-console`. Who administers companies sees and changes the people and clients of these alone, and nothing of the setup. A write needs no Idempotency-Key: what is added twice is 409, and a secret is told in one answer and kept nowhere.'

function operationOf(path: string, { summary, body, status = 200, answer, refusals = [], isTried }: Described): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: Text })),
    ...(isTried ? [{ name: 'validateOnly', in: 'query', schema: Type.Boolean(), description: TRIED }] : []),
  ]
  const refused = { 401: 'Nobody has signed in.', 403: 'The person does not administer this.' }
  const told = Object.fromEntries(refusals.map((one) => [one, REFUSALS[one]]))
  const problems = Object.entries({ ...refused, ...told }).map(([one, description]) => [
    one,
    { description, ...json(Fault) },
  ])
  return {
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, ...json(body) } } : {}),
    responses: {
      [status]: { description: summary, ...(answer ? json(answer) : {}) },
      ...Object.fromEntries(problems),
    },
  }
}

const TRIED = 'Everything is checked and nothing stays; the status of an answer with a body is then 200.'
