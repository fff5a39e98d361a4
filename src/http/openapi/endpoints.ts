// The endpoints of the OpenAPI description, derived from declared routes.
import { Type } from 'typebox'
import type { ParameterDescription } from '../../model/option-texts.ts'
import {
  type Audience,
  type DescribedRoute,
  type Method,
  type ResponseDescription,
  WITHOUT_BODY,
} from '../route/route.ts'
import { AGENT_PATH } from '../system/oauth-metadata.ts'
import { bodyAnswers, commonAnswers, minChangeParameter, refusal, writeAnswers, writeParameters } from './parameters.ts'

export interface Endpoint {
  readonly method: Method
  /** With `{name}` for each parameter. */
  readonly path: string
  readonly tag: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string | undefined
  /** Absent: public. */
  readonly permit?: string
  /** Whose tokens open it; absent: those for records, and secrets. */
  readonly audience?: Audience | undefined
  readonly parameters: readonly ParameterDescription[]
  readonly body?: object | undefined
  readonly bodyTypes: readonly string[]
  /** Schema of the multipart form, as an alternative to `body`. */
  readonly form?: object | undefined
  /** By status, or a range such as `2XX`. */
  readonly answers: Readonly<Record<string, ResponseDescription>>
  /** Media type of successful responses; errors are always JSON. */
  readonly answerType: string
}

/** Responses of the server itself, which any endpoint may give. */
export const serverAnswers: Readonly<Record<number, ResponseDescription>> = {
  414: refusal('The address is longer than 16,384 bytes, or a value in its path than 512 characters.'),
  415: refusal('The body is compressed.'),
  431: refusal('There are more than 100 headers, or they are larger than 32,768 bytes.'),
  500: {
    description: 'A bug of the service: report it with the request id.',
    schema: Type.Object(
      { code: Type.Literal(1000), message: Type.Literal('Internal server error'), requestId: Type.String() },
      { title: 'InternalError' },
    ),
  },
}

const slowFileAnswer: Readonly<Record<number, ResponseDescription>> = {
  408: refusal('The file comes too slowly while others wait for room.'),
}

/** The endpoints of all declared routes, with unique operation ids. */
export function endpointsOf(routes: readonly DescribedRoute[]): Endpoint[] {
  const taken = new Set<string>()
  return routes.map((route) => {
    const path = templatedPath(route)
    const operationId = route.operationId ?? uniqueName(operationName(route), path, taken)
    return {
      method: route.method,
      path,
      tag: tagOf(path),
      operationId,
      summary: route.summary,
      description: route.description,
      permit: route.permit,
      audience: route.audience,
      parameters: [...route.parameters, ...commonParametersOf(route)],
      body: route.body,
      ...bodyTypesOf(route),
      // Some writes need no body, but the limits on bodies apply to one that is sent.
      answers: withProblemsOf(route, {
        400: refusal('The address or a parameter cannot be read.'),
        ...serverAnswers,
        ...commonAnswers,
        ...(isWrite(route) ? writeAnswers : {}),
        ...(WITHOUT_BODY.includes(route.method) ? {} : bodyAnswers),
        ...(route.upload ? slowFileAnswer : {}),
        ...(isWrite(route) ? writeAnswersOf(route) : route.answers),
      }),
      answerType: 'application/json',
    }
  })
}

type Answers = Endpoint['answers']

/** All refusals of a route have its form, whatever step of a request they come from. */
function withProblemsOf({ problemDescription: form }: DescribedRoute, answers: Answers): Answers {
  if (!form) return answers
  const inForm = ([status, answer]: [string, ResponseDescription]) => {
    const isProblem = /^[45]/.test(status)
    return [status, isProblem ? { ...answer, ...form, headers: { ...answer.headers, ...form.headers } } : answer]
  }
  return Object.fromEntries(Object.entries(answers).map(inForm))
}

function bodyTypesOf({ method, upload }: DescribedRoute): Pick<Endpoint, 'bodyTypes' | 'form'> {
  if (upload && 'types' in upload) return { bodyTypes: upload.types }
  return { bodyTypes: method === 'PATCH' ? PATCH_TYPES : ['application/json'], form: upload?.form }
}

