// The console's start: the policy first, then the page.
import { BASE_PATH } from './service/base-path.ts'
import { startWords } from './words/words.ts'

declarePolicy()
repairLanguage()
document.documentElement.lang = await startWords()
const { start } = await import('./app.tsx')
start(document.getElementById('console') as HTMLElement)

/** Libraries format numbers in the language of the browser, which may be none that exists, such as `en-US@posix`. */
function repairLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
  }
}

// The one policy of the page: nobody makes markup or code of text. Libraries may fill style elements, and start workers
// from files of the console.

interface PolicyRules {
  createHTML(text: string): string
  createScriptURL(url: string): string
  createScript(text: string): string
}

type Factory = { createPolicy(name: string, rules: PolicyRules): unknown }

/** Must come before any library runs. Older browsers have no such policies. */
function declarePolicy(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => {
      if (/[<&]/.test(text)) throw new TypeError('Text is not shown as markup.')
      return text
    },
    createScriptURL: (url) => {
      const { origin, pathname } = new URL(url, location.href)
      if (origin === location.origin && pathname.startsWith(`${BASE_PATH}/console/assets/`)) return url
      throw new TypeError('Only scripts of the console are run.')
    },
    createScript: () => {
      throw new TypeError('Text is not run as a script.')
    },
  })
}
