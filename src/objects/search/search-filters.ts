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
    ...references.flatMap((one) => equalities(one, word)),
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
    ...texts.map(({ path }) => `startswith(tolower(${path}),${literal(text)})`),
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
  const starts = [...searched.texts, ...searched.codes]
    .filter(leads)
    .flatMap(({ path, property }) =>
      [...terms.spellings, ...(terms.joined === undefined ? [] : [terms.joined])]
        .filter((text) => text.length <= (property.maxLength ?? ASKED_LENGTH))
        .map((text) => ({ filter: startsWith(path, text), orderBy: path })),
    )
  const values = [
    ...searched.references.filter(leads).flatMap((one) => equalities(one, terms.whole)),
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

function startsOfCode({ path, property }: SearchedProperty, word: string): string[] {
  return writtenAlike(word, property.maxLength).map((text) => startsWith(path, text))
}

function equalities({ path, property }: SearchedProperty, word: string): string[] {
  return writtenAlike(word, property.maxLength).map((text) => `${path} eq ${literal(text)}`)
}

/** Codes have small letters or capitals; none is longer than its property. */
function writtenAlike(word: string, most = ASKED_LENGTH): string[] {
  return word.length > most ? [] : [...new Set([word, word.toUpperCase()])]
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
