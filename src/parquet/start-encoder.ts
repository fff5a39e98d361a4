// Starts a process that writes Parquet files, with little memory and without the environment of the service.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programEnvironment } from '../base/process/program-environment.ts'
import { siblingModule } from '../base/process/sibling-module.ts'

/** In MiB: a group of rows is outside the heap, but for the values of one column. */
const FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=160']

export function startEncoder(): ChildProcess {
  const program = fileURLToPath(siblingModule('encoder-process', import.meta.url))
  return spawn(process.execPath, [...FLAGS, program], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: programEnvironment(),
  })
}
