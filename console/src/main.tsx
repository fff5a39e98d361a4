// The console's start: the policy first, then the page.
import { repairLanguage } from './service/language.ts'
import { declarePolicy } from './service/trusted-types.ts'
import { startWords } from './words/words.ts'

declarePolicy()
repairLanguage()
document.documentElement.lang = await startWords()
const { start } = await import('./app.tsx')
start(document.getElementById('console') as HTMLElement)
