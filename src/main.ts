#!/usr/bin/env node
// argv in, exit code out: 0 done, 1 a failure (one line on standard error), 2 bad usage.
import { run } from './cli/program.ts'

process.exitCode = await run(process.argv.slice(2))
