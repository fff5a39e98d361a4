// The words of the console, in the language of the reader. The English text of a sentence is its key.
import i18next from 'i18next'
import { LANGUAGES, wantedLanguages } from '../service/preferences.ts'

const FIRST = 'en'

/** Each language is loaded alone. English has only those texts that a number changes: others are their own keys. */
const LOADERS: Readonly<Record<string, () => Promise<{ default: Record<string, string> }>>> = {
  en: () => import('./en.json'),
  nb: () => import('./nb.json'),
  sv: () => import('./sv.json'),
  de: () => import('./de.json'),
}

/** What browsers call Norwegian, beside `nb`. */
const SAME: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' }

/** The first language of the reader that the console has. */
export function languageOf(wanted: string): string {
  for (const tag of wanted.split(',')) {
    const language = tag.trim().split(/[-_;]/, 1)[0]?.toLowerCase() ?? ''
    const known = SAME[language] ?? language
    if (known in LANGUAGES) return known
  }
  return FIRST
}

/** Before anything is shown: a change of the language loads the page anew. */
export async function startWords(language = languageOf(wantedLanguages())): Promise<void> {
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
  document.documentElement.lang = language
}

/**
 * A text in the language of the reader. `{{name}}` stands for a value; `{{count}}` chooses between forms such as `1 row` and
 * `2 rows`, which the files of the languages name `..._one` and `..._other`.
 */
export const t = (english: string, values: Readonly<Record<string, string | number>> = {}): string =>
  i18next.t(english, values)