/** Messages of agents have the rules of their own protocol. */
function isWrite({ method, audience, writesNothing = false }: DescribedRoute): boolean {
  return method !== 'GET' && method !== 'HEAD' && audience === undefined && !writesNothing
}

function commonParametersOf(route: DescribedRoute): readonly ParameterDescription[] {
  if (isWrite(route)) return writeParameters
  return route.method === 'POST' ? [] : [minChangeParameter]
}

/** The key of the answer to a validation-only write. Client generators take the lowest 2xx, which must remain 201. */
export const VALIDATE_ONLY = '2XX'

/** Adds the answer to a validation-only POST, and the headers of all writes. */
function writeAnswersOf({ method, answers }: DescribedRoute): Record<string, ResponseDescription> {
  const { schema } = answers[201] ?? {}
  const withHeaders = Object.entries(answers).map(([status, answer]) => [
    status,
    status.startsWith('2') ? { ...answer, headers: { ...answer.headers, ...WRITE_HEADERS } } : answer,
  ])
  if (method !== 'POST' || schema === undefined) return Object.fromEntries(withHeaders)
  const validated = { description: '200, with `validateOnly`: the record as it would have been made.', schema }
  return { ...Object.fromEntries(withHeaders), [VALIDATE_ONLY]: validated }
}

const WRITE_HEADERS = {
  'Idempotency-Replayed': '`true` in the answer to a repeat.',
  'X-ERP-Change-Number':
    'The number of the last change, with this write: a read with it as `Min-Change` has them all. Absent where nothing was written, and of a batch, whose operations have theirs.',
}

const PATCH_TYPES = ['application/json', 'application/json-patch+json']

/** Writes `:name` as `{name}`; the wildcard becomes the path parameters that the path does not name. */
function templatedPath({ path, parameters }: Pick<DescribedRoute, 'path' | 'parameters'>): string {
  const template = path.replaceAll(/:(\w+)/g, '{$1}')
  const rest = parameters.filter((parameter) => parameter.in === 'path' && !template.includes(`{${parameter.name}}`))
  return template.replace('*', rest.map(({ name }) => `{${name}}`).join('/'))
}

/** `/v1/attribute-values/...` -> `Attribute values`. */
function tagOf(path: string): string {
  if (path === AGENT_PATH) return 'Agents'
  if (path.startsWith('/odata/')) return 'OData'
  const [, , resource = ''] = path.split('/')
  return resource.slice(0, 1).toUpperCase() + resource.slice(1).replaceAll('-', ' ')
}

const VERBS = { GET: 'read', HEAD: 'probe', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' }

/** For example `listAttributeValues` or `readAttributeValue`. */
function operationName({ method, path, answers }: DescribedRoute): string {
  const [, , ...segments] = path.split('/')
  const words = segments.filter((segment) => /^[a-z]/.test(segment))
  const schema = answers[200]?.schema as { type?: string; properties?: { total?: unknown } } | undefined
  const isPage = schema?.type === 'array' || schema?.properties?.total !== undefined
  const isList = method === 'GET' && isPage
  const isCount = method === 'HEAD' && answers[200]?.headers?.['X-ERP-Total-Count'] !== undefined
  const isPlural = isList || isCount
  const nouns = words.map((word, index) => (isPlural && index === words.length - 1 ? word : singular(word)))
  const pascal = nouns
    .join('-')
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return (isList ? 'list' : isCount ? 'count' : VERBS[method]) + pascal.join('')
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

/** Adds `By` and the last parameter to a name that is taken. */
function uniqueName(name: string, path: string, taken: Set<string>): string {
  const [, last = ''] = /\{(\w+)\}[^{]*$/.exec(path) ?? []
  const unique = taken.has(name) ? `${name}By${last.slice(0, 1).toUpperCase()}${last.slice(1)}` : name
  if (taken.has(unique)) throw new Error(`two endpoints would be called ${unique}`)
  taken.add(unique)
  return unique
}
