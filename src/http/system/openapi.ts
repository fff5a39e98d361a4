// The description of every declared route in OpenAPI 3.1. Schemas with a title are named and referred to.
import type { TSchema } from 'typebox'
import type { AnswerText, DeclaredRoute, ParameterText } from '../edge.ts'
import { systemPaths } from './system-paths.ts'

/** A request and what was really answered to it. */
export interface Example {
  readonly method: string
  /** As declared. */
  readonly path: string
  readonly name: string
  readonly status: number
  readonly request?: unknown
  readonly answer?: unknown
}

type Json = { [name: string]: unknown }

export function openApiOf(
  routes: readonly DeclaredRoute[],
  examples: readonly Example[],
  version: string,
  basePath: string,
): Json {
  const schemas = new Map<string, unknown>()
  const paths: Record<string, Json> = { ...systemPaths }
  for (const route of routes) {
    const path = readablePath(route.path)
    const shown = examples.filter((example) => example.method === route.method && example.path === route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path, shown, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tabularium',
      version,
      summary: 'Enterprise records: master data, relations, customers and papers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/' }],
    security: [{ bearer: [] }, { basic: [] }],
    paths,
    components: { schemas: Object.fromEntries([...schemas].sort(byName)), securitySchemes: securitySchemes(basePath) },
  }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** `:name` as `{name}`; the wildcard of single values stands for the value and its period. */
export function readablePath(path: string): string {
  return path.replace('/*', '/{attributeValue}/{periodFrom}').replace(/:(\w+)/g, '{$1}')
}

function operationOf(
  route: DeclaredRoute,
  path: string,
  examples: readonly Example[],
  schemas: Map<string, unknown>,
): Json {
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    answerOf(
      answer,
      examples.filter((example) => example.status === Number(status)),
      schemas,
    ),
  ])
  return {
    operationId:
      route.method.toLowerCase() +
      path
        .replace(/\/v\d+/, '')
        .replace(/[^a-zA-Z]+(\w)/g, (_, letter: string) => letter.toUpperCase())
        .replace(/\W/g, ''),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [path.split('/')[2]],
    'x-permission': route.permit,
    parameters: route.parameters.map((parameter) => parameterOf(parameter, schemas)),
    ...(route.body ? { requestBody: bodyOf(route, route.body, examples, schemas) } : {}),
    responses: Object.fromEntries(answers),
  }
}

function parameterOf({ name, in: place, description, schema }: ParameterText, schemas: Map<string, unknown>): Json {
  return { name, in: place, required: place === 'path', description, schema: refer(schema, schemas, '') }
}

function bodyOf(
  route: DeclaredRoute,
  body: TSchema,
  examples: readonly Example[],
  schemas: Map<string, unknown>,
): Json {
  const sent = examples.filter((example) => example.request !== undefined)
  const content = {
    // Any member may be left out of what is sent; the rules say which must be there.
    schema: refer(body, schemas, route.method === 'POST' ? 'Input' : ''),
    ...(sent.length > 0
      ? {
          examples: Object.fromEntries(
            sent.map((example) => [`${example.name}: ${example.status}`, { value: example.request }]),
          ),
        }
      : {}),
  }
  const types = route.method === 'PATCH' ? ['application/json', 'application/json-patch+json'] : ['application/json']
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) }
}

function answerOf(answer: AnswerText, examples: readonly Example[], schemas: Map<string, unknown>): Json {
  const headers = { 'X-Request-Id': 'The id of this request, for the log.', ...answer.headers }
  const shown = examples.filter((example) => example.answer !== undefined)
  return {
    description: answer.description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
    ),
    ...(answer.schema
      ? {
          content: {
            'application/json': {
              schema: refer(answer.schema, schemas, ''),
              ...(shown.length > 0
                ? { examples: Object.fromEntries(shown.map((example) => [example.name, { value: example.answer }])) }
                : {}),
            },
          },
        }
      : {}),
  }
}

/** A schema with each titled part put among the named ones; `suffix` names a variant without required members. */
function refer(schema: unknown, schemas: Map<string, unknown>, suffix: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => refer(item, schemas, suffix))
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([name]) => suffix === '' || name !== 'required')
  const inside = () => Object.fromEntries(members.map(([name, value]) => [name, refer(value, schemas, suffix)]))
  const { title } = schema as { title?: unknown }
  if (typeof title !== 'string') return inside()
  const name = title + suffix
  if (!schemas.has(name)) {
    schemas.set(name, undefined)
    schemas.set(name, { ...inside(), title: name })
  }
  return { $ref: `#/components/schemas/${name}` }
}

function securitySchemes(basePath: string): Json {
  return {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    basic: { type: 'http', scheme: 'basic', description: "A client's id and secret." },
    oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: `${basePath}/oauth/token`, scopes: {} } } },
  }
}
