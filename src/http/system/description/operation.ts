// One endpoint as an operation of the description, with the examples that were recorded for it.
import type { AnswerText, ParameterText } from '../../edge.ts'
import type { Content, Example, Header, MediaType, Operation, Parameter, Response, Schema } from './document.ts'
import { type Endpoint, TRIAL } from './endpoints.ts'
import { ANY_OPERATION, type Exchange } from './exchange.ts'
import type { NamedSchemas, Use } from './named-schemas.ts'

export interface Sources {
  readonly exchanges: readonly Exchange[]
  readonly schemas: NamedSchemas
}

/** The body of every refusal. */
const REFUSED = { type: 'application/json', use: 'answer' } as const

export function operationOf(endpoint: Endpoint, { exchanges, schemas }: Sources): Operation {
  const name = `${endpoint.method} ${endpoint.path}`
  const own = exchanges.filter((exchange) => exchange.operation === name)
  const parameters = endpoint.parameters.map((parameter) => parameterOf(parameter, schemas))
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    ...(endpoint.permit === undefined ? { security: [] } : { 'x-permission': endpoint.permit }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyOf(endpoint, endpoint.body, own, schemas) } }),
    responses: responsesOf(endpoint, own, { exchanges, schemas }),
  }
}

function responsesOf(
  { method, parameters, answers, answerType }: Endpoint,
  own: readonly Exchange[],
  { exchanges, schemas }: Sources,
): Operation['responses'] {
  const isSelected = parameters.some(({ name }) => name === '$select')
  const general = exchanges.filter(({ operation }) => operation === ANY_OPERATION)
  const responses = Object.entries(answers).map(([text, answer]) => {
    const status = text === TRIAL ? 200 : Number(text)
    const [ofOwn, ofAny] = [own, general].map((list) => list.filter((one) => one.answer.status === status))
    const type = answer.type ?? answerType
    const content = status < 400 ? ({ type, use: isSelected ? 'selected' : 'answer' } as const) : REFUSED
    const shown = ofOwn?.length ? ofOwn : (ofAny ?? [])
    // RFC 9110, 15.4.5: a 304 has the tag that the answer would have had.
    const { ETag: tag } = answers[200]?.headers ?? {}
    const whole = status === 304 && tag !== undefined ? { headers: { ETag: tag }, ...answer } : answer
    return [text, responseOf(whole, shown, schemas, method === 'HEAD' ? 'no body' : content)]
  })
  return Object.fromEntries(responses)
}

function parameterOf({ name, in: place, description, schema }: ParameterText, schemas: NamedSchemas): Parameter {
  return { name, in: place, required: place === 'path', description, schema: schemas.refer(schema) }
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
  answer: AnswerText,
  exchanges: readonly Exchange[],
  schemas: NamedSchemas,
  body: { readonly type: string; readonly use: Use } | 'no body' = REFUSED,
): Response {
  const headers = { 'X-Request-Id': 'Of this request; the one that was sent, or a new one.', ...answer.headers }
  const response = {
    description: answer.description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, headerOf(name, description, exchanges)]),
    ),
  }
  if (!answer.schema || body === 'no body') return { ...response, description: withoutBody(answer.description) }
  const media = {
    schema: answeredSchema(answer.schema as object as Schema, body.use, schemas),
    ...answeredExamples(exchanges),
  }
  const others = answer.otherTypes ? { 'x-by-accept': answer.otherTypes } : {}
  return { ...response, content: { [body.type]: media }, ...others }
}

/** Of a list from which may be selected: whole records, and such as have less. */
function answeredSchema(schema: Schema, use: Use, schemas: NamedSchemas): Schema {
  if (use !== 'selected') return schemas.refer(schema)
  const item = schema.items as Schema
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

/** Bodies that were accepted; those that were refused stand with the refusal. */
function sentExamples(exchanges: readonly Exchange[]): Pick<MediaType, 'examples'> {
  const accepted = exchanges.filter(({ request, answer }) => request.body !== undefined && answer.status < 400)
  return examplesOf(accepted, ({ request }) => ({ value: request.body }))
}

function answeredExamples(exchanges: readonly Exchange[]): Pick<MediaType, 'examples'> {
  const answered = exchanges.filter(({ answer }) => answer.body !== undefined)
  return examplesOf(answered, ({ request, answer }) =>
    request.body === undefined ? { value: answer.body } : { value: answer.body, 'x-request-body': request.body },
  )
}

/** By names that can stand in an address. */
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

/** Such as `GET /v1/attribute-values/C1?$limit=0 -> 400`. */
function requestLine({ request, answer }: Exchange): string {
  return `${request.method} ${request.url} -> ${answer.status}`
}
