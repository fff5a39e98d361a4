// Tells the reporter what each test file has cost.
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { type Costs, counted } from './costs.ts'

declare module 'vitest' {
  interface TaskMeta {
    costs?: Costs
  }
}

/** The kernel counts the time of ended children in ticks of 10 ms: fields 16 and 17 of proc(5). */
const TICK_MS = 10

function childrenMs(): number {
  try {
    // The name of the program, field 2, may hold blanks.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS
  } catch {
    // Other systems have no such file.
    return 0
  }
}

function now(): Costs {
  const { user, system } = process.cpuUsage()
  return { ...counted, processorMs: (user + system) / 1_000 + childrenMs() }
}

const before = now()

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures a hook asks for.
afterAll(({}, file) => {
  const after = now()
  file.meta.costs = {
    programs: after.programs - before.programs,
    made: after.made - before.made,
    setUp: after.setUp - before.setUp,
    copied: after.copied - before.copied,
    processorMs: after.processorMs - before.processorMs,
  }
})
