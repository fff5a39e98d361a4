import { accessBugs } from './access.ts'
import { concurrencyBugs } from './concurrency.ts'
import { crashBugs } from './crash.ts'
import { diskBugs } from './disk.ts'
import { httpBugs } from './http.ts'
import { isolationBugs } from './isolation.ts'
import { loadBugs } from './load.ts'
import type { Mutation } from './mutation.ts'
import { socketBugs } from './sockets.ts'

export const ALL_MUTATIONS: readonly Mutation[] = [
  ...accessBugs,
  ...concurrencyBugs,
  ...crashBugs,
  ...diskBugs,
  ...httpBugs,
  ...isolationBugs,
  ...loadBugs,
  ...socketBugs,
]
