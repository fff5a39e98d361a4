// The query parameters of lists that are no Enterprise Documents, in any letter case, with or without `$` (decision 0).
import Type from 'typebox'
import { nearestName, type QueryPairs, shortened } from '../../base/text.ts'
import { invalidOption, malformed } from '../../errors/catalogue.ts'
import { readTogether } from '../../errors/read-together.ts'
import { type ParameterDescription, queryParameter } from '../../model/option-texts.ts'

/** A list of documents or revisions begins at `start`; other lists do not know it. */
const ALIASES: Readonly<Record<string, string>> = { top: 'limit', skip: 'start', offset: 'start' }

/** The given values of the known parameters, by their names in lower case. An empty value counts as absent. */
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

/** The known parameter of a name. Unknown names are ignored, except with a `$`, which marks them as query options. */
function parameterOf(name: string, known: readonly string[]): string | undefined {
  const folded = name.trim().toLowerCase()
  const bare = folded.startsWith('$') ? folded.slice(1) : folded
  const parameter = Object.hasOwn(ALIASES, bare) ? ALIASES[bare] : bare
  if (parameter !== undefined && known.includes(parameter)) return parameter
  if (!folded.startsWith('$')) return undefined
  const nearest = nearestName(bare, known)
  throw invalidOption(`Unknown query option '${shortened(name)}'${nearest ? `; did you mean '${nearest}'?` : '.'}`)
}

/** A whole number within bounds; undefined if it is absent. Throws 400. */
export function integerIn(
  given: ReadonlyMap<string, string>,
  name: string,
  [least, most]: readonly [least: number, most: number],
): number | undefined {
  const text = given.get(name)?.trim()
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw malformed(`The value '${shortened(text, 40)}' is not valid for ${name}: it must be from ${least} to ${most}.`)
}

export const LISTED = 100
export const MOST_LISTED = 1_000
const LAST_PLACE = Number.MAX_SAFE_INTEGER - 1

/** Which part of a list is asked for: so many from a place on. */
interface ListPage {
  readonly limit: number
  readonly from: number
}

export function listPageIn(query: QueryPairs): ListPage {
  const given = readParameters(query, ['companyid', 'limit', 'from'])
  return readTogether({
    limit: () => integerIn(given, 'limit', [1, MOST_LISTED]) ?? LISTED,
    from: () => integerIn(given, 'from', [0, LAST_PLACE]) ?? 0,
  })
}

/** For the API description; `what`: is listed. */
export function limitParameter(what = ''): ParameterDescription {
  const schema = Type.Integer({ minimum: 1, maximum: MOST_LISTED, default: LISTED })
  return queryParameter('limit', `At most how many${what}.`, schema)
}

/** `place`: such as `row`. */
export function fromParameter(place: string): ParameterDescription {
  return queryParameter('from', `From this ${place} on.`, Type.Integer({ minimum: 0, maximum: LAST_PLACE, default: 0 }))
}
