// Descriptions of the parameters that many endpoints share.
import { Type } from 'typebox'
import type { OptionTexts } from '../model/option-texts.ts'
import type { AnswerText, ParameterText } from './edge.ts'

export const companyParameter: ParameterText = {
  name: 'companyId',
  in: 'query',
  description: "The company to act in; without it, the caller's default company. Any letter case.",
  schema: Type.String({ examples: ['EN'] }),
}

const FILTER =
  "Which records: comparisons (eq, ne, gt, ge, lt, le, in), and, or, not, brackets, and functions such as contains(description, 'office'). The $ may be left out of every option."

/** Without texts, of a document that only the setup knows. */
export function filterParameter(texts?: OptionTexts): ParameterText {
  return {
    name: '$filter',
    in: 'query',
    description: texts ? `${FILTER} Properties: ${texts.filterable.map((path) => `\`${path}\``).join(', ')}.` : FILTER,
    schema: Type.String({ maxLength: 8_000, ...exampleOf(texts?.filter) }),
  }
}

/** The options of every collection (decision 6). */
export function collectionParameters(texts?: OptionTexts): readonly ParameterText[] {
  return [
    companyParameter,
    {
      name: '$select',
      in: 'query',
      description: 'Which properties, separated by commas; all of them when left out.',
      schema: Type.String(exampleOf(texts?.select)),
    },
    filterParameter(texts),
    {
      name: '$orderby',
      in: 'query',
      description:
        'The order: properties as in a filter, separated by commas, each with `desc` behind it or not; the key when left out, and behind every order.',
      schema: Type.String(exampleOf(texts?.orderby)),
    },
    {
      name: '$offset',
      in: 'query',
      description: 'How many records to skip (also `$skip`).',
      schema: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
    },
    {
      name: '$limit',
      in: 'query',
      description: 'At most how many records (also `$top`).',
      schema: Type.Integer({ minimum: 1, maximum: 50_000, default: 50_000 }),
    },
  ]
}

function exampleOf(example: string | undefined): { examples?: string[] } {
  return example === undefined ? {} : { examples: [example] }
}

export const ifNoneMatchParameter: ParameterText = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag` answered before: 304 when nothing has changed since.',
  schema: Type.String(),
}

export const ifMatchParameter: ParameterText = {
  name: 'If-Match',
  in: 'header',
  description: 'An `ETag` answered before: 409 when somebody has changed the record since.',
  schema: Type.String(),
}

const coded = Type.Object(
  {
    code: Type.Integer({ description: 'See the table of codes.' }),
    message: Type.String({ description: 'What was wrong, where, and what was expected.' }),
  },
  { title: 'Refusal' },
)

/** The plain shape of a refusal. */
export function refusal(description: string): AnswerText {
  return { description, schema: coded }
}

/** The shape of refusals of ids and of base64, with nulls in it. */
const information = Type.Object(
  { message: Type.String(), messageType: Type.Literal('Information'), code: Type.Null(), path: Type.Null() },
  { title: 'Information' },
)

/** A plain refusal, or one of an id. */
export function refusalOfIdToo(description: string): AnswerText {
  return { description, schema: Type.Union([coded, information]) }
}

/** Of an address with the id of a document. */
export const notAGuid: AnswerText = refusalOfIdToo('The id is not a GUID, or another parameter cannot be read.')

const messages = Type.Record(Type.String(), Type.Array(coded), { description: 'Field -> what is wrong with it.' })

const refusedRecord = Type.Object(
  { notificationMessages: messages },
  {
    additionalProperties: true,
    title: 'RefusedRecord',
    description: 'The record as it was sent, with what is wrong in each object that failed.',
  },
)

/** A refusal that gives the record back as it was sent, with what is wrong in each object that failed. */
export function fieldRefusal(description: string): AnswerText {
  return { description, schema: Type.Union([refusedRecord, coded]) }
}

/** The same where an id or base64 may be refused. */
export function fieldRefusalOfIdToo(description: string): AnswerText {
  return { description, schema: Type.Union([refusedRecord, coded, information]) }
}

/** What every protected endpoint may answer. */
export const commonAnswers: Readonly<Record<number, AnswerText>> = {
  401: {
    description: 'The token or the secret is missing or wrong.',
    schema: Type.Object(
      { statusCode: Type.Literal(401), message: Type.Literal('Invalid JWT.') },
      { title: 'InvalidToken' },
    ),
    headers: { 'WWW-Authenticate': 'The schemes that are accepted.' },
  },
  403: refusal("The caller may not do this, or the company is not one of the caller's."),
  429: {
    ...refusal(
      'The caller has had its share of requests or bytes, or too many requests without right credentials came from its address.',
    ),
    headers: { 'Retry-After': 'Seconds to wait.' },
  },
  503: { ...refusal('The service cannot answer now.'), headers: { 'Retry-After': 'Seconds to wait.' } },
}

/** What an endpoint with a body may answer beside. */
export const bodyAnswers: Readonly<Record<number, AnswerText>> = {
  413: refusal('The body is larger than the limit.'),
  415: refusal('The body is not JSON, or is compressed.'),
}

/** What every write takes beside. */
export const writeParameters: readonly ParameterText[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A new one for each request: sent again under it within 24 hours, the request gets the first answer, with `Idempotency-Replayed: true`, and is not done twice.',
    schema: Type.String({ minLength: 1, maxLength: 255 }),
  },
  {
    name: 'validateOnly',
    in: 'query',
    description:
      'A trial: checked and answered as the write, with the numbers and dates that would be assigned (status 200), and nothing is kept.',
    schema: Type.Boolean({ default: false }),
  },
]

export const writeAnswers: Readonly<Record<number, AnswerText>> = {
  422: refusal('The Idempotency-Key was sent before with another request.'),
}
