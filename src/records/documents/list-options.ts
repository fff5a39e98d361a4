// The query parameters of the two lists, in any letter case, with or without `$` (decision 0).
import { asBoolean } from '../../base/scalars.ts'
import { isLongerThan, nearestName, shortened } from '../../base/text.ts'
import { invalidOption, malformed } from '../../errors/catalogue.ts'
import type { QueryPairs } from '../../http/query-string.ts'
import type { Sight } from '../shared/sight.ts'

const ALIASES: Readonly<Record<string, string>> = { top: 'limit' }
const MAX_INTEGER = 2 ** 31 - 1
const MIN_INTEGER = -(2 ** 31)

/** What was sent of the parameters that a list knows, by their names in lower case; an empty one is none. */
export function readParameters(query: QueryPairs, known: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const [name, value] of query) {
    const parameter = parameterOf(name, known)
    if (parameter === undefined) continue
    if (given.has(parameter)) throw invalidOption(`The query option '${parameter}' is given more than once.`)
    given.set(parameter, value)
  }
  for (const [name, value] of given) if (value === '') given.delete(name)
  return given
}

/** One that is not ours is passed over, unless it has a `$` and so was meant to be. */
function parameterOf(name: string, known: readonly string[]): string | undefined {
  const folded = name.trim().toLowerCase()
  const bare = folded.startsWith('$') ? folded.slice(1) : folded
  const parameter = Object.hasOwn(ALIASES, bare) ? ALIASES[bare] : bare
  if (parameter !== undefined && known.includes(parameter)) return parameter
  if (!folded.startsWith('$')) return undefined
  const nearest = nearestName(bare, known)
  throw invalidOption(`Unknown query option '${shortened(name)}'${nearest ? `; did you mean '${nearest}'?` : '.'}`)
}

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
const MOST_DOCUMENTS = 50_000
const DEFAULT_LIMIT = 10
/** Of a title or a question, in characters. */
const LONGEST_TEXT = 255

export interface DocumentListOptions {
  readonly docType: string | undefined
  readonly title: string | undefined
  /** The values that the first indexes must have. */
  readonly indexes: readonly string[]
  readonly id: string | undefined
  readonly search: string | undefined
  readonly start: number
  readonly limit: number
  readonly withFileContent: boolean
}

/** Throws 400 for what is not legal (specification, documents, query parameters). */
export function readDocumentListOptions(query: QueryPairs, sight: Sight): DocumentListOptions {
  const given = readParameters(query, parametersFor(sight))
  return {
    docType: given.get('doctype'),
    title: boundedText(given, 'title'),
    indexes: given.get('indexes')?.split(';') ?? [],
    id: given.get('id'),
    search: boundedText(given, 'search'),
    start: startOf(given.get('start')),
    limit: limitOf(given.get('limit')),
    withFileContent: flagOf(given.get('withfilecontent')),
  }
}

/** What a parameter asks about; of what is hidden nobody can ask. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  doctype: ['docType'],
  title: ['title'],
  indexes: ['indexes'],
  search: ['title', 'description', 'indexes', 'fileName'],
}

function parametersFor(sight: Sight): readonly string[] {
  if (!sight.hidesAny) return LIST_PARAMETERS
  return LIST_PARAMETERS.filter((name) => !ASKED[name]?.some((property) => sight.hides([property])))
}

const INTEGER = /^[+-]?\d+$/

function startOf(text: string | undefined): number {
  if (text === undefined) return 0
  if (!INTEGER.test(text.trim())) throw invalidOption('Start must be an integer')
  // As the default when it is negative; nothing is found so far behind that it does not fit.
  return Math.min(Math.max(Number(text), 0), MAX_INTEGER)
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = INTEGER.test(text.trim()) ? Number(text) : Number.NaN
  if (limit >= 0 && limit <= MOST_DOCUMENTS) return limit
  throw invalidOption(`Limit value must be between 0 and ${MOST_DOCUMENTS}`)
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined) return false
  const flag = asBoolean(text.trim())
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for withFileContent.`)
  return flag
}

function boundedText(given: ReadonlyMap<string, string>, name: string): string | undefined {
  const text = given.get(name)
  if (text !== undefined && isLongerThan(text, LONGEST_TEXT)) {
    throw malformed(`The value of ${name} must have at most ${LONGEST_TEXT} characters.`)
  }
  return text
}

export interface RevisionListOptions {
  readonly start: number
  readonly limit: number
}

/** Throws 400 for what is not legal (specification, document revisions 1). */
export function readRevisionListOptions(query: QueryPairs): RevisionListOptions {
  const given = readParameters(query, ['companyid', 'start', 'limit'])
  const start = given.get('start')
  const limit = given.get('limit')
  const most = limit === undefined ? DEFAULT_LIMIT : integerOf('limit', limit)
  if (most < 0) throw invalidOption('Value may not be negative')
  return { start: start === undefined ? 0 : Math.max(integerOf('start', start), 0), limit: most }
}

/** A number of 32 bits. Throws 400, code 1010. */
export function integerOf(name: string, text: string): number {
  const number = INTEGER.test(text.trim()) ? Number(text) : Number.NaN
  if (!(number >= MIN_INTEGER && number <= MAX_INTEGER)) {
    throw malformed(`The value '${shortened(text, 40)}' is not valid for ${name}.`)
  }
  return number
}
