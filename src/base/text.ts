// Text utilities: comparison, spelling suggestions, and abbreviation for messages.
import { closest, distance } from 'fastest-levenshtein'
import { orUndefined } from './thrown.ts'

/** A decoded query string: names and values, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[]

/** The form in which names are compared, without regard to case. */
export function foldName(name: string): string {
  return name.toLowerCase()
}

/** `customerName` as `CustomerName`, for messages. */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

let alternatives: Intl.ListFormat | undefined

/** A list of alternatives for a message: `replace, add or remove`. */
export function anyOf(names: readonly string[]): string {
  alternatives ??= new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return alternatives.format(names)
}

/** Whether every store can store this text: it has no lone surrogate and no U+0000. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Counts code points, as maxLength of JSON Schema does: an emoji is one. */
export function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength && [...text].length > maxLength
}

/** Compares by code point, as the stores sort. JavaScript compares UTF-16 units and puts U+FFFD after an emoji. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Ranks surrogates above all other units, because they encode higher code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** A text for a message: truncated to `limit` UTF-16 units, without a lone surrogate. */
export function shortened(text: string, limit = 80): string {
  return text.length <= limit ? text.toWellFormed() : `${text.slice(0, limit).toWellFormed()}...`
}

/** Longer names get no suggestion, because the distance costs the product of both lengths. */
const MAX_MISSPELLING_LENGTH = 64
/** A prefix of at least this length suggests the name that it starts. */
const MIN_PREFIX_LENGTH = 4

/** The name that was probably meant, if one is close enough to suggest. */
export function nearestName(misspelt: string, names: readonly string[]): string | undefined {
  if (misspelt.length > MAX_MISSPELLING_LENGTH || names.length === 0) return undefined
  const target = foldName(misspelt)
  const folded = names.map(foldName)
  const nearest = closest(target, folded)
  if (distance(target, nearest) <= Math.ceil(target.length / 3)) return names[folded.indexOf(nearest)]
  const completion = target.length < MIN_PREFIX_LENGTH ? undefined : folded.find((name) => name.startsWith(target))
  return completion === undefined ? undefined : names[folded.indexOf(completion)]
}

/** `; did you mean 'customers'?`, for the end of a message; `otherwise` where no name is close enough. */
export function didYouMean(misspelt: string, names: readonly string[], otherwise = ''): string {
  const nearest = nearestName(misspelt, names)
  return nearest ? `; did you mean '${nearest}'?` : otherwise
}

/** Merges the texts of two JSON objects, either of which may be empty. */
export function joinedObjects(one: string, other: string): string {
  if (one === '{}' || other === '{}') return one === '{}' ? other : one
  return `${one.slice(0, -1)},${other.slice(1)}`
}

/**
 * What is wrong with a text that is to be a part of an address; undefined if nothing is. Programs and proxies take
 * these two for steps in the path before they send it, also when they are percent-encoded (WHATWG URL, 4.4).
 */
export function addressProblem(text: string): string | undefined {
  return text === '.' || text === '..' ? `The value '${text}' cannot stand in an address` : undefined
}

/** A part of an address; as it is where it is not percent-encoded UTF-8. */
export function decoded(part: string): string {
  return orUndefined(() => decodeURIComponent(part)) ?? part
}
