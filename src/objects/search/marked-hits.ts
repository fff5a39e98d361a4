// Judges the records that the database has found: what of each matches, where, and how well.
import { OPEN_FROM, OPEN_TO } from '../../base/dates.ts'
import type { DocumentDefinition, ValueProperty } from '../../model/document.ts'
import { propertyTitle } from '../../model/titles.ts'
import { propertyAt } from '../titled-schema.ts'
import { inLowerCase, type SearchTerms } from './search-terms.ts'
import type { SearchedProperties } from './searched-properties.ts'

export type Row = Readonly<Record<string, unknown>>
type Value = string | number

type Shown = {
  readonly property: string
  readonly title: string
  readonly type: string
  readonly value: Value
}

/** From a character to the one behind the last, as JavaScript counts them. */
type Range = [start: number, end: number]

type Match = Shown & { readonly ranges: Range[] }

/** Types rather than interfaces, so that they are JSON. */
export type Hit = {
  readonly key: Record<string, Value>
  readonly title: string
  readonly details: Shown[]
  readonly matches: Match[]
}

export interface RankedHit {
  /** The lower the better. */
  readonly rank: number
  readonly changedAt: string
  readonly hit: Hit
}

const EXACT_KEY = 0
const EXACT = 1
const START = 2
const START_OF_WORDS = 3
export const INSIDE = 4

const MATCHES = 3
/** Characters of a long text: in all, and before its first match. */
const EXCERPT = 160
const BEFORE_MATCH = 40

interface Found {
  readonly path: string
  readonly value: Value
  readonly ranges: readonly Range[]
  /** How the whole of what is searched for matches; undefined: only words do. */
  readonly rank: number | undefined
  /** How each word matches. */
  readonly words: ReadonlyMap<string, number>
}

/** The hit of a row; undefined if it lacks one of the words. */
export function hitOf(
  row: Row,
  terms: SearchTerms,
  searched: SearchedProperties,
  definition: DocumentDefinition,
  languages: readonly string[],
): RankedHit | undefined {
  const found = [...matchesIn(row, terms, searched)]
  const rank = rankOf(found, terms)
  if (rank === undefined) return undefined
  const best = found.toSorted((one, other) => (one.rank ?? INSIDE) - (other.rank ?? INSIDE)).slice(0, MATCHES)
  const matches = best.map(({ path, value, ranges }) => ({
    ...shownAs(path, value, definition, languages),
    ...excerptOf(value, ranges),
  }))
  return rankedHit(row, rank, matches, searched, definition, languages)
}

/** A row that something else than its own properties has found. */
export function rankedHit(
  row: Row,
  rank: number,
  matches: Match[],
  searched: SearchedProperties,
  definition: DocumentDefinition,
  languages: readonly string[],
): RankedHit {
  const key = Object.fromEntries(searched.key.map((name) => [name, row[name] as Value]))
  const title = searched.title === undefined ? '' : String(valueAt(row, searched.title) ?? '')
  const details = searched.details.flatMap((path) => {
    const value = valueAt(row, `${path}(description)`) || valueAt(row, path)
    return isTelling(value) ? [shownAs(path, value, definition, languages)] : []
  })
  const hit = { key, title: title || Object.values(key).join(' / '), details, matches }
  return { rank, changedAt: String(valueAt(row, CHANGED_AT) ?? ''), hit }
}

const CHANGED_AT = 'lastUpdated/updatedAt'

function isTelling(value: unknown): value is Value {
  return typeof value === 'number' || (typeof value === 'string' && !['', OPEN_FROM, OPEN_TO].includes(value))
}

function shownAs(path: string, value: Value, { name, properties }: DocumentDefinition, languages: readonly string[]) {
  const found = propertyAt(properties, path.split('/'), name)
  const last = path.split('/').at(-1) ?? ''
  const property: Partial<ValueProperty> = found?.property.kind === 'value' ? found.property : {}
  return {
    property: path,
    title: propertyTitle(found?.document ?? name, last, property, languages),
    type: property.type ?? 'string',
    value,
  }
}

function rankOf(found: readonly Found[], { words }: SearchTerms): number | undefined {
  const whole = found.flatMap(({ rank }) => rank ?? [])
  if (whole.length > 0) return Math.min(...whole)
  const ofWords = words.map((word) => Math.min(...found.map((one) => one.words.get(word) ?? Number.POSITIVE_INFINITY)))
  const rank = Math.max(...ofWords)
  return Number.isFinite(rank) ? rank : undefined
}

