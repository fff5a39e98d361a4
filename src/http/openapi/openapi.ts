// Builds the OpenAPI 3.1 description: every declared route, and the public endpoints of the service itself.
import { CODES } from '../../errors/codes.ts'
import { BODY_LIMIT_BYTES } from '../pipeline/json-body.ts'
import type { DescribedRoute, ResponseDescription } from '../route/route.ts'
import type { OpenApi, Operation, Response } from './document.ts'
import { endpointsOf, serverAnswers } from './endpoints.ts'
import { NamedSchemas } from './named-schemas.ts'
import { type Exchange, operationOf, responseOf, type Sources } from './operation.ts'
import { refusal } from './parameters.ts'
import { systemEndpoints } from './system-endpoints.ts'

/** Responses to requests that match no operation. Their examples have these names as their operation. */
function otherAnswersOf(routes: readonly DescribedRoute[]): Readonly<Record<string, ResponseDescription>> {
  // Paths beside a route have its form of problems.
  const forms = new Set(routes.flatMap(({ problemDescription }) => problemDescription?.schema ?? []))
  return {
    NoResource: refusal('404: no resource matches the address.', ...forms),
    MethodNotAllowed: {
      ...refusal('405: the address does not take the method.', ...forms),
      headers: { Allow: 'The methods that it takes.' },
    },
    RequestTimeout: refusal('408: the request was not sent in time.'),
  }
}

export function openApiOf(
  routes: readonly DescribedRoute[],
  exchanges: readonly Exchange[],
  { version, basePath }: { readonly version: string; readonly basePath: string },
): OpenApi {
  const sources: Sources = { exchanges, schemas: new NamedSchemas() }
  const paths: Record<string, Record<string, Operation>> = {}
  const tags = new Set<string>()
  const ofService = systemEndpoints.map((one) => ({ ...one, answers: { ...serverAnswers, ...one.answers } }))
  for (const endpoint of [...endpointsOf(routes), ...ofService]) {
    tags.add(endpoint.tag)
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operationOf(endpoint, sources)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tabularium',
      version,
      summary: 'Enterprise records: master data, relations, customers and documents.',
      description: generalText(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/', description: 'The service that this was read from.' }],
    // Some generated clients set the credentials of every scheme in turn and send the last, which must be the bearer.
    security: [{ basic: [] }, { oauth2: [] }, { bearer: [] }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      responses: otherAnswers(otherAnswersOf(routes), sources),
      schemas: sources.schemas.sorted(),
      securitySchemes: securitySchemes(basePath),
    },
  }
}

function otherAnswers(
  answers: Readonly<Record<string, ResponseDescription>>,
  { exchanges, schemas }: Sources,
): Record<string, Response> {
  const responses = Object.entries(answers).map(([name, answer]) => {
    const recorded = exchanges.filter(({ operation }) => operation === name)
    return [name, responseOf(answer, recorded, schemas)]
  })
  return Object.fromEntries(responses)
}

function securitySchemes(basePath: string): Record<string, object> {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token of this service, or of an issuer that its setup trusts.',
    },
    basic: { type: 'http', scheme: 'basic', description: 'The id and secret of a client. A setup can switch it off.' },
    oauth2: {
      type: 'oauth2',
      description: 'How a client gets a token of this service.',
      flows: { clientCredentials: { tokenUrl: `${basePath}/oauth/token`, scopes: {} } },
    },
  }
}

/** The conventions of all endpoints. */
const CONVENTIONS: readonly string[] = [
  'Every request carries `Authorization`: a bearer token of `POST /oauth/token`, or the id and secret of a client by HTTP Basic.',
  '`companyId` selects the company; without it, the default company of the caller is used. A company that the caller may not use is answered as one that does not exist.',
  'Members and parameters are read in any letter case and answered as they are written here; those that are not known are passed over.',
  'There is no null in an answer: an absent text is empty, a number 0, a list empty, an end that is open 2099-12-31.',
  'Everything that is wrong with a request is answered together, and nothing of it is done. Messages are these English sentences; with `X-ERP-Language` or `Accept-Language` they are Norwegian, Swedish, German or English ones with titles in the place of names.',
  'Every answer carries `X-Request-Id`: the one that was sent, when it is 1 to 128 letters, digits and `_ . : -`, or a new one.',
  'A request without a valid token is 401 at any address. Then: an address that does not exist is 404 with code 1030, a method that it does not take is 405 with `Allow`.',
  'Records carry an `ETag`. Sent back as `If-Match`, a change is refused with 409 when somebody else was faster.',
  `A body is JSON in UTF-8 of at most ${BODY_LIMIT_BYTES} bytes. Answers are compressed when the request accepts gzip or deflate; bodies of requests must not be.`,
]

/** In CommonMark, for `info.description`. */
function generalText(): string {
  const rows = CODES.map(({ code, status, meaning, fix }) => `| ${code} | ${status} | ${meaning} | ${fix} |`)
  return [
    ...CONVENTIONS.map((sentence) => `- ${sentence}`),
    '',
    '| code | status | meaning | what to do |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}
