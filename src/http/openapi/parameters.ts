// Descriptions of parameters and responses that many endpoints share.
import { type TSchema, Type } from 'typebox'
import {
  headerParameter,
  type OptionTexts,
  type ParameterDescription,
  queryParameter,
} from '../../model/option-texts.ts'
import type { ResponseDescription } from '../route/route.ts'

export const companyParameter = queryParameter(
  'companyId',
  "The company to act in; without it, the caller's default company. Any letter case.",
  Type.String({ examples: ['EN'] }),
)

const FILTER =
  "Which records: comparisons (eq, ne, gt, ge, lt, le, in), and, or, not, brackets, and functions such as contains(description, 'office'). The $ may be left out of every option."

/** Without `texts` for documents that only the setup defines. */
function filterParameter(texts?: OptionTexts): ParameterDescription {
  const properties = texts ? ` Properties: ${texts.filterable.map((path) => `\`${path}\``).join(', ')}.` : ''
  return queryParameter('$filter', FILTER + properties, Type.String({ maxLength: 8_000, ...exampleOf(texts?.filter) }))
}

const MOMENT = 'a date or date-time, or the number of a change (`X-ERP-Change-Number`)'

/** For single records. */
export const asOfParameter = queryParameter(
  'asOf',
  `The record as it was then: ${MOMENT}. The present when it lies in the future.`,
  Type.String({ examples: ['2026-11-23T12:00:00Z'] }),
)

/** For collections that the change log covers. */
export const collectionAsOfParameter = queryParameter(
  '$asOf',
  `The answer as it was then: ${MOMENT}. Rights are those of now; descriptions of codes and associated records too.`,
  Type.String({ examples: ['2026-11-23T12:00:00Z'] }),
)

/** For records with a validity. */
export function validAtParameter(unit: 'period' | 'time'): ParameterDescription {
  return queryParameter(
    '$validAt',
    unit === 'period'
      ? 'Only values that hold in this period (yyyypp), or in the period of this date.'
      : 'Only relations that hold on this date, or at this date-time. An end at midnight is the end of that day.',
    Type.String({ examples: [unit === 'period' ? '202611' : '2026-11-23'] }),
  )
}

/** Formats beside JSON. */
export const OTHER_FORMATS = ['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet']

/** Groups of records instead of the records. */
const groupingParameters: readonly ParameterDescription[] = [
  queryParameter(
    '$groupby',
    'Answers groups of records instead of records: properties as in a filter, at most 8, separated by commas; `[T]` behind one adds the description of its code. Not together with `$select`.',
    Type.String(),
  ),
  queryParameter(
    '$aggregate',
    'What is computed of each group, at most 20 results separated by commas: `count()`, and `sum`, `average`, `min`, `max` and `countDistinct` of a property, each with a name for the result or not (`sum(amount) as total`). Without `$groupby`, of all records. Exact; an average is rounded half to even at six digits more than the property has.',
    Type.String(),
  ),
  queryParameter(
    '$having',
    'Which groups: a filter on the members of the answer (`total gt 1000`).',
    Type.String({ maxLength: 8_000 }),
  ),
]

/** The query options of the counts of every collection. */
export function countParameters(texts?: OptionTexts): readonly ParameterDescription[] {
  return [companyParameter, filterParameter(texts), ...groupingParameters]
}

/** The query options of every collection (decision 6). */
export function collectionParameters(texts?: OptionTexts): readonly ParameterDescription[] {
  return [
    companyParameter,
    queryParameter(
      '$select',
      'Which properties, separated by commas; all of them when left out.',
      Type.String(exampleOf(texts?.select)),
    ),
    filterParameter(texts),
    queryParameter(
      '$orderby',
      'The order: properties as in a filter, separated by commas, each with `desc` behind it or not; the key when left out, and behind every order.',
      Type.String(exampleOf(texts?.orderby)),
    ),
    ...groupingParameters,
    queryParameter(
      '$offset',
      'How many records to skip (also `$skip`).',
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
    ),
    queryParameter(
      '$limit',
      'At most how many records (also `$top`).',
      Type.Integer({ minimum: 1, maximum: 50_000, default: 50_000 }),
    ),
    queryParameter(
      '$format',
      'Wins over `Accept`: `json`; `ndjson`, an object a line; `csv` for programs (RFC 4180, every text as it is stored); `excel`, CSV for a spreadsheet: with a byte order mark, semicolons and decimal commas where the language (`Accept-Language`, else that of the company) has them, dates without zone, and an apostrophe before texts that would be formulas; `parquet`, a file of typed columns. The columns of CSV and Parquet stand in the order of `$select`.',
      Type.Union(['json', 'ndjson', 'csv', 'excel', 'parquet'].map((format) => Type.Literal(format))),
    ),
  ]
}

function exampleOf(example: string | undefined): { examples?: string[] } {
  return example === undefined ? {} : { examples: [example] }
}

export const ifNoneMatchParameter = headerParameter(
  'If-None-Match',
  'An `ETag` answered before: 304 when nothing has changed since.',
  Type.String(),
)

/** Every read takes it. */
export const minChangeParameter = headerParameter(
  'Min-Change',
  'The number of a change (`X-ERP-Change-Number`) that the answer must have, with those before it: that of a write of your own, so that you read it. Answers may come from a replica, which is waited for up to a second.',
  Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
)

export const ifMatchParameter = headerParameter(
  'If-Match',
  'An `ETag` answered before: 409 when somebody has changed the record since.',
  Type.String(),
)

const coded = Type.Object(
  {
    code: Type.Integer({ description: 'See the table of codes.' }),
    message: Type.String({ description: 'What was wrong, where, and what was expected.' }),
  },
  { title: 'Refusal' },
)

/** An error in the plain format, `{code, message}`, or in another one. */
export function refusal(description: string, ...others: readonly TSchema[]): ResponseDescription {
  return { description, schema: others.length === 0 ? coded : Type.Union([coded, ...others]) }
}

/** An error that says when to try again. */
export function refusalForNow(description: string): ResponseDescription {
  return { ...refusal(description), headers: { 'Retry-After': 'Seconds to wait.' } }
}

/** For single records and collections as they were. */
export const goneAnswer = { 410: refusal('What was then is no longer kept.') }

const messages = Type.Record(Type.String(), Type.Array(coded), { description: 'Field -> what is wrong with it.' })

const refusedRecord = Type.Object(
  { notificationMessages: messages },
  {
    additionalProperties: true,
    title: 'RefusedRecord',
    description: 'The record as it was sent, with what is wrong in each object that failed.',
  },
)

/** An error that returns the record as it was sent, with messages in each object that failed. */
export function fieldRefusal(description: string, ...others: readonly TSchema[]): ResponseDescription {
  return { description, schema: Type.Union([refusedRecord, coded, ...others]) }
}

/** Error responses of every protected endpoint. */
export const commonAnswers: Readonly<Record<number, ResponseDescription>> = {
  401: {
    description: 'The token or the secret is missing or wrong.',
    schema: Type.Object(
      { statusCode: Type.Literal(401), message: Type.Literal('Invalid JWT.') },
      { title: 'InvalidToken' },
    ),
    headers: { 'WWW-Authenticate': 'The schemes that are accepted.' },
  },
  403: refusal("The caller may not do this, or the company is not one of the caller's."),
  429: refusalForNow(
    'The caller has had its share of requests or bytes, or too many requests without right credentials came from its address.',
  ),
  503: refusalForNow('The service cannot answer now.'),
}

/** Further error responses of endpoints that read a body. */
export const bodyAnswers: Readonly<Record<number, ResponseDescription>> = {
  413: refusal('The body is larger than the limit.'),
  415: refusal('The body is not JSON, or is compressed.'),
}

/** Parameters of every write. */
export const writeParameters: readonly ParameterDescription[] = [
  headerParameter(
    'Idempotency-Key',
    'A new one for each request: sent again under it within 24 hours, the request gets the first answer, with `Idempotency-Replayed: true`, and is not done twice.',
    Type.String({ minLength: 1, maxLength: 255 }),
  ),
  queryParameter(
    'validateOnly',
    'Validates only: checked and answered as the write, with the numbers and dates that would be assigned (status 200), and nothing is kept.',
    Type.Boolean({ default: false }),
  ),
]

export const writeAnswers: Readonly<Record<number, ResponseDescription>> = {
  422: refusal('The Idempotency-Key was sent before with another request.'),
}
