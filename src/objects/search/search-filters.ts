// Searches as filters of the query language: rules of rows and fields, plans and indexes are those of every query.
import type { DocumentDefinition } from '../../model/document.ts'
import { MAX_CHARACTERS } from '../../query/parse/bounds.ts'
import { GRAM_LENGTH } from '../../sql/setup-index.ts'
import { type SearchTerms, spellingsOf } from './search-terms.ts'
import type { SearchedProperties, SearchedProperty } from './searched-properties.ts'

/** The longest words are asked for; the others are looked for in what these have found. */
const ASKED_WORDS = 3
/** A longer word is asked for by its start. */
const ASKED_LENGTH = 30

export interface SearchFilter {
  readonly filter: string
  /** Default: the last key first. */
  readonly orderBy?: string
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const anyOf = (terms: readonly string[]) => `(${terms.join(' or ')})`
const startsAnyCase = (path: string, text: string) => `startswith(tolower(${path}),${literal(text)})`
const startsWith = (path: string, text: string) => `startswith(${path},${literal(text)})`

/** Everything that may be meant; undefined where a document has nothing of the kind. */
export function everythingFilter(terms: SearchTerms, searched: SearchedProperties): string | undefined {
  for (let asked = ASKED_WORDS; ; asked--) {
    const filter = filterOf(terms, searched, asked)
    if (filter === undefined || filter.length <= MAX_CHARACTERS || asked === 1) return filter
  }
}

function filterOf(terms: SearchTerms, searched: SearchedProperties, asked: number): string | undefined {
  const { texts, codes, references } = searched
  const words = longestFirst(terms).slice(0, asked)
  const ofWord = (word: string) => [
    ...texts.map(({ path }) => `contains(tolower(${path}),${literal(shortened(word))})`),
    ...codes.flatMap((one) => startsOfCode(one, word)),
    ...references.flatMap((one) => sameAs(one, word)),
  ]
  const parts = words.map(ofWord)
  const found = parts.some((one) => one.length === 0) ? [] : [parts.map(anyOf).join(' and ')]
  const joined = terms.joined === undefined ? [] : codes.flatMap((one) => startsOfCode(one, terms.joined ?? ''))
  const all = [...found, ...joined, ...numberFilters(terms, searched), ...dateFilters(terms, searched)]
  return all.length === 0 ? undefined : all.join(' or ')
}

/** What is better than a part of a word: asked where there is more of all than is looked at. */
export function startFilter(terms: SearchTerms, { texts, codes }: SearchedProperties): string | undefined {
  const text = shortened(terms.whole)
  const all = [
    ...texts.map(({ path }) => startsAnyCase(path, text)),
    ...codes.flatMap((one) => startsOfCode(one, terms.whole)),
  ]
  return all.length === 0 ? undefined : all.join(' or ')
}

/** What indexes find however many records there are: starts and whole values of the first column of each. */
export function indexedFilters(
  terms: SearchTerms,
  searched: SearchedProperties,
  definition: DocumentDefinition,
  scoped: readonly string[],
): SearchFilter[] {
  const { indexes = [], textIndexes = [], companyColumn } = definition
  const isFixed = new Set([companyColumn, ...scoped])
  const keyColumns = searched.key.map((name) => ({ columns: [columnIn(searched, name) ?? ''] }))
  const first = new Set(
    [...keyColumns.slice(0, 1), ...indexes].map(({ columns }) => columns.find((column) => !isFixed.has(column))),
  )
  const leads = ({ column }: SearchedProperty) => first.has(column)
  const writings = writingsOf(terms)
  const beginning = (spellings: readonly string[]) => (one: SearchedProperty) =>
    [...spellings, ...(terms.joined === undefined ? [] : [terms.joined])]
      .filter((text) => fits(one, text))
      .map((text) => ({ filter: startsWith(one.path, text), orderBy: one.path }))
  const starts = [
    ...searched.texts.filter(leads).flatMap(beginning(terms.spellings)),
    ...searched.codes.filter(leads).flatMap(beginning(writings)),
  ]
  const values = [
    ...searched.references.filter(leads).flatMap((one) => {
      const known = writings.filter((text) => fits(one, text))
      return known.length === 0 ? [] : [`${one.path} in (${known.map(literal).join(',')})`]
    }),
    ...numberFilters(terms, {
      integers: searched.integers.filter(leads),
      amounts: searched.amounts.filter(leads),
    }),
    ...dateFilters(terms, { dates: searched.dates.filter(leads) }),
  ].map((filter) => ({ filter }))
  const [longest = ''] = longestFirst(terms)
  const parts =
    [...longest].length < GRAM_LENGTH
      ? []
      : searched.texts
          .filter(({ column }) => textIndexes.some((one) => one.column === column))
          .flatMap(({ path }) =>
            spellingsOf(longest).map((text) => ({ filter: `contains(${path},${literal(shortened(text))})` })),
          )
  return [...starts, ...values, ...parts]
}

function longestFirst({ words }: SearchTerms): string[] {
  return words.toSorted((one, other) => other.length - one.length)
}

function columnIn({ texts, codes, references, integers }: SearchedProperties, path: string): string | undefined {
  return [...texts, ...codes, ...references, ...integers].find((one) => one.path === path)?.column
}

function startsOfCode(one: SearchedProperty, word: string): string[] {
  return fits(one, word) ? [startsAnyCase(one.path, word)] : []
}

/** A comparison of the whole would fold all letters that there are. */
function sameAs(one: SearchedProperty, word: string): string[] {
  const { path } = one
  return fits(one, word) ? [`(${startsAnyCase(path, word)} and length(${path}) eq ${[...word].length})`] : []
}

/** No code is longer than its property. */
function fits({ property }: SearchedProperty, text: string): boolean {
  return text.length <= (property.maxLength ?? ASKED_LENGTH)
}

/** Each further letter doubles the ways to write a code. */
const MOST_LETTERS = 3

/** For indexes, which know the case of letters: all ways to write a code of few letters, the usual ones of others. */
function writingsOf({ whole, spellings }: SearchTerms): readonly string[] {
  const cases = [...whole].map((letter) => [...new Set([letter, letter.toUpperCase()])])
  if (cases.filter((one) => one.length > 1).length > MOST_LETTERS) return spellings
  return cases.reduce((begun, letters) => begun.flatMap((text) => letters.map((letter) => text + letter)), [''])
}

function numberFilters(
  { integer, amounts }: SearchTerms,
  searched: Pick<SearchedProperties, 'integers' | 'amounts'>,
): string[] {
  return [
    ...(integer === undefined ? [] : searched.integers.map(({ path }) => `${path} eq ${integer}`)),
    ...(amounts.length === 0 ? [] : searched.amounts.map(({ path }) => `${path} in (${amounts.join(',')})`)),
  ]
}

function dateFilters({ days }: SearchTerms, { dates }: Pick<SearchedProperties, 'dates'>): string[] {
  return dates.flatMap(({ path }) =>
    days.map((day) => `(${path} ge ${literal(day)} and ${path} lt ${literal(dayAfter(day))})`),
  )
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 24 * 60 * 60_000).toISOString().slice(0, 10)
}

/** Without half of a character at its end. */
function shortened(text: string): string {
  return text.slice(0, ASKED_LENGTH).replace(/[\ud800-\udbff]$/, '')
}
