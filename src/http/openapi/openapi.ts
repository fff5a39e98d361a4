// Builds the OpenAPI 3.1 description: every declared route, and the public endpoints of the service itself.
import type { DeclaredRoute, ResponseDescription } from '../router.ts'
import type { OpenApi, Operation, Response } from './document.ts'
import { type Endpoint, endpointsOf, serverAnswers } from './endpoints.ts'
import { generalText } from './general-text.ts'
import { NamedSchemas } from './named-schemas.ts'
import { type Exchange, operationOf, responseOf, type Sources } from './operation.ts'
import { refusal } from './parameters.ts'
import { systemEndpoints } from './system-endpoints.ts'

/** Responses to requests that match no operation. Their examples have these names as their operation. */
const OTHER_ANSWERS: Readonly<Record<string, ResponseDescription>> = {
  NoResource: refusal('404: no resource matches the address.'),
  MethodNotAllowed: {
    ...refusal('405: the address does not take the method.'),
    headers: { Allow: 'The methods that it takes.' },
  },
  RequestTimeout: refusal('408: the request was not sent in time.'),
}

export interface DescriptionSettings {
  readonly version: string
  readonly basePath: string
}

export function openApiOf(
  routes: readonly DeclaredRoute[],
  exchanges: readonly Exchange[],
  { version, basePath }: DescriptionSettings,
): OpenApi {
  const sources: Sources = { exchanges, schemas: new NamedSchemas() }
  const paths: Record<string, Record<string, Operation>> = {}
  const tags = new Set<string>()
  for (const endpoint of [...endpointsOf(routes), ...systemEndpoints.map(withServerAnswers)]) {
    tags.add(endpoint.tag)
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operationOf(endpoint, sources)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tabularium',
      version,
      summary: 'Enterprise records: master data, relations, customers and papers.',
      description: generalText(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/', description: 'The service that this was read from.' }],
    // Some generated clients set the credentials of every scheme in turn and send the last, which must be the bearer.
    security: [{ basic: [] }, { oauth2: [] }, { bearer: [] }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      responses: otherAnswers(sources),
      schemas: sources.schemas.sorted(),
      securitySchemes: securitySchemes(basePath),
    },
  }
}

function withServerAnswers(endpoint: Endpoint): Endpoint {
  return { ...endpoint, answers: { ...serverAnswers, ...endpoint.answers } }
}

function otherAnswers({ exchanges, schemas }: Sources): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(OTHER_ANSWERS).map(([name, answer]) => [
      name,
      responseOf(
        answer,
        exchanges.filter(({ operation }) => operation === name),
        schemas,
      ),
    ]),
  )
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
