// Turns an endpoint into an operation of the description, with the examples recorded for it.
import type { ParameterDescription } from '../../model/option-texts.ts'
import { ANY_CALLER, type ResponseDescription } from '../route/route.ts'
import type { Content, Example, Header, MediaType, Operation, Parameter, Response, Schema } from './document.ts'
import { type Endpoint, VALIDATE_ONLY } from './endpoints.ts'
import type { NamedSchemas, SchemaUse } from './named-schemas.ts'

/** A recorded request and the real response to it, used as an example. */
export interface Exchange {
  /** Method and path template, for example `GET /v1/attribute-values/{attributeId}`. */
  readonly operation: string
  readonly name: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly answer: {
    readonly status: number
    /** Only those that the description lists. */
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}

/** The operation of exchanges that are the same for every operation; with the start of a path behind it, below that. */
export const ANY_OPERATION = '*'

/** The exchanges that any operation at the path may have: those for the start of the path, if there are any. */
export function sharedExchanges(exchanges: readonly Exchange[], path: string): readonly Exchange[] {
  const isBelow = ({ operation }: Exchange) =>
    operation.startsWith(`${ANY_OPERATION} `) && path.startsWith(operation.slice(ANY_OPERATION.length + 1))
  const below = exchanges.filter(isBelow)
  return below.length > 0 ? below : exchanges.filter(({ operation }) => operation === ANY_OPERATION)
}

export interface Sources {
  readonly exchanges: readonly Exchange[]
  readonly schemas: NamedSchemas
}

/** The body of every error. */
const ERROR_BODY = { type: 'application/json', use: 'answer' } as const

export function operationOf(endpoint: Endpoint, { exchanges, schemas }: Sources): Operation {
  const name = `${endpoint.method} ${endpoint.path}`
  const recorded = exchanges.filter((exchange) => exchange.operation === name)
  const parameters = endpoint.parameters.map((parameter) => parameterOf(parameter, schemas))
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    ...accessOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyOf(endpoint, endpoint.body, recorded, schemas) } }),
    responses: responsesOf(endpoint, recorded, { exchanges, schemas }),
  }
}

function accessOf({ permit, audience }: Endpoint): Pick<Operation, 'security' | 'x-permission'> {
  if (permit === undefined) return { security: [] }
  if (audience !== undefined) return { security: [{ oauth2: [] }, { bearer: [] }] }
  return permit === ANY_CALLER ? {} : { 'x-permission': permit }
}

function responsesOf(
  { method, path, parameters, answers, answerType }: Endpoint,
  recorded: readonly Exchange[],
  { exchanges, schemas }: Sources,
): Operation['responses'] {
  const isSelected = parameters.some(({ name }) => name === '$select')
  const general = sharedExchanges(exchanges, path)
  const responses = Object.entries(answers).map(([text, answer]) => {
    const status = text === VALIDATE_ONLY ? 200 : Number(text)
    const [specific, shared] = [recorded, general].map((list) => list.filter(({ answer }) => answer.status === status))
    const type = answer.type ?? answerType
    const content = status < 400 ? ({ type, use: isSelected ? 'selected' : 'answer' } as const) : ERROR_BODY
    const examples = specific?.length ? specific : (shared ?? [])
    // RFC 9110, 15.4.5: a 304 has the ETag that the 200 would have had.
    const { ETag: tag } = answers[200]?.headers ?? {}
    const withTag = status === 304 && tag !== undefined ? { headers: { ETag: tag }, ...answer } : answer
    return [text, responseOf(withTag, examples, schemas, method === 'HEAD' ? 'no body' : content)]
  })
  return Object.fromEntries(responses)
}

function parameterOf(
  { name, in: location, description, schema }: ParameterDescription,
  schemas: NamedSchemas,
): Parameter {
  return { name, in: location, required: location === 'path', description, schema: schemas.refer(schema) }
}

