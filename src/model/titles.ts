// What people call documents and properties. A setup names its own; the built-in ones are in `built-in-titles.ts`.
import { preferencesIn } from '../base/preferences.ts'
import { foldName } from '../base/text.ts'
import { translated } from '../errors/sentences.ts'
import { BUILT_IN_LANGUAGES, CODE_TITLES, DOCUMENT_TITLES, PROPERTY_TITLES, RECORD_TITLES } from './built-in-titles.ts'
import type { DocumentDefinition, Properties, Property, Titles } from './document.ts'
import de from './words/de.json' with { type: 'json' }
import nb from './words/nb.json' with { type: 'json' }
import sv from './words/sv.json' with { type: 'json' }

/** What is said of built-in documents and properties: each sentence of their definitions is the key of its words. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = { NO: nb, SV: sv, DE: de }

/** Both written forms of Norwegian are the language NO of setups. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { NB: 'NO', NN: 'NO' }

/** The language of a tag such as `de-AT`, as setups write it. */
export function languageCode(tag: string): string {
  const [language = ''] = tag.toUpperCase().split('-')
  return SAME_LANGUAGE[language] ?? language
}

/** The languages that `Accept-Language` names, the most wished first. */
export function namedLanguages(acceptLanguage: string | undefined): readonly string[] {
  const names = preferencesIn(acceptLanguage ?? '').map(({ name }) => name)
  return names.filter((name) => name !== '' && name !== '*').map(languageCode)
}

/** The first language that a reader names in which all is titled and said; undefined without one. */
export const readersLanguage = (acceptLanguage: string | undefined): string | undefined =>
  builtInLanguage(namedLanguages(acceptLanguage))

const builtInLanguage = (languages: readonly string[]): string | undefined =>
  languages.find((language) => (BUILT_IN_LANGUAGES as readonly string[]).includes(language))

export function documentTitle({ name, titles }: DocumentDefinition, languages: readonly string[]): string {
  return titleIn(titles, languages) ?? titleIn(DOCUMENTS.get(name), languages) ?? wordsOf(name)
}

/** What people call one record of a document; undefined where the setup does not say it. */
export function recordTitle({ name, recordTitles }: DocumentDefinition, languages: readonly string[]) {
  return titleIn(recordTitles, languages) ?? titleIn(RECORDS.get(name), languages)
}

/** What is said of a document or a property, in English without a language. One text of a setup is for all of them. */
export function descriptionIn(description: Titles, languages: readonly string[]): string {
  if (typeof description !== 'string') return titleIn(description, languages) ?? Object.values(description)[0] ?? ''
  const language = builtInLanguage(languages) ?? 'EN'
  const words = WORDS[language]
  if (!words) return description
  const sentences = description.split(/(?<=\.) /).map((one) => words[one] ?? ofDigits(one, language))
  return sentences.includes(undefined) ? description : sentences.join(' ')
}

/** What is said of a property; of a reference without words of its own, what is said of the other document. */
export const saidOf = (property: Property): Titles | undefined =>
  property.description ?? (property.kind === 'association' ? property.document.description : undefined)

/** A description of a schema, which begins with what is said in English of its property or document. */
export function schemaDescription(description: string, own: Titles | undefined, languages: readonly string[]): string {
  if (own === undefined || typeof own === 'string') return descriptionIn(description, languages)
  const english = descriptionIn(own, [])
  const further = description.startsWith(english) ? description.slice(english.length).trimStart() : ''
  return `${descriptionIn(own, languages)} ${descriptionIn(further, languages)}`.trimEnd()
}

/** How many digits a number keeps stands in messages too. */
const ofDigits = (sentence: string, language: string): string | undefined =>
  sentence.startsWith('Exact, ') ? translated(sentence, language, (name) => name) : undefined

/** The title of a member of a document, of its groups or of the items of its lists. */
export function propertyTitle(
  document: string,
  name: string,
  { titles }: Pick<Property, 'titles'>,
  languages: readonly string[],
): string {
  const own = titleIn(titles, languages)
  if (own !== undefined) return own
  const [, stem = name, number = ''] = /^(.*?)(\d*)$/.exec(name) ?? []
  const builtIn = titleIn(PROPERTIES.get(`${document}/${stem}`) ?? PROPERTIES.get(stem), languages)
  return builtIn === undefined ? wordsOf(name) : `${builtIn} ${number}`.trimEnd()
}

/** What the codes of a built-in property mean; undefined where a value list or the values of an attribute say it. */
export function codeTitles(document: string, name: string, languages: readonly string[]) {
  const codes = CODES.get(`${document}/${name}`)
  return codes && Object.fromEntries([...codes].map(([code, titles]) => [code, titleIn(titles, languages) ?? code]))
}

/** What people call a property or a document that a message names, such as `CustomerName` or `points[0].address`. */
export function titleOfNamed(
  named: string,
  language: string,
  document: Pick<DocumentDefinition, 'name' | 'properties'> = { name: '', properties: {} },
): string {
  const last = named.split(/[./[\]]+/).findLast((part) => /\D/.test(part)) ?? named
  const [name, property] = memberNamed(document.properties, foldName(last)) ?? [uncapitalised(last), {}]
  const ofDocument = property.kind === undefined ? titleIn(DOCUMENTS.get(name), [language]) : undefined
  return ofDocument ?? propertyTitle(document.name, name, property, [language])
}

const uncapitalised = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)

/** The outermost member with a name in lower case. */
function memberNamed(properties: Properties, folded: string): readonly [string, Partial<Property>] | undefined {
  const members = Object.entries(properties)
  const inside = () =>
    members.flatMap(([, one]) =>
      one.kind === 'group' || one.kind === 'list' ? [memberNamed(one.properties, folded)] : [],
    )
  return members.find(([name]) => foldName(name) === folded) ?? inside().find((one) => one !== undefined)
}

/** What people call the text of a code, which stands beside the code. */
export function textTitle(title: string, languages: readonly string[]): string {
  return `${title} (${titleIn(TEXT, languages)})`
}

/** In the first of the languages that has one, else in English. */
export function titleIn(titles: Titles | undefined, languages: readonly string[]): string | undefined {
  if (titles === undefined || typeof titles === 'string') return titles
  const known = new Map(Object.entries(titles).map(([tag, text]) => [languageCode(tag), text]))
  return [...languages, 'EN'].map((language) => known.get(language)).find((text) => text !== undefined)
}

/** `contractNo` and `work-orders` as words: Contract no, Work orders. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[-_\s]+/)
    .map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const TEXT: Titles = { EN: 'text', NO: 'tekst', SV: 'text', DE: 'Text' }
const DOCUMENTS = titlesIn(DOCUMENT_TITLES)
const RECORDS = titlesIn(RECORD_TITLES)
const PROPERTIES = titlesIn(PROPERTY_TITLES)
const CODES = new Map(Object.entries(CODE_TITLES).map(([property, codes]) => [property, titlesIn(codes)]))

function titlesOf(row: readonly string[]): Titles {
  return Object.fromEntries(BUILT_IN_LANGUAGES.map((language, at) => [language, row[at] ?? '']))
}

function titlesIn(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, Titles> {
  return new Map(Object.entries(table).map(([name, row]) => [name, titlesOf(row)]))
}
