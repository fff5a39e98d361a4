// The guarded floor. Arguments: its file, its synchronous setting, the file of published keys.
import type { Synchronous } from './database.ts'
import { floorHandlers } from './handlers.ts'
import { serveGuarded } from './serve-guarded.ts'

const [file = '', synchronous = 'FULL', keysFile = ''] = process.argv.slice(2)
await serveGuarded(floorHandlers(file, synchronous as Synchronous), keysFile)
