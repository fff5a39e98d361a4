// The console's start: the policy first, then the page.
import { declarePolicy } from './service/trusted-types.ts'

declarePolicy()
const { start } = await import('./app.tsx')
start(document.getElementById('console') as HTMLElement)
