// Starts a child program that reads the database, with little memory and without the service's environment variables.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programEnvironment } from '../../../base/process/program-environment.ts'
import { siblingModule } from '../../../base/process/sibling-module.ts'

/** In MiB: rows are short-lived, so no large young generation is needed. */
const FLAGS = ['--max-semi-space-size=1']

/** `name` is a module beside this one. */
export function startProgram(name: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const program = fileURLToPath(siblingModule(name, import.meta.url))
  return spawn(process.execPath, [...FLAGS, program, ...args], { stdio, env: programEnvironment() })
}
