// The query parameters of the lists of documents and revisions, in any letter case, with or without `$` (decision 0).
import { asBoolean } from '../../base/numbers/scalars.ts'
import { isLongerThan, type QueryPairs, shortened } from '../../base/text.ts'
import { invalidOption, malformed } from '../../errors/catalogue.ts'
import { readTogether } from '../../errors/read-together.ts'
import { readParameters } from '../../query/parse/parameters.ts'
import type { RecordAccess } from '../shared/record-access.ts'

const MAX_INTEGER = 2 ** 31 - 1
const MIN_INTEGER = -(2 ** 31)

const LIST_PARAMETERS = [
  'companyid',
  'doctype',
  'title',
  'indexes',
  'start',
  'limit',
  'withfilecontent',
  'id',
  'search',
]
const MAX_LIMIT = 50_000
const DEFAULT_LIMIT = 10
/** Maximum length of a title or a search text, in characters. */
const MAX_TEXT_LENGTH = 255

interface DocumentListOptions {
  readonly docType: string | undefined
  readonly title: string | undefined
  /** The required values of the first indexes, by position. */
  readonly indexes: readonly string[]
  readonly id: string | undefined
  readonly search: string | undefined
  readonly start: number
  readonly limit: number
  readonly withFileContent: boolean
}

/**
 * Reads the options of the document list. Throws 400 for illegal values (specification, documents, query parameters).
 */
export function readDocumentListOptions(query: QueryPairs, access: RecordAccess): DocumentListOptions {
  const given = readParameters(query, parametersFor(access))
  return {
    docType: given.get('doctype'),
    indexes: given.get('indexes')?.split(';') ?? [],
    id: given.get('id'),
    ...readTogether({
      title: () => boundedText(given, 'title'),
      search: () => boundedText(given, 'search'),
      start: () => startOf(given.get('start')),
      limit: () => limitOf(given.get('limit')),
      withFileContent: () => flagOf(given.get('withfilecontent')),
    }),
  }
}

/** The properties that a parameter filters by. A parameter is not available if one of them is hidden. */
const FILTERED_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  doctype: ['docType'],
  title: ['title'],
  indexes: ['indexes'],
  search: ['title', 'description', 'indexes', 'fileName'],
}

function parametersFor(access: RecordAccess): readonly string[] {
  if (!access.hidesAny) return LIST_PARAMETERS
  return LIST_PARAMETERS.filter((name) => !FILTERED_PROPERTIES[name]?.some((property) => access.hides([property])))
}

const INTEGER = /^[+-]?\d+$/

function startOf(text: string | undefined): number {
  if (text === undefined) return 0
  if (!INTEGER.test(text.trim())) throw invalidOption('Start must be an integer')
  // A negative start counts as 0. A larger value than 32 bits can be capped, because no list is that long.
  return Math.min(Math.max(Number(text), 0), MAX_INTEGER)
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = INTEGER.test(text.trim()) ? Number(text) : Number.NaN
  if (limit >= 0 && limit <= MAX_LIMIT) return limit
  throw invalidOption(`Limit value must be between 0 and ${MAX_LIMIT}`)
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined) return false
  const flag = asBoolean(text.trim())
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for withFileContent.`)
  return flag
}

function boundedText(given: ReadonlyMap<string, string>, name: string): string | undefined {
  const text = given.get(name)
  if (text !== undefined && isLongerThan(text, MAX_TEXT_LENGTH)) {
    throw malformed(`The value of ${name} must have at most ${MAX_TEXT_LENGTH} characters.`)
  }
  return text
}

interface RevisionListOptions {
  readonly start: number
  readonly limit: number
}

/** Reads the options of the revision list. Throws 400 for illegal values (specification, document revisions 1). */
export function readRevisionListOptions(query: QueryPairs): RevisionListOptions {
  const given = readParameters(query, ['companyid', 'start', 'limit'])
  return readTogether({
    start: () => Math.max(integerOf('start', given.get('start') ?? '0'), 0),
    limit: () => revisionLimitOf(given.get('limit')),
  })
}

function revisionLimitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : integerOf('limit', text)
  if (limit < 0) throw invalidOption('Value may not be negative')
  return limit
}

/** Reads a 32-bit integer. Throws 400, code 1010, for any other text. */
export function integerOf(name: string, text: string): number {
  const number = INTEGER.test(text.trim()) ? Number(text) : Number.NaN
  if (!(number >= MIN_INTEGER && number <= MAX_INTEGER)) {
    throw malformed(`The value '${shortened(text, 40)}' is not valid for ${name}.`)
  }
  return number
}
