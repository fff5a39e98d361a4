// The map that a file probably needs: each heading with the property that it is most like, by name and by title.
import { nearestName } from '../base/text.ts'

/** A property that a column may be. */
export interface Candidate {
  /** As in headings: `contactPoints.1.address.place`. */
  readonly path: string
  /** What people call it, in several languages. */
  readonly titles: readonly string[]
  readonly isRequired: boolean
}

export interface MappedFile {
  readonly name: string
  /** The list whose items the file has; absent of the file of the records. */
  readonly list?: string
  readonly headings: readonly string[]
  readonly candidates: readonly Candidate[]
}

/** A table has a few hundred columns at most: each is compared with each property. */
const MAX_HEADINGS = 500

/** The text of a map: YAML with a line for each heading, and with what is required and has none. */
export function mapTemplate(document: string, files: readonly MappedFile[]): string {
  const lists = files.flatMap(({ list }) => (list === undefined ? [] : [`${list}.`]))
  const lines = files.flatMap(({ name, list, headings, candidates: all }) => {
    // What has a file of its own is no column of the records.
    const isElsewhere = ({ path }: Candidate) => list === undefined && lists.some((start) => path.startsWith(start))
    const candidates = all.filter((one) => !isElsewhere(one))
    const indent = list === undefined ? '' : '  '
    const found = suggestedColumns(headings, candidates)
    const taken = new Set(found.values())
    const missing = candidates.filter((one) => one.isRequired && !taken.has(one))
    return [
      list === undefined
        ? `# The headings of ${name}, and the properties of ${document} that they mean. One without a property is left out.`
        : `# The headings of ${name}, which has the items of this list.`,
      ...(list === undefined ? [] : [`${list}:`]),
      ...headings.map((heading) => indent + lineOf(heading, found.get(heading))),
      ...(missing.length > 0
        ? [`${indent}# Required, and like no heading: give each a constant, or the heading.`]
        : []),
      ...missing.map(({ path, titles }) => `${indent}# ${path}: = ''${noteOf(titles)}`),
    ]
  })
  return `${lines.join('\n')}\n`
}

function lineOf(heading: string, found: Candidate | undefined): string {
  const key = quotedKey(heading)
  return found ? `${key}: ${found.path}${noteOf(found.titles)}` : `${key}:`
}

function noteOf([title]: readonly string[]): string {
  return title === undefined ? '' : ` # ${title.replaceAll(/\s+/g, ' ')}`
}

/** In YAML as it stands, or else in quotes. */
function quotedKey(heading: string): string {
  return /^[\p{L}\d][\p{L}\d ._/()-]*$/u.test(heading) && !heading.endsWith(' ') ? heading : JSON.stringify(heading)
}

/** Each property is the meaning of one heading: the one that is most like it. */
export function suggestedColumns(
  all: readonly string[],
  candidates: readonly Candidate[],
): ReadonlyMap<string, Candidate> {
  const headings = all.slice(0, MAX_HEADINGS)
  const labels = candidates.map((candidate) => ({ candidate, words: wordsOf(candidate) }))
  const pairs = headings
    .filter((heading) => heading.trim() !== '')
    .flatMap((heading, at) => {
      const word = plain(heading)
      return labels.map(({ candidate, words }, order) => {
        const alike = Math.max(...words.map(([text, weight]) => weight * likenessOf(word, text)))
        const likeness = isOtherWord(word, candidate) ? Math.max(alike, USUAL) : alike
        // When two are as like, the one that each record needs is taken.
        return { heading, candidate, likeness: likeness + (candidate.isRequired ? 0.05 : 0), order, at }
      })
    })
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
  const companions = Map.groupBy(
    pairs.filter(({ likeness }) => likeness > CERTAIN),
    ({ candidate }) => groupOf(candidate),
  )
  // The parts of an address stand together: of two that are as like, it is the one in the group of more others.
  const weightOf = ({ candidate, likeness }: (typeof pairs)[number]) =>
    likeness + 0.03 * Math.min(4, companions.get(groupOf(candidate))?.length ?? 0)
  pairs.sort((one, other) => weightOf(other) - weightOf(one) || one.order - other.order || one.at - other.at)
  const found = new Map<string, Candidate>()
  const taken = new Set<Candidate>()
  for (const { heading, candidate } of pairs) {
    if (found.has(heading) || taken.has(candidate)) continue
    found.set(heading, candidate)
    taken.add(candidate)
  }
  return found
}

const LEAST_LIKENESS = 0.55
const CERTAIN = 0.9
const USUAL = 0.95

function groupOf({ path }: Candidate): string {
  return path.split('.').slice(0, -1).join('.')
}

/** Its path, its last name and its titles; the shorter path is more likely meant. */
function wordsOf({ path, titles }: Candidate): [text: string, weight: number][] {
  const depth = 1 - 0.01 * (path.split('.').length - 1)
  const name = path.split('.').at(-1) ?? ''
  return [path, name, ...titles].map((text) => [plain(text), text === path ? 1 : depth])
}

/** What other systems call these in headings, in English, Norwegian, Swedish and German. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  customerName: ['company', 'firma', 'firmanavn', 'f\u00f6retag'],
  supplierName: [
    'company',
    'firma',
    'firmanavn',
    'f\u00f6retag',
    'vendor',
    'lieferant',
    'leverand\u00f8r',
    'leverant\u00f6r',
  ],
  streetAddress: ['street', 'gate', 'gata', 'stra\u00dfe', 'strasse'],
  postcode: ['zip', 'zip code', 'postal code', 'plz'],
  place: ['city', 'town', 'by', 'poststed', 'postort'],
  telephone1: ['phone', 'tel', 'tlf', 'tfn', 'telefon', 'mobil', 'mobile'],
  eMail: ['mail', 'epost'],
  quantity: ['qty', 'antall', 'antal', 'menge', 'anzahl', 'stk'],
  price: ['unit price', 'enhetspris', 'stykpris', 'einzelpreis', 'preis', 'pris'],
  itemId: ['item', 'sku', 'varenr', 'vare', 'artikel', 'artikkel'],
  unitId: ['unit', 'enhet', 'einheit'],
  customerGroupId: ['kgrp', 'kundegruppe', 'kundgrupp', 'kundengruppe'],
}

function isOtherWord(word: string, { path }: Candidate): boolean {
  return (OTHER_WORDS[path.split('.').at(-1) ?? ''] ?? []).some((other) => plain(other) === word)
}

/** How programs shorten these words at the end of a heading. */
const ENDINGS = ['nummer', 'number', 'nr', 'no', 'num', 'kode', 'code', 'id']

/** Letters and digits, and a number as it ends. */
function plain(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
  const ending = ENDINGS.find((end) => letters.endsWith(end) && letters.length > end.length + 1)
  return ending === undefined ? letters : `${letters.slice(0, -ending.length)}#`
}

/** From 0 to 1: the same, a part of the other, or some letters apart. */
function likenessOf(one: string, other: string): number {
  if (one === '' || other === '') return 0
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  // The end of a compound says what it is: `Adresse` is a `Gateadresse` rather than an `Adressetype`.
  if (short.length >= 4 && long.endsWith(short)) return 0.65 + 0.3 * (short.length / long.length)
  // A number is no name: `Kunde: nr` is no `Kundenavn`.
  const start = long.endsWith('#') ? short.replace('#', '') : short
  if (start.length >= 3 && long.startsWith(start)) return 0.55 + 0.3 * (start.length / long.length)
  return short.length >= 4 && nearestName(short, [long]) !== undefined ? 0.6 : 0
}