function* matchesIn(row: Row, terms: SearchTerms, searched: SearchedProperties): Generator<Found> {
  const exact = (path: string) => (path === searched.key[0] ? EXACT_KEY : EXACT)
  const number = (path: string, value: Value) => ({ path, value, ranges: [], rank: exact(path), words: NONE })
  for (const { path } of searched.texts) yield* inText(path, valueAt(row, path), terms, exact(path))
  for (const { path } of searched.codes) yield* atStart(path, valueAt(row, path), terms, exact(path))
  for (const { path } of searched.references) yield* asWhole(path, valueAt(row, path), terms)
  for (const { path } of searched.integers) {
    const value = valueAt(row, path)
    if (typeof value === 'number' && String(value) === terms.integer) yield number(path, value)
  }
  for (const { path } of searched.amounts) {
    const value = valueAt(row, path)
    if (typeof value === 'number' && terms.amounts.some((one) => Number(one) === value)) yield number(path, value)
  }
  for (const { path } of searched.dates) {
    const value = valueAt(row, path)
    if (typeof value === 'string' && terms.days.includes(value.slice(0, 10))) yield number(path, value)
  }
}

const NONE: ReadonlyMap<string, number> = new Map()

function* inText(path: string, value: unknown, { whole, words }: SearchTerms, exact: number): Generator<Found> {
  if (typeof value !== 'string') return
  const lower = inLowerCase(value)
  const found = new Map<string, number>()
  const ranges: Range[] = []
  for (const word of words) {
    const places = placesOf(word, lower)
    if (places.length === 0) continue
    found.set(word, places.some((at) => isStartOfWord(lower, at)) ? START_OF_WORDS : INSIDE)
    for (const at of places) ranges.push([at, at + word.length])
  }
  if (found.size === 0) return
  const rank = lower === whole ? exact : lower.startsWith(whole) ? START : undefined
  yield { path, value, ranges: merged(ranges), rank, words: found }
}

function* atStart(path: string, value: unknown, terms: SearchTerms, exact: number): Generator<Found> {
  if (typeof value !== 'string' || value === '') return
  const { whole, joined = whole, words } = terms
  const lower = inLowerCase(value)
  const start = [joined, whole, ...words].find((text) => lower.startsWith(text))
  if (start === undefined) return
  const isWhole = start === joined || start === whole
  const rank = isWhole ? (start === lower ? exact : START) : undefined
  yield { path, value, ranges: [[0, start.length]], rank, words: new Map([[start, START_OF_WORDS]]) }
}

function* asWhole(path: string, value: unknown, { whole, words }: SearchTerms): Generator<Found> {
  if (typeof value !== 'string' && typeof value !== 'number') return
  const lower = inLowerCase(String(value))
  if (!words.includes(lower)) return
  const rank = lower === whole ? EXACT : undefined
  yield { path, value, ranges: [[0, lower.length]], rank, words: new Map([[lower, START_OF_WORDS]]) }
}

function placesOf(word: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push(at)
  return places
}

const LETTER = /[\p{L}\p{N}]$/u

function isStartOfWord(text: string, at: number): boolean {
  return !LETTER.test(text.slice(Math.max(0, at - 2), at))
}

function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

function excerptOf(value: Value, ranges: readonly Range[]): Pick<Match, 'value' | 'ranges'> {
  if (typeof value === 'number' || value.length <= EXCERPT) return { value, ranges: [...ranges] }
  const from = Math.max(0, (ranges[0]?.[0] ?? 0) - BEFORE_MATCH)
  const to = Math.min(value.length, from + EXCERPT)
  const [before, behind] = [from > 0 ? ELLIPSIS : '', to < value.length ? ELLIPSIS : '']
  const shift = before.length - from
  const inside = ranges.filter(([start]) => start < to)
  return {
    value: before + value.slice(from, to).toWellFormed() + behind,
    ranges: inside.map(([start, end]): Range => [start + shift, Math.min(end, to) + shift]),
  }
}

const ELLIPSIS = '\u2026'

function valueAt(row: Row, path: string): unknown {
  return path.split('/').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row)
}
