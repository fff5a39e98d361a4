import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * The environment of a program that the service starts as a process: none of the service's own variables, and its
 * compile cache, because compiling TypeScript alone would take another 24 MiB.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const compiled = getCompileCacheDir()
  return { MALLOC_ARENA_MAX: '2', ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }) }
}
