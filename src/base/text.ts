// What the service needs to know about texts: their order, their spelling, and how much of one to show.
import { closest, distance } from 'fastest-levenshtein'

/** The form in which names are compared: without regard to case. */
export function foldName(name: string): string {
  return name.toLowerCase()
}

/** `customerName` as messages have it: `CustomerName`. */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

let alternatives: Intl.ListFormat | undefined

/** What is legal, in a message: `replace, add or remove`. */
export function anyOf(names: readonly string[]): string {
  alternatives ??= new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return alternatives.format(names)
}

/** Whether every store can keep this text: no half of a surrogate pair, no U+0000. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** In characters, as the maxLength of the API description counts them: an emoji is one. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && [...text].length > most
}

/** Order by code point, as the stores sort; JavaScript's own order puts U+FFFD after an emoji. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Surrogates stand for code points above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** A text in a message: no longer than `limit` characters, and never half of a surrogate pair. */
export function shortened(text: string, limit = 80): string {
  return text.length <= limit ? text.toWellFormed() : `${text.slice(0, limit).toWellFormed()}...`
}

/** Names that are longer are compared with nothing: the comparison costs the product of both lengths. */
const LONGEST_MISSPELLING = 64
/** What begins a legal name with as many letters was meant to be it. */
const SHORTEST_BEGINNING = 4

/** The legal name that was probably meant, if one is near enough to be worth a mention. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > LONGEST_MISSPELLING || names.length === 0) return undefined
  const wanted = foldName(given)
  const folded = names.map(foldName)
  const found = closest(wanted, folded)
  if (distance(wanted, found) <= Math.ceil(wanted.length / 3)) return names[folded.indexOf(found)]
  const longer = wanted.length < SHORTEST_BEGINNING ? undefined : folded.find((name) => name.startsWith(wanted))
  return longer === undefined ? undefined : names[folded.indexOf(longer)]
}
