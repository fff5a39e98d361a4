#!/usr/bin/env node
// argv in, exit code out: 0 done, 1 a failure (one line on standard error), 2 bad usage.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Half of a start is compiling. What is compiled is kept beside the program, where only who may change it can write.
 */
const COMPILED = fileURLToPath(new URL('../.compiled', import.meta.url))
/** In MiB; V8 lets two of them grow to 128 otherwise before it looks for what can go. */
const YOUNG_GENERATION = '--max-semi-space-size=8'
/**
 * So little is alive in it that waiting for threads that help, where cores are busy, takes longer than their help
 * saves.
 */
const COLLECTED_ALONE = '--no-parallel-scavenge'
const LAST_WORDS_MS = 250

replaceByFrugal()
enableCompileCache(COMPILED)
const { run } = await import('./cli/program.ts')

exitWithoutOutput()
const code = await run(process.argv.slice(2), process)
process.exitCode = code
// What has failed may leave something open that never ends, such as a name that nobody resolves.
if (code !== 0) setTimeout(() => process.exit(), LAST_WORDS_MS).unref()

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

/** Memory can only be bounded before a process starts: the same process starts again, within some 30 ms. */
function replaceByFrugal(): void {
  const { env, execArgv, execPath, argv } = process
  const isBounded = [...execArgv, env.NODE_OPTIONS ?? ''].some((option) => option.includes('--max-semi-space-size'))
  // A process that another one talks to would lose the line; it has the options of the other.
  if (isBounded || process.send || process.platform !== 'linux' || !process.execve) return
  const environment = { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: COMPILED, ...env }
  process.execve(execPath, [execPath, YOUNG_GENERATION, COLLECTED_ALONE, ...execArgv, ...argv.slice(1)], environment)
}
