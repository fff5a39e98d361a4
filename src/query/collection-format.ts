// The format of a collection's answer: the option `$format`, or else what `Accept` prefers.
import type { Clock } from '../base/clock.ts'
import { type SpreadsheetStyle, spreadsheetStyle } from '../base/numbers/spreadsheet-style.ts'
import { preferencesIn, weightOf } from '../base/preferences.ts'
import type { QueryPairs } from '../base/text.ts'
import { andWhile, type Validity } from '../base/validity.ts'
import { formatOptionIn } from './options.ts'

type CollectionFormat = 'json' | 'ndjson' | 'csv' | 'excel' | 'parquet' | 'schema'

interface FormatRequest {
  /** The value of `$format`. */
  readonly requested: Exclude<CollectionFormat, 'schema'> | undefined
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
}

/** What the name of a file is made of, such as `customers-EN-2026-11-23.csv`. */
interface Requested {
  readonly document: string
  readonly company: { readonly id: string; readonly language: string }
  readonly clock: Clock
  /** Whether the collection answers its JSON Schema. */
  readonly hasSchema?: boolean
}

interface ChosenFormat {
  /** That of the rows: for a Parquet file, which is made of them, `tuples`. */
  readonly format: 'json' | 'ndjson' | 'csv' | 'tuples'
  /** The answer is its own JSON Schema instead. */
  readonly isSchema: boolean
  /** CSV for a spreadsheet. */
  readonly style: SpreadsheetStyle | undefined
  readonly isParquet: boolean
  readonly contentType: string
  /** The name under which a browser saves the answer. */
  readonly fileName: string | undefined
  /** The validity of the answer in this format, whose file name has the day in it. */
  validityOf(found: Validity | undefined): Validity | undefined
}

export function chooseFormat(request: FormatRequest, described: Requested): ChosenFormat {
  const { document, company, clock, hasSchema = false } = described
  const { requested, accept, acceptLanguage = company.language } = request
  const chosen = requested ?? negotiateFormat(accept, hasSchema)
  const isExcel = chosen === 'excel'
  const today = () => clock().toISOString().slice(0, 10)
  const extension = EXTENSIONS[chosen]
  const fileName = extension && `${document}-${company.id}-${today()}.${extension}`
  return {
    format: ROWS[chosen],
    isSchema: chosen === 'schema',
    isParquet: chosen === 'parquet',
    style: isExcel ? spreadsheetStyle(acceptLanguage) : undefined,
    contentType: CONTENT_TYPES[chosen],
    fileName,
    validityOf: (found) => (found && fileName ? andWhile(found, () => `${chosen} ${today()}`) : found),
  }
}

// Content negotiation by `Accept`. Unknown types get JSON; there is no 406 (decision 0).

const PARQUET_TYPE = 'application/vnd.apache.parquet'

const TYPES: Readonly<Record<string, CollectionFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  [PARQUET_TYPE]: 'parquet',
  'application/schema+json': 'schema',
}

const { 'application/schema+json': _schema, ...WITHOUT_SCHEMA } = TYPES

/** The format of the rows that an answer is made of. */
const ROWS = {
  json: 'json',
  ndjson: 'ndjson',
  csv: 'csv',
  excel: 'csv',
  parquet: 'tuples',
  schema: 'json',
} as const

const CSV = 'text/csv; charset=utf-8; header=present'
const CONTENT_TYPES: Readonly<Record<CollectionFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: CSV,
  excel: CSV,
  parquet: PARQUET_TYPE,
  schema: 'application/schema+json; charset=utf-8',
}
/** Formats that a browser saves as a file. */
const EXTENSIONS: Partial<Record<CollectionFormat, string>> = {
  ndjson: 'ndjson',
  csv: 'csv',
  excel: 'csv',
  parquet: 'parquet',
}

/** Whether a request asks for a Parquet file, by `$format` or else by `Accept`. Throws 400 for a wrong `$format`. */
export function isParquetRequested(query: QueryPairs, accept: string | undefined): boolean {
  return (formatOptionIn(query) ?? negotiateFormat(accept, true)) === 'parquet'
}

/** The known format with the highest weight in the header; the first of equal weights. */
function negotiateFormat(accept: string | undefined, hasSchema: boolean): CollectionFormat {
  return preferredOf(accept, hasSchema ? TYPES : WITHOUT_SCHEMA) ?? 'json'
}

/** Whoever takes any type gets JSON, unless another weight is given to it by name. */
const ANY_TYPE = ['*', '*/*', 'application/*']

/** What the media type stands for that the header prefers of these; undefined if it prefers none of them. */
export function preferredOf<Format>(
  accept: string | undefined,
  types: Readonly<Record<string, Format>>,
): Format | undefined {
  if (accept === undefined || accept === '*/*') return undefined
  const ranges = preferencesIn(accept)
  const preferred = ranges.find(({ name }) => Object.hasOwn(types, name))
  if (!preferred) return undefined
  const isAnyBetter = ranges.some((one) => ANY_TYPE.includes(one.name) && weightOf(one) > weightOf(preferred))
  const isJsonNamed = ranges.some(({ name }) => name === 'application/json')
  return isAnyBetter && !isJsonNamed ? undefined : types[preferred.name]
}

/** The languages of an `Accept-Language` header without regions, in descending order of weight. */
export function languagesOf(header: string | undefined): string[] {
  return header === undefined ? [] : preferencesIn(header).map(({ name }) => name.split('-')[0] ?? '')
}
