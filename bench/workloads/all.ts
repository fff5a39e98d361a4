import { QUESTIONS } from '../questions/all.ts'
import type { Scale } from '../records/scale.ts'
import { files } from './files.ts'
import { repeats } from './repeats.ts'
import { neverAsked, reading, type Workload } from './workload.ts'
import { writes } from './writes.ts'

/** Queries with a new text each time: one with few rows, one with many. */
const NEVER_ASKED = ['attribute relations of a value', 'customers: of a group, 50 rows']

export function workloads(scale: Scale): readonly Workload[] {
  const reads = QUESTIONS.map((question) => reading(question, scale))
  const unknown = QUESTIONS.filter(({ name }) => NEVER_ASKED.includes(name)).map((one) => neverAsked(one, scale))
  return [...reads, ...unknown, ...repeats(scale), ...writes(scale), ...files()]
}
