// Messages in the words of a reader: in a language that was asked for, with titles in the place of the names of
// properties. The English sentence is the key. Its text is part of the contract, and it is kept with rejected rows and
// answers to retries, so the sentence itself is recognised where it is told, and what makes it knows no languages.
// `test/words.test.ts` says which sentences have no words.
import de from './words/de.json' with { type: 'json' }
import nb from './words/nb.json' with { type: 'json' }
import sv from './words/sv.json' with { type: 'json' }

/** A language as setups write it. English has no words of its own. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = { NO: nb, SV: sv, DE: de }
const TAGS: Readonly<Record<string, string>> = { EN: 'en', NO: 'nb', SV: 'sv', DE: 'de' }
const QUOTES: Readonly<Record<string, readonly [string, string]>> = {
  EN: ['\u201c', '\u201d'],
  NO: ['\u00ab', '\u00bb'],
  SV: ['\u201d', '\u201d'],
  DE: ['\u201e', '\u201c'],
}

/** Longer ones have what a caller has sent in them, and stay as they are. */
const MAX_LENGTH = 4_000
/** Sentences within sentences. */
const MAX_DEPTH = 4

/** Puts a message into the language of a reader. */
export type Translate = (message: string) => string

/** For programs, and for what is kept: the sentence of the contract. */
export const untranslated: Translate = (message) => message

/** What people call a property in a language. */
export type TitleOf = (name: string, language: string) => string

/** The tag of a language, for `Content-Language`. */
export const tagOfLanguage = (language: string): string => TAGS[language] ?? 'en'

/**
 * The message in a language. A sentence of which a part has no words stays English as a whole. The names of its values
 * say what they are: `field` and `fields` are names of properties, `keys` such names with their values, `document` is
 * the name of a document, `record` the same with a key; `variants` stand in a list with `or`, and `part` is a sentence
 * of its own.
 */
export function translated(message: string, language: string, titleOf: TitleOf): string {
  if (message.length > MAX_LENGTH) return message
  return worded(message, { language, titleOf }, 0) ?? worded(message, { language: 'EN', titleOf }, 0) ?? message
}

/** The English sentence that a message is; undefined for one without words. */
export function sentenceOf(message: string): string | undefined {
  return firstOf(message, ({ english }) => english)
}

/**
 * The English sentence with each value as `kept` gives it, by the name of the value; undefined for one without
 * words.
 */
export function withValues(
  message: string,
  kept: (name: string, value: string) => string,
  depth = 0,
): string | undefined {
  if (depth > MAX_DEPTH || message.length > MAX_LENGTH) return undefined
  return firstOf(message, ({ fixed, names }, all) => {
    const values = all.map((value, at) => {
      const name = names[at] ?? ''
      return name.startsWith('part') ? withValues(value, kept, depth + 1) : kept(name, value)
    })
    return values.includes(undefined) ? undefined : fixed.map((text, at) => text + (values[at] ?? '')).join('')
  })
}

interface Pattern {
  readonly english: string
  /** What stands before, between and behind the values. */
  readonly fixed: readonly string[]
  readonly names: readonly string[]
}

let known: readonly Pattern[] | undefined

/** Those with the most words first: they say the most of a message. */
function patterns(): readonly Pattern[] {
  const lengthOf = ({ fixed }: Pattern) => fixed.join('').length
  known ??= Object.keys(nb)
    .map(patternOf)
    .sort((one, other) => lengthOf(other) - lengthOf(one))
  return known
}

function patternOf(english: string): Pattern {
  const parts = english.split(/\{\{(\w+)\}\}/)
  return { english, fixed: parts.filter((_, at) => at % 2 === 0), names: parts.filter((_, at) => at % 2 === 1) }
}

/** Each value ends where what follows it is found first, so the time grows with the length alone. */
function valuesIn(message: string, { fixed, names }: Pattern): readonly string[] | undefined {
  const [first = ''] = fixed
  const last = fixed.at(-1) ?? ''
  if (names.length === 0) return message === first ? [] : undefined
  if (!message.startsWith(first) || !message.endsWith(last)) return undefined
  const values: string[] = []
  let at = first.length
  for (let next = 1; next <= names.length; next++) {
    const isLast = next === names.length
    const end = isLast ? message.length - last.length : message.indexOf(fixed[next] ?? '', at)
    if (end < at) return undefined
    values.push(message.slice(at, end))
    at = end + (fixed[next] ?? '').length
  }
  return values
}

/** What is made of the first sentence that the message is, and that something is made of. */
function firstOf(
  message: string,
  made: (pattern: Pattern, values: readonly string[]) => string | undefined,
): string | undefined {
  for (const pattern of patterns()) {
    const values = valuesIn(message, pattern)
    const text = values && made(pattern, values)
    if (text !== undefined) return text
  }
  return undefined
}

interface Reader {
  readonly language: string
  readonly titleOf: TitleOf
}

function worded(message: string, reader: Reader, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  return firstOf(message, (pattern, values) => filled(pattern, values, reader, depth))
}

function filled({ english, names }: Pattern, values: readonly string[], reader: Reader, depth: number) {
  const texts = new Map<string, string>()
  for (const [at, name] of names.entries()) {
    const text = valueText(name, values[at] ?? '', reader, depth)
    if (text === undefined) return undefined
    texts.set(name, text)
  }
  // The title stands in quotes of its own.
  const text = WORDS[reader.language]?.[english] ?? english.replaceAll("'{{field}}'", '{{field}}')
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => texts.get(name) ?? '')
}

/** The words before a value, as in `Company: EN, Attribute ID: C1`. */
const KEY = /(?<=^|, )[A-Za-z]+(?: [A-Za-z]+){0,3}(?=: )/g

function camelCased(words: string): string {
  const [first = '', ...others] = words.split(' ')
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join('')
}

function valueText(name: string, value: string, reader: Reader, depth: number): string | undefined {
  const { language, titleOf } = reader
  const quoted = (one: string) => (QUOTES[language] ?? ['', '']).join(titleOf(one, language))
  if (name === 'field') return quoted(value)
  if (name === 'fields') return value.split(', ').map(quoted).join(', ')
  if (name === 'document') return titleOf(value, language)
  if (name === 'record') return value.replace(/^[a-z][\w-]*(?= )/, (noun) => titleOf(noun, language))
  if (name === 'keys') return value.replace(KEY, (words: string) => titleOf(camelCased(words), language))
  if (name === 'variants') {
    const either = new Intl.ListFormat(tagOfLanguage(language), { type: 'disjunction' })
    return either.format(value.split(/, | or /))
  }
  if (!name.startsWith('part')) return value
  return worded(value, reader, depth + 1) ?? (language === 'EN' ? value : undefined)
}
