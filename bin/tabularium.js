#!/usr/bin/env node
// The program's door, in plain JavaScript that an old Node.js reads too: it is told what is needed in one line.
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const PARENT_CHECK_MS = 500
/** What is compiled is kept beside the program, where only who may change it can write. */
const COMPILED = fileURLToPath(new URL('../.compiled', import.meta.url))
/** In MiB; V8 lets two of them grow to 128 otherwise before it looks for what can go. */
const YOUNG_GENERATION = '--max-semi-space-size=8'
/**
 * In bytes: what is free at the end of the heap of malloc goes back to the system beyond this, and larger blocks at
 * once. Without a bound both grow to the largest block that was ever freed.
 */
const KEPT_FREE = '1048576'
/** So little is alive in it that waiting for threads that help, where cores are busy, takes longer than they save. */
const COLLECTED_ALONE = '--no-parallel-scavenge'
/** These end too soon to need much memory. */
const BRIEF = ['--version', '--help', '-h']

const version = process.versions.node
if (Number(version.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `tabularium: Node.js ${OLDEST} or newer is needed, and this is ${version}: get it from nodejs.org, or as a package with 'npm install node@${OLDEST}' (in a checkout 'npm rebuild node')\n`,
  )
  process.exitCode = 1
} else {
  replaceByFrugal()
  if (process.env.npm_lifecycle_event !== undefined) endWithParent()
  await import(programToRun())
}

/** Memory can only be bounded before a process starts: the same process starts again, within some 30 ms. */
function replaceByFrugal() {
  const { env, execArgv, execPath, argv } = process
  const isBounded = [...execArgv, env.NODE_OPTIONS ?? ''].some((option) => option.includes('--max-semi-space-size'))
  // A process that another one talks to would lose the line; it has the options of the other.
  if (isBounded || process.send || process.platform !== 'linux' || !process.execve) return
  if (argv.some((one) => BRIEF.includes(one))) return
  const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: KEPT_FREE, MALLOC_MMAP_THRESHOLD_: KEPT_FREE }
  const environment = { ...malloc, NODE_COMPILE_CACHE: COMPILED, ...env }
  process.execve(execPath, [execPath, YOUNG_GENERATION, COLLECTED_ALONE, ...execArgv, ...argv.slice(1)], environment)
}

/** A package has the bundle alone. In a checkout sources that are newer than it win. */
function programToRun() {
  const [bundle, main] = ['../dist/main.js', '../src/main.ts'].map((path) => new URL(path, import.meta.url))
  const builtAt = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const folders = ['../src', '../packages/client/src'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return (folders.some((folder) => hasNewer(folder, builtAt)) ? main : bundle).href
}

/** Whether a file in the folder was written later, or one was added or removed. */
function hasNewer(path, time) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (found.mtimeMs > time) return true
  return found.isDirectory() && readdirSync(path).some((name) => hasNewer(`${path}/${name}`, time))
}

/** npm hands signals to a shell between us, which ends without telling us. */
function endWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS).unref()
}
