// The query options of a collection. Names are case-insensitive, with or without `$` (decision 0).
import { anyOf, type QueryPairs, shortened } from '../base/text.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'
import { readTogether } from '../errors/read-together.ts'
import { optionOf, QUERY_OPTIONS } from '../model/option-names.ts'

export interface CollectionOptions {
  readonly select: string | undefined
  readonly filter: string | undefined
  readonly orderBy: string | undefined
  /** The properties by which records are grouped. */
  readonly groupBy: string | undefined
  /** What is computed of each group. */
  readonly aggregate: string | undefined
  /** Which groups are answered. */
  readonly having: string | undefined
  readonly offset: number
  /** Undefined if none was sent: then the maximum applies. */
  readonly limit: number | undefined
  /** A limit or an offset was sent. */
  readonly isPart: boolean
  /** Undefined if none was sent: then `Accept` decides. */
  readonly format: AnswerOption | undefined
  /** The moment at which records are valid. */
  readonly validAt: string | undefined
  /** The moment whose answer is asked for: a time, or the number of a change. */
  readonly asOf: string | undefined
}

const FORMATS = ['json', 'ndjson', 'csv', 'excel', 'parquet'] as const
type AnswerOption = (typeof FORMATS)[number]

/** Maximum number of records in one response, with or without a limit. */
export const MAX_LIMIT = 50_000
const MAX_INTEGER = 2 ** 31 - 1

/** Clients that send `format` for another purpose always had it ignored. */
const isOther = (name: string, value: string) => /^format$/i.test(name.trim()) && !formatIn(value)

/** Reads the options. Throws 400 for a repeated option, an unknown one with a `$`, or an illegal number. */
export function readOptions(pairs: Iterable<readonly [name: string, value: string]>): CollectionOptions {
  const text = givenTexts(
    [...pairs].filter(([name, value]) => !isOther(name, value)),
    QUERY_OPTIONS,
  )
  requireGroups(text)
  return {
    select: text('select'),
    filter: text('filter'),
    orderBy: text('orderby'),
    groupBy: text('groupby'),
    aggregate: text('aggregate'),
    having: text('having'),
    ...readTogether({
      limit: () => readLimit(text('limit')),
      offset: () => readOffset(text('offset')),
      format: () => readFormat(text('format')),
    }),
    isPart: (text('limit') ?? text('offset')) !== undefined,
    validAt: text('validat'),
    asOf: text('asof'),
  }
}

/** Throws 400 for options that make no sense together. */
function requireGroups(text: (option: string) => string | undefined): void {
  const hasGroups = text('groupby') !== undefined || text('aggregate') !== undefined
  if (hasGroups && text('select') !== undefined) {
    throw invalidOption('select cannot be used with groupBy or aggregate: these say what is answered.')
  }
  if (!hasGroups && text('having') !== undefined) {
    throw invalidOption('having needs groupBy or aggregate: use filter for conditions on records.')
  }
}

/**
 * The texts of the known options, whose names are in lower case; undefined for a blank one. Throws 400 for a repeated
 * option, and for an unknown one with a `$`.
 */
export function givenTexts(
  pairs: Iterable<readonly [name: string, value: string]>,
  known: readonly string[],
): (option: string) => string | undefined {
  const given = new Map<string, string>()
  for (const [name, value] of pairs) {
    const option = optionOf(name, known)
    if (option === undefined) continue
    if (given.has(option)) throw invalidOption(`The query option '${option}' is given more than once.`)
    given.set(option, value)
  }
  // Leading spaces are kept, because error messages contain positions in the text.
  return (option) => {
    const found = given.get(option)
    return found?.trim() ? found : undefined
  }
}

/** The option `format` alone. Throws 400 when it is given twice, or is none. */
export function formatOptionIn(pairs: Iterable<readonly [name: string, value: string]>): AnswerOption | undefined {
  const isFormat = ([name, value]: readonly [string, string]) =>
    /^\$?format$/i.test(name.trim()) && !isOther(name, value)
  return readFormat(givenTexts([...pairs].filter(isFormat), ['format'])('format'))
}

/** The option `asOf`, for single records, which heed no other. Throws 400 for one that is misspelt or given twice. */
export function asOfIn(pairs: QueryPairs): string | undefined {
  return pairs.length === 0 ? undefined : givenTexts(pairs, QUERY_OPTIONS)('asof')
}

function readFormat(text: string | undefined): AnswerOption | undefined {
  const format = text === undefined ? undefined : formatIn(text)
  if (text === undefined || format) return format
  throw invalidOption(`The value '${shortened(text, 40)}' is not valid for $format; it must be ${anyOf(FORMATS)}.`)
}

function formatIn(text: string): AnswerOption | undefined {
  return FORMATS.find((format) => format === text.trim().toLowerCase())
}

function readOffset(text: string | undefined): number {
  const offset = readInteger('offset', text) ?? 0
  if (offset < 0) throw invalidOption('Offset is invalid. Value should be greater than or equal to 0.')
  return offset
}

function readLimit(text: string | undefined): number | undefined {
  const limit = readInteger('limit', text)
  if (limit !== undefined && limit <= 0) throw invalidOption('Limit is invalid. Value should be greater than 0.')
  if (limit !== undefined && limit > MAX_LIMIT) {
    throw invalidOption(`Limit is invalid. Value should not be greater than ${MAX_LIMIT}.`)
  }
  return limit
}

function readInteger(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const digits = text.trim()
  const number = /^[+-]?\d{1,30}$/.test(digits) ? Number(digits) : Number.NaN
  if (Number.isNaN(number) || number > MAX_INTEGER) {
    throw malformed(`The value '${shortened(digits, 40)}' is not valid for ${option}.`)
  }
  return number
}
