// The endpoints of the service itself, described by hand: they belong to no resource and need no permission.
import { Type } from 'typebox'
import type { ResponseDescription } from '../route/route.ts'
import type { Endpoint } from './endpoints.ts'
import { commonAnswers, ifNoneMatchParameter, refusal, refusalForNow } from './parameters.ts'

const status = Type.Object(
  {
    status: Type.String({ examples: ['ready'] }),
    checks: Type.Optional(
      Type.Object({
        database: Type.String({
          description: '`sound`, `checking`, `unchecked` or `damaged`; not there where PostgreSQL looks after it.',
          examples: ['sound'],
        }),
      }),
    ),
  },
  { title: 'Health' },
)

const tokenForm = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String({ description: 'Here with the secret, or both by HTTP Basic.' })),
    client_secret: Type.Optional(Type.String()),
  },
  { title: 'TokenRequest' },
)

const token = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT, for `Authorization: Bearer`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String({ description: 'Empty: the roles of the user decide.' }),
  },
  { title: 'Token' },
)

const oauthMembers = {
  error: Type.String({ description: 'As RFC 6749 has it.', examples: ['invalid_request'] }),
  error_description: Type.String(),
  message: Type.String(),
}

const tokenRefusal = Type.Object({ code: Type.Integer(), ...oauthMembers }, { title: 'TokenRefusal' })
const wrongClient = Type.Object({ statusCode: Type.Literal(401), ...oauthMembers }, { title: 'WrongClient' })

const keySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        { kty: Type.String(), kid: Type.String(), alg: Type.String(), use: Type.String() },
        { additionalProperties: true },
      ),
    ),
  },
  { title: 'KeySet' },
)

const stopping = refusalForNow('The service is stopping.')
const addressLimits = refusalForNow('Too many requests without right credentials came from this address.')

const open = { parameters: [], bodyTypes: [], answerType: 'application/json' } as const

/** The content stays the same until the program or the setup changes. */
const taggedAnswers = (answer: ResponseDescription): Record<number, ResponseDescription> => ({
  200: { ...answer, headers: { ETag: 'The state of the page, for `If-None-Match`.' } },
  304: { description: 'Nothing has changed since the caller had it.' },
})

function get(
  path: string,
  tag: string,
  operationId: string,
  summary: string,
  more: Partial<Endpoint> & Pick<Endpoint, 'answers'>,
): Endpoint {
  return { ...open, method: 'GET', path, tag, operationId, summary, ...more }
}

const PAGE = {
  parameters: [ifNoneMatchParameter],
  answerType: 'text/html',
  answers: { ...taggedAnswers({ description: 'A page.', schema: Type.String() }), 429: addressLimits, 503: stopping },
}

export const systemEndpoints: readonly Endpoint[] = [
  {
    ...open,
    method: 'POST',
    path: '/oauth/token',
    tag: 'Access',
    operationId: 'createToken',
    summary: 'Get an access token (OAuth 2.0 client credentials)',
    body: tokenForm,
    bodyTypes: ['application/x-www-form-urlencoded'],
    answers: {
      200: { description: 'A token.', schema: token },
      400: { description: 'The form is wrong.', schema: tokenRefusal },
      401: {
        description: 'The client id or the secret is wrong.',
        schema: wrongClient,
        headers: { 'WWW-Authenticate': 'The schemes that are accepted.' },
      },
      413: refusal('The form is larger than 8,192 bytes.'),
      415: refusal('The body is no form, or is compressed.'),
      429: refusalForNow('Too many secrets of this client were wrong, or too many requests from this address.'),
      503: stopping,
    },
  },
  get('/.well-known/jwks.json', 'Access', 'readKeySet', 'The public keys that verify access tokens', {
    answers: { 200: { description: 'A JWK set (RFC 7517).', schema: keySet }, 429: addressLimits, 503: stopping },
  }),
  get('/health/live', 'Health', 'readLiveness', 'Whether the process answers', {
    answers: { 200: { description: 'It does.', schema: status }, 503: stopping },
  }),
  get('/health/ready', 'Health', 'readReadiness', 'Whether the service should be sent requests', {
    answers: {
      200: { description: 'It should.', schema: status },
      503: {
        description: 'It is stopping, or the store does not answer.',
        schema: Type.Union([status, refusal('').schema ?? status]),
        headers: { 'Retry-After': 'Seconds to wait.' },
      },
    },
  }),
  get('/metrics', 'Health', 'readMetrics', 'Figures for Prometheus', {
    description:
      'For callers on the same machine that come by no proxy, and for roles with the operation `read` on the API `metrics`.',
    answerType: 'text/plain',
    answers: {
      200: { description: 'The text format of Prometheus, version 0.0.4.', schema: Type.String() },
      401: commonAnswers[401] ?? refusal(''),
      429: addressLimits,
      403: refusal('The caller comes from another machine and may not read metrics.'),
      503: stopping,
    },
  }),
  get('/openapi.json', 'Description', 'readDescription', 'This description for programs', {
    parameters: [ifNoneMatchParameter],
    answers: {
      ...taggedAnswers({ description: 'OpenAPI 3.1.', schema: Type.Object({}, { additionalProperties: true }) }),
      429: addressLimits,
      503: stopping,
    },
  }),
  get('/docs', 'Description', 'readGuides', 'The guides: concepts, the query language, recipes, administration', PAGE),
  get('/docs/api', 'Description', 'readPage', 'This description for people', PAGE),
]
