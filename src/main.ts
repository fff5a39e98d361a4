#!/usr/bin/env node
// argv in, exit code out: 0 done, 1 a failure (one line on standard error), 2 bad usage.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a start is compiling. What is compiled is kept beside the program, where only who may change it can write.
enableCompileCache(fileURLToPath(new URL('../.compiled', import.meta.url)))
const { run } = await import('./cli/program.ts')

process.exitCode = await run(process.argv.slice(2))
