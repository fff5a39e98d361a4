// Starts a program of ours that reads the database beside the service: with little memory, and without our environment.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siblingModule } from '../../../../base/process/sibling-module.ts'

/** In MiB: rows come and go one by one, and need no large young generation. */
const FLAGS = ['--max-semi-space-size=1']

/** `name` stands beside this module. */
export function startProgram(name: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const program = fileURLToPath(siblingModule(name, import.meta.url))
  return spawn(process.execPath, [...FLAGS, program, ...args], { stdio, env: environment() })
}

/** What is compiled is shared with the service: compiling TypeScript alone would take another 24 MiB. */
function environment(): NodeJS.ProcessEnv {
  const compiled = getCompileCacheDir()
  return { MALLOC_ARENA_MAX: '2', ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }) }
}