function bodyOf(
  { method, body, bodyTypes, form }: Endpoint,
  schema: NonNullable<Endpoint['body']>,
  exchanges: readonly Exchange[],
  schemas: NamedSchemas,
): Content {
  const isRecord = method === 'POST' && bodyTypes.includes('application/json') && body !== undefined
  const content: MediaType = {
    schema: schemas.refer(schema, isRecord ? 'input' : 'answer'),
    ...sentExamples(exchanges),
  }
  return {
    ...Object.fromEntries(bodyTypes.map((type) => [type, content])),
    ...(form ? { 'multipart/form-data': formOf(form as Schema, schemas) } : {}),
  }
}

function formOf(form: Schema, schemas: NamedSchemas): MediaType {
  const typed = Object.entries(form.properties as Record<string, Schema>).flatMap(
    ([name, { contentMediaType: contentType }]) => (typeof contentType === 'string' ? [[name, { contentType }]] : []),
  )
  return { schema: schemas.refer(form, 'input'), encoding: Object.fromEntries(typed) }
}

export function responseOf(
  answer: ResponseDescription,
  exchanges: readonly Exchange[],
  schemas: NamedSchemas,
  body: { readonly type: string; readonly use: SchemaUse } | 'no body' = ERROR_BODY,
): Response {
  const headers = { 'X-Request-Id': 'Of this request; the one that was sent, or a new one.', ...answer.headers }
  const described = Object.entries(headers).map(([name, text]) => [name, headerOf(name, text, exchanges)])
  const response = { description: answer.description, headers: Object.fromEntries(described) }
  if (!answer.schema || body === 'no body') return { ...response, description: withoutBody(answer.description) }
  const media = {
    schema: answeredSchema(answer.schema as object as Schema, body.use, schemas),
    ...answeredExamples(exchanges),
  }
  const otherTypes = answer.otherTypes ? { 'x-by-accept': answer.otherTypes } : {}
  return { ...response, content: { [body.type]: media }, ...otherTypes }
}

/** For a list with `$select`, its items are complete records or selected members. */
function answeredSchema(schema: Schema, use: SchemaUse, schemas: NamedSchemas): Schema {
  const item = schema.items
  if (use !== 'selected' || !item) return schemas.refer(schema)
  return { ...schema, items: { anyOf: [schemas.refer(item), schemas.refer(item, 'selected')] } }
}

function withoutBody(description: string): string {
  return /no body/i.test(description) ? description : `${description} No body.`
}

function headerOf(name: string, description: string, exchanges: readonly Exchange[]): Header {
  const example = exchanges
    .map(({ answer }) => answer.headers?.[name.toLowerCase()])
    .find((value) => value !== undefined)
  return { description, schema: { type: 'string' }, ...(example === undefined ? {} : { example }) }
}

/** Request bodies that were accepted. Rejected ones are shown with their error response. */
function sentExamples(exchanges: readonly Exchange[]): Pick<MediaType, 'examples'> {
  const accepted = exchanges.filter(({ request, answer }) => request.body !== undefined && answer.status < 400)
  return examplesOf(accepted, ({ request }) => ({ value: request.body }))
}

function answeredExamples(exchanges: readonly Exchange[]): Pick<MediaType, 'examples'> {
  const withBody = exchanges.filter(({ answer }) => answer.body !== undefined)
  return examplesOf(withBody, ({ request, answer }) =>
    request.body === undefined ? { value: answer.body } : { value: answer.body, 'x-request-body': request.body },
  )
}

/** The keys are URL-safe forms of the names. */
function examplesOf(
  exchanges: readonly Exchange[],
  partOf: (exchange: Exchange) => Pick<Example, 'value' | 'x-request-body'>,
): Pick<MediaType, 'examples'> {
  const examples = exchanges.map((exchange) => [
    exchange.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    { summary: exchange.name, description: requestLine(exchange), ...partOf(exchange) },
  ])
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }
}

/** For example `GET /v1/attribute-values/C1?$limit=0 -> 400`. */
function requestLine({ request, answer }: Exchange): string {
  return `${request.method} ${request.url} -> ${answer.status}`
}
