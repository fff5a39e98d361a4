import { accessMutations } from './access.ts'
import { changeMutations } from './changes.ts'
import { concurrencyMutations } from './concurrency.ts'
import { crashMutations } from './crash.ts'
import { diskMutations } from './disk.ts'
import { httpMutations } from './http.ts'
import { isolationMutations } from './isolation.ts'
import { loadMutations } from './load.ts'
import { mirrorMutations } from './mirror.ts'
import type { Mutation } from './mutation.ts'
import { ownMutations } from './own.ts'
import { socketMutations } from './sockets.ts'
import { webhookMutations } from './webhooks.ts'

export const ALL_MUTATIONS: readonly Mutation[] = [
  ...accessMutations,
  ...changeMutations,
  ...concurrencyMutations,
  ...crashMutations,
  ...diskMutations,
  ...httpMutations,
  ...isolationMutations,
  ...loadMutations,
  ...mirrorMutations,
  ...ownMutations,
  ...socketMutations,
  ...webhookMutations,
]
