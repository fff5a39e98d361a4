// What the description says of an endpoint, whether it was declared as a route or is written by hand.
import { Type } from 'typebox'
import type { AnswerText, DeclaredRoute, Method, ParameterText } from '../../edge.ts'
import { bodyAnswers, refusal, writeAnswers, writeParameters } from '../../parameters.ts'

export interface Endpoint {
  readonly method: Method
  /** With `{name}` for each parameter. */
  readonly path: string
  readonly tag: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string | undefined
  /** Absent: anybody may call it. */
  readonly permit?: string
  readonly parameters: readonly ParameterText[]
  readonly body?: object | undefined
  readonly bodyTypes: readonly string[]
  /** As which the body may be sent too. */
  readonly form?: object | undefined
  /** By status, or by the first digit of several, such as `2XX`. */
  readonly answers: Readonly<Record<string, AnswerText>>
  /** Of what is no refusal; those are always JSON. */
  readonly answerType: string
}

/** What the server answers by itself, before it looks at the endpoint. */
export const serverAnswers: Readonly<Record<number, AnswerText>> = {
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

const slowFileAnswer: Readonly<Record<number, AnswerText>> = {
  408: refusal('The file comes too slowly while others wait for room.'),
}

/** The endpoints of all declared routes, each with a name of its own. */
export function endpointsOf(routes: readonly DeclaredRoute[]): Endpoint[] {
  const taken = new Set<string>()
  return routes.map((route) => {
    const path = readablePath(route)
    const operationId = freeName(operationName(route), path, taken)
    return {
      method: route.method,
      path,
      tag: tagOf(path),
      operationId,
      summary: route.summary,
      description: route.description,
      permit: route.permit,
      parameters: isWrite(route) ? [...route.parameters, ...writeParameters] : route.parameters,
      body: route.body,
      bodyTypes: route.method === 'PATCH' ? PATCH_TYPES : ['application/json'],
      form: route.fileForm,
      // A DELETE needs no body, but one that is sent is read.
      answers: {
        400: refusal('The address or a parameter cannot be read.'),
        ...serverAnswers,
        ...(isWrite(route) ? writeAnswers : {}),
        ...(route.method === 'DELETE' ? bodyAnswers : {}),
        ...(route.fileForm ? slowFileAnswer : {}),
        ...(isWrite(route) ? answersOfWrite(route) : route.answers),
      },
      answerType: 'application/json',
    }
  })
}

function isWrite({ method }: DeclaredRoute): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** The status of a trial: programs take the lowest that is named for the rule, and that is 201. */
export const TRIAL = '2XX'

/** A trial of what makes a record is told from what made it, and a repeat from the first. */
function answersOfWrite({ method, answers }: DeclaredRoute): Record<string, AnswerText> {
  const { schema } = answers[201] ?? {}
  const answered = Object.entries(answers).map(([status, answer]) => [
    status,
    status.startsWith('2') ? { ...answer, headers: { ...answer.headers, ...REPLAYED } } : answer,
  ])
  if (method !== 'POST' || schema === undefined) return Object.fromEntries(answered)
  const trial = { description: '200, to a trial: the record as it would have been made.', schema }
  return { ...Object.fromEntries(answered), [TRIAL]: trial }
}

const REPLAYED = { 'Idempotency-Replayed': '`true` in the answer to a repeat.' }

const PATCH_TYPES = ['application/json', 'application/json-patch+json']

/** `:name` as `{name}`; for the wildcard stand the parameters of the path that it does not name. */
function readablePath({ path, parameters }: Pick<DeclaredRoute, 'path' | 'parameters'>): string {
  const named = path.replaceAll(/:(\w+)/g, '{$1}')
  const rest = parameters.filter((one) => one.in === 'path' && !named.includes(`{${one.name}}`))
  return named.replace('*', rest.map((one) => `{${one.name}}`).join('/'))
}

/** `/v1/attribute-values/...` -> `Attribute values`; queries of all documents stand together. */
function tagOf(path: string): string {
  const [, , words = ''] = path.split('/')
  return words.slice(0, 1).toUpperCase() + words.slice(1).replaceAll('-', ' ')
}

const VERBS = { GET: 'read', HEAD: 'probe', POST: 'create', PATCH: 'update', DELETE: 'delete' }

/** Such as `listAttributeValues`, `readAttributeValue`. */
function operationName({ method, path, answers }: DeclaredRoute): string {
  const [, , ...segments] = path.split('/')
  const words = segments.filter((segment) => /^[a-z]/.test(segment))
  const answered = answers[200]?.schema as { type?: string; properties?: { total?: unknown } } | undefined
  const isPage = answered?.type === 'array' || answered?.properties?.total !== undefined
  const isList = method === 'GET' && (isPage || !path.includes(':'))
  const isCount = method === 'HEAD' && answers[200]?.headers?.['X-ERP-Total-Count'] !== undefined
  const isMany = isList || isCount
  const nouns = words.map((word, index) => (isMany && index === words.length - 1 ? word : singular(word)))
  const pascal = nouns
    .join('-')
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return (isList ? 'list' : isCount ? 'count' : VERBS[method]) + pascal.join('')
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

/** A second one of a name says what it goes by. */
function freeName(name: string, path: string, taken: Set<string>): string {
  const [, last = ''] = /\{(\w+)\}[^{]*$/.exec(path) ?? []
  const free = taken.has(name) ? `${name}By${last.slice(0, 1).toUpperCase()}${last.slice(1)}` : name
  if (taken.has(free)) throw new Error(`two endpoints would be called ${free}`)
  taken.add(free)
  return free
}
