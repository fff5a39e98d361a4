// The words of the console, in the language of the reader. The English text of a sentence is its key.
// For whoever writes a text: it is one sentence with its values in it, never halves that are put together. Values that
// are numbers are written as the reader writes them; what is no number to people (a version, a code) is given as a text.
// A sentence with elements in it, such as a link, is `sentence` of `sentence.tsx`. Dates and times are texts of
// `parts/field-value.tsx`. Call `t` while something is shown: constants of a module would be made before the words are
// there. `test/words.test.ts` says what a language lacks; `npm run format` sorts the files of the languages.
import i18next, { type TOptions } from 'i18next'
import { chosenLanguage, LANGUAGES, wantedLanguages } from '../service/preferences.ts'

const FIRST = 'en'
/** Days before months, as in the other languages. */
const FIRST_LOCALE = 'en-GB'

/** Each language is loaded alone. English has only those texts that a number changes: others are their own keys. */
const LOADERS: Readonly<Record<string, () => Promise<{ default: Record<string, string> }>>> = {
  en: () => import('./en.json'),
  nb: () => import('./nb.json'),
  sv: () => import('./sv.json'),
  de: () => import('./de.json'),
}

/** What browsers call Norwegian, beside `nb`. */
const SAME: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' }

/** The language of a tag such as `de-AT;q=0.5`: `de`. */
export function languageOfTag(tag: string): string {
  const language = tag.trim().split(/[-_;]/, 1)[0]?.toLowerCase() ?? ''
  return SAME[language] ?? language
}

/** Undefined if the console does not have it. */
function languageIn(tag: string): string | undefined {
  const language = languageOfTag(tag)
  return language in LANGUAGES ? language : undefined
}

/** The first language of the reader that the console has. */
export const languageOf = (wanted: string): string =>
  wanted
    .split(',')
    .map(languageIn)
    .find((language) => language !== undefined) ?? FIRST

let locale: string | undefined

/** How the reader writes numbers and dates, for `Intl`. */
export const readerLocale = (): string | undefined => locale

/** That of the browser, which knows the country. Who has chosen another language writes as that one does. */
function localeOf(chosen: string): string {
  const tags = navigator.languages.filter(isTag)
  if (chosen === '') return tags[0] ?? FIRST_LOCALE
  return tags.find((tag) => languageIn(tag) === chosen) ?? (chosen === FIRST ? FIRST_LOCALE : chosen)
}

/** Browsers may name what is no language, such as `en-US@posix`. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Before anything is shown: a change of the language loads the page anew. Returns the language. */
export async function startWords(
  language = languageOf(wantedLanguages()),
  writtenAs = localeOf(chosenLanguage()),
): Promise<string> {
  locale = writtenAs
  const words = await LOADERS[language]?.()
  await i18next.init({
    lng: language,
    resources: { [language]: { translation: words?.default ?? {} } },
    fallbackLng: false,
    // Keys are sentences, with their full stops and colons.
    keySeparator: false,
    nsSeparator: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  })
  return language
}

/**
 * A text in the language of the reader. `{{name}}` stands for a value; `{{count}}` chooses between forms such as `1 row` and
 * `2 rows`, which the files of the languages name `..._one` and `..._other`. Where one English word is several of another
 * language, `context` tells them apart: the files name them `..._CONTEXT`.
 */
export function t(english: string, values: Readonly<Record<string, string | number>> = {}): string {
  const { count, context } = values
  const written = Object.entries(values).map(([name, value]) => [name, value.toLocaleString(locale)])
  return i18next.t(english, { count, context, replace: Object.fromEntries(written) } as TOptions)
}

/** For what `Intl` says in words. */
export const languageOfWords = (): string => (i18next.language === FIRST ? FIRST_LOCALE : i18next.language)

/** What stands one behind the other: `A, B and C`. */
export const listText = (texts: Iterable<string>): string => new Intl.ListFormat(languageOfWords()).format(texts)
