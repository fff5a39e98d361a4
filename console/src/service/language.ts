/** Libraries format numbers in the language of the browser, which may be none that exists, such as `en-US@posix`. */
export function repairLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
  }
}
