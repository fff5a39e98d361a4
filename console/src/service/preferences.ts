// What a person has chosen for this browser: the language of titles, and whether names stand beside them.

const LANGUAGE_KEY = 'tabularium.language'
const NAMES_KEY = 'tabularium.names'

/** The languages in which built-in documents have titles, as those who speak them call them. */
export const LANGUAGES = { en: 'English', nb: 'Norsk bokmål', sv: 'Svenska', de: 'Deutsch' } as const

/** Empty for the language of the browser. */
export const chosenLanguage = (): string => localStorage.getItem(LANGUAGE_KEY) ?? ''

/** As `Accept-Language`. */
export const wantedLanguages = (): string => chosenLanguage() || navigator.languages.join(',')

export const showsNames = (): boolean => localStorage.getItem(NAMES_KEY) !== null

export const chooseLanguage = (language: string): void => choose(LANGUAGE_KEY, language)

export const chooseNames = (isShown: boolean): void => choose(NAMES_KEY, isShown ? 'shown' : '')

/** Loads the page anew: all that is shown has been asked for in the other language. */
function choose(key: string, value: string): void {
  if (value === '') localStorage.removeItem(key)
  else localStorage.setItem(key, value)
  location.reload()
}
