// The language of titles, and whether names stand beside them: a copy of what the person has chosen, because words come
// before it is known who reads them.

const LANGUAGE_KEY = 'tabularium.language'
const NAMES_KEY = 'tabularium.names'

const LETTERS_KEY = 'tabularium.letters'

/** Whether letters and signs do something outside of inputs: who dictates may not want them to (WCAG 2.1.4). */
export const hasLetters = (): boolean => localStorage.getItem(LETTERS_KEY) === null

export const chooseLetters = (are: boolean): void => copy(LETTERS_KEY, are ? '' : 'off')

/** The languages in which built-in documents have titles, as those who speak them call them. */
export const LANGUAGES = { en: 'English', nb: 'Norsk bokmål', sv: 'Svenska', de: 'Deutsch' } as const

/** Empty for the language of the browser. */
export const chosenLanguage = (): string => localStorage.getItem(LANGUAGE_KEY) ?? ''

/** In the form of `Accept-Language`. */
export const wantedLanguages = (): string => chosenLanguage() || navigator.languages.join(',')

export const showsNames = (): boolean => localStorage.getItem(NAMES_KEY) !== null

/** For the next start of the page: all that is shown has been asked for in the other language. */
export function copyReading(language: string, isNamed: boolean): void {
  copy(LANGUAGE_KEY, language)
  copy(NAMES_KEY, isNamed ? 'shown' : '')
}

function copy(key: string, value: string): void {
  if (value === '') localStorage.removeItem(key)
  else localStorage.setItem(key, value)
}

/** How the places begin at which the browser has copies of what the service keeps. */
export const COPIES = 'tabularium.settings.'

/** When the person leaves the browser to others. */
export function forgetCopies(): void {
  for (const place of Object.keys(localStorage).filter((one) => one.startsWith(COPIES))) localStorage.removeItem(place)
}
