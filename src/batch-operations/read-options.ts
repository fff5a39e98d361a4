// How the rows of a body are to be read, and what is done with them: options with the names of the command line's.
import { asBoolean } from '../base/numbers/scalars.ts'
import { nearestName, type QueryPairs, shortened } from '../base/text.ts'
import { malformed, unsupportedMediaType } from '../errors/catalogue.ts'
import { integerIn, readParameters } from '../query/parse/parameters.ts'
import { DAY_ORDERS, DECIMAL_SIGNS } from '../transfer/rows/cell-forms.ts'
import { SEPARATOR_NAMES } from '../transfer/rows/separators.ts'
import { ENCODING_NAMES, type Encoding } from '../transfer/rows/text-form.ts'
import type { BatchOptions } from './batch-operation.ts'

export const NDJSON_TYPE = 'application/x-ndjson'
export const CSV_TYPE = 'text/csv'
export const FORM_TYPE = 'multipart/form-data'

const TABLE_OPTIONS = ['separator', 'decimal', 'dates'] as const

interface Sent {
  readonly query: QueryPairs
  readonly contentType: string | undefined
  readonly validateOnly: boolean
}

/** Throws 400 for an option that is none, and 415 for a charset that is none. */
export function readBatchOptions({ query, contentType = '', validateOnly }: Sent): BatchOptions {
  const given = readParameters(query, [
    ...['companyid', 'validateonly', 'update', 'keepids', 'addcodes', 'encoding'],
    ...TABLE_OPTIONS,
  ])
  return {
    ...formsIn(given, contentType),
    update: flagOf(given, 'update'),
    validateOnly,
    ...(flagOf(given, 'keepids') && { keepIds: true }),
    ...(given.has('addcodes') && { addCodes: idsOf(given.get('addcodes')) }),
  }
}

/** The rows are patches, an object a line. */
export function readPatchOptions({ query, contentType = '', validateOnly }: Sent): BatchOptions {
  const given = readParameters(query, ['companyid', 'validateonly', 'unchangedsince'])
  const unchangedSince = integerIn(given, 'unchangedsince', [0, Number.MAX_SAFE_INTEGER])
  const patch = unchangedSince === undefined ? {} : { unchangedSince }
  return { ...formsIn(new Map(), contentType), update: false, validateOnly, patch }
}

type Forms = Pick<BatchOptions, 'format' | 'encoding' | 'separator' | 'decimal' | 'dates'>

/** The same where the rows are only looked at. */
export function readFormOptions({ query, contentType = '' }: Omit<Sent, 'validateOnly'>): Forms {
  return formsIn(readParameters(query, ['companyid', 'encoding', ...TABLE_OPTIONS]), contentType)
}

function formsIn(given: ReadonlyMap<string, string>, contentType: string): Forms {
  const format = formatOf(contentType)
  const misplaced = format === 'ndjson' ? TABLE_OPTIONS.find((name) => given.has(name)) : undefined
  if (misplaced) throw malformed(`The query option '${misplaced}' is for a body of the type ${CSV_TYPE} only.`)
  const separator = oneOf(given, 'separator', SEPARATOR_NAMES)
  const encoding = encodingOf(oneOf(given, 'encoding', ENCODING_NAMES), contentType)
  const decimal = oneOf(given, 'decimal', DECIMAL_SIGNS)
  const dates = oneOf(given, 'dates', DAY_ORDERS)
  return {
    format,
    ...(encoding && { encoding }),
    ...(separator && { separator: separator === 'tab' ? '\t' : separator }),
    ...(decimal && { decimal }),
    ...(dates && { dates }),
  }
}

/** The format of a body, or of a part of a form. */
export function formatOf(contentType: string): BatchOptions['format'] {
  const type = contentType.trim().toLowerCase()
  if (type.startsWith(FORM_TYPE)) return 'form'
  return type.startsWith(CSV_TYPE) ? 'csv' : 'ndjson'
}

/** A request names no more attributes. */
const MAX_ATTRIBUTES = 50

function idsOf(text = ''): string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '')
  if (ids.length > 0 && ids.length <= MAX_ATTRIBUTES) return ids
  throw malformed(`The query option 'addCodes' takes 1 to ${MAX_ATTRIBUTES} attributes with commas between them.`)
}

function oneOf<Name extends string>(
  given: ReadonlyMap<string, string>,
  option: string,
  names: readonly Name[],
): Name | undefined {
  const text = given.get(option)
  if (text === undefined) return undefined
  const found = names.find((name) => name === text.toLowerCase())
  if (found !== undefined) return found
  const nearest = text.length > 2 ? nearestName(text, names) : undefined
  throw malformed(
    `The value '${shortened(text, 40)}' is not valid for ${option}: expected ${names.join(', ')}.${nearest ? ` Did you mean '${nearest}'?` : ''}`,
  )
}

function flagOf(given: ReadonlyMap<string, string>, option: string): boolean {
  const text = given.get(option)
  if (text === undefined) return false
  const flag = asBoolean(text.trim())
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for ${option}.`)
  return flag
}

/** The option wins over the charset of the media type. */
function encodingOf(option: Encoding | undefined, contentType: string): Encoding | undefined {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType) ?? []
  if (charset === undefined) return option
  const name = charset.toLowerCase() === 'utf8' ? 'utf-8' : charset.toLowerCase()
  const found = ENCODING_NAMES.find((encoding) => encoding === name)
  if (found === undefined) {
    throw unsupportedMediaType(
      `The charset '${charset.slice(0, 40)}' is not supported: expected ${ENCODING_NAMES.join(', ')}.`,
    )
  }
  return option ?? found
}
