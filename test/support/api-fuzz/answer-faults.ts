// Compares an answer with the service's own description; returns the violations.
import type { Response, Schema } from '../../../src/http/openapi/document.ts'
import { VALIDATE_ONLY } from '../../../src/http/openapi/endpoints.ts'
import type { Answer } from '../world.ts'
import type { DescribedOperation, Description } from './description.ts'

/** Headers that are described and only sometimes present. */
const OCCASIONAL = new Set(['link', 'x-erp-truncated', 'idempotency-replayed', 'preference-applied'])
/** Headers of answers that contain records. */
const OF_STATE = new Set(['etag', 'vary', 'x-erp-change-number'])

/** A schema contains no records. */
function isStateless({ headers }: Answer): boolean {
  return String(headers['content-type']).startsWith('application/schema+json')
}

/** Headers that an answer may have only where the description declares them. */
const TELLING = [
  'etag',
  'location',
  'link',
  'allow',
  'x-erp-total-count',
  'x-erp-truncated',
  'x-erp-change-number',
  'accept-ranges',
  'content-range',
  'content-disposition',
  'www-authenticate',
  'retry-after',
  'idempotency-replayed',
  'preference-applied',
]

/** OData answers it where it knows what the service does not. */
const NOT_IMPLEMENTED = 501

/** What a request asks that changes which headers its answer has. */
interface Asked {
  readonly validateOnly: boolean
  /** With `asOf`. */
  readonly isPast: boolean
}

/** `operation` is absent when the address or the method belongs to none. */
export function answerFaults(
  description: Description,
  operation: DescribedOperation | undefined,
  method: string,
  answer: Answer,
  { validateOnly, isPast }: Asked,
): string[] {
  const { status } = answer
  if (status >= 500 && status !== NOT_IMPLEMENTED) return [`the status is ${status}`]
  const described = validateOnly && status === 200 ? VALIDATE_ONLY : status
  const response = operation
    ? (operation.responses[described] ?? operation.responses[status])
    : description.otherResponse(status)
  if (!response) return [`the status ${status} is not described`]
  return [
    ...headerFaults(response, answer, { validateOnly, isPast }),
    ...bodyFaults(description, isPast ? response : presentOf(response), method, answer),
  ]
}

/** Only with `asOf` may an answer have another form than the first. */
function presentOf(response: Response): Response {
  const json = response.content?.['application/json']
  const [first] = (json?.schema.anyOf ?? []) as Schema[]
  if (!first || !response.description.includes('with `asOf`')) return response
  return { ...response, content: { ...response.content, 'application/json': { ...json, schema: first } } }
}

function headerFaults({ headers }: Response, answer: Answer, { validateOnly, isPast }: Asked): string[] {
  const described = Object.keys(headers).map((name) => name.toLowerCase())
  const isOfThePast = ([name, { description }]: [string, { readonly description?: string }]) =>
    isPast ? description?.includes('Absent with `asOf`') || name === 'Vary' : description?.startsWith('With `asOf`')
  // No replica answers the requests of these tests.
  const isOfReplicas = ([, { description }]: [string, { readonly description?: string }]) =>
    description?.startsWith('Where replicas answer')
  const isOfWrites = ([, { description }]: [string, { readonly description?: string }]) =>
    description?.includes('Absent where nothing was written')
  const isOfRecorded = ([, { description }]: [string, { readonly description?: string }]) =>
    description?.includes('Absent where changes are not recorded')
  const ofTheOther = Object.entries(headers)
    .filter((header) => isOfThePast(header) || isOfReplicas(header) || isOfWrites(header) || isOfRecorded(header))
    .map(([name]) => name.toLowerCase())
  const type = String(answer.headers['content-type'] ?? '')
  const isAbsent = (name: string) =>
    (validateOnly && name === 'etag') ||
    ofTheOther.includes(name) ||
    (isStateless(answer) && OF_STATE.has(name)) ||
    // Answers that are shown rather than saved have no file name, and counts have none either.
    (name === 'content-disposition' && !/^(?!application\/(?:schema\+)?json)./.test(type)) ||
    (name === 'accept-ranges' && /^(?:$|application\/(?:(?:schema\+|x-nd)?json)|text\/csv)/.test(type))
  const missing = described.filter(
    (name) => !OCCASIONAL.has(name) && !isAbsent(name) && answer.headers[name] === undefined,
  )
  const more = TELLING.filter((name) => answer.headers[name] !== undefined && !described.includes(name))
  return [
    ...missing.map((name) => `the described header ${name} is missing`),
    ...more.map((name) => `the header ${name} is not described for ${answer.status}`),
  ]
}

function bodyFaults(description: Description, response: Response, method: string, answer: Answer): string[] {
  const { content, 'x-by-accept': others = [] } = response
  if (method === 'HEAD' || !content) return answer.bytes.length === 0 ? [] : ['there is a body where none is described']
  const type = String(answer.headers['content-type']).split(';')[0] ?? ''
  if (others.includes(type)) return []
  const media = content[type] ?? content['*/*']
  if (!media) return [`the content type ${type} is not described`]
  if (type === 'text/plain') return schemaFaults(description, media.schema, answer.text)
  if (type !== 'application/json') return []
  if (answer.json === undefined) return ['there is no body where one is described']
  return [
    ...schemaFaults(description, media.schema, answer.json),
    ...(isInformation(answer.json) || 'openapi' in answer.json ? [] : nullsIn(answer.json, '')),
  ]
}

function schemaFaults(description: Description, schema: Schema, body: unknown): string[] {
  const fault = description.faultOf(schema, body)
  return fault === undefined ? [] : [`the body does not fit its schema: ${fault}`]
}

/** Its nulls are the only exception (decision 0). */
function isInformation(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'messageType' in body
}

function nullsIn(value: unknown, place: string): string[] {
  if (value === null) return [`there is a null at ${place || '/'}`]
  if (typeof value !== 'object') return []
  return Object.entries(value as object).flatMap(([name, member]) => nullsIn(member, `${place}/${name}`))
}
