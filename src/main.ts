#!/usr/bin/env node
// argv in, exit code out: 0 done, 1 a failure (one line on standard error), 2 bad usage.
// Its names are taken when it runs: an old Node.js would lack some, and tell only that.
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'

/** As `bin/tabularium.js` has it, which tells what is needed. */
const OLDEST = 24
const LAST_WORDS_MS = 250

if (Number.parseInt(process.versions.node, 10) < OLDEST) await import(besideProgram('../bin/tabularium.js'))
else await runProgram()

async function runProgram(): Promise<void> {
  // Half of a start is compiling. `bin/tabularium.js` names the same folder.
  modules.enableCompileCache(fileURLToPath(besideProgram('../.compiled')))
  exitWithoutOutput()
  const code = await answer(process.argv.slice(2))
  process.exitCode = code
  // What has failed may leave something open that never ends, such as a name that nobody resolves.
  if (code !== 0) setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
}

function besideProgram(path: string): string {
  return new URL(path, import.meta.url).href
}

/** The version needs none of the commands. */
async function answer(args: readonly string[]): Promise<number> {
  if (args.join(' ') === '--version') {
    const { printVersion } = await import('./cli/terminal/version-text.ts')
    return printVersion(process)
  }
  const { run } = await import('./cli/commands/program.ts')
  return run(args, process)
}

/**
 * A reader of the output, such as `head`, may close the pipe early, which is no failure. Without standard error nothing
 * can be told; the command goes on.
 */
function exitWithoutOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    process.stderr.write(`tabularium: standard output cannot be written: ${error.message}\n`)
    process.exit(1)
  })
}
