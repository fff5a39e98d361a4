// Starts a child program that reads the database, with little memory and without the service's environment variables.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siblingModule } from '../../../../base/process/sibling-module.ts'

/** In MiB: rows are short-lived, so no large young generation is needed. */
const FLAGS = ['--max-semi-space-size=1']

/** `name` is a module beside this one. */
export function startProgram(name: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const program = fileURLToPath(siblingModule(name, import.meta.url))
  return spawn(process.execPath, [...FLAGS, program, ...args], { stdio, env: environment() })
}

/** Shares the compile cache of the service: compiling TypeScript alone would take another 24 MiB. */
function environment(): NodeJS.ProcessEnv {
  const compiled = getCompileCacheDir()
  return { MALLOC_ARENA_MAX: '2', ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }) }
}
