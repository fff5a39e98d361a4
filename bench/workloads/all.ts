import { QUESTIONS } from '../questions/all.ts'
import type { Scale } from '../records/scale.ts'
import { files } from './files.ts'
import { repeats } from './repeats.ts'
import { reading, type Workload } from './workload.ts'
import { writes } from './writes.ts'

export function workloads(scale: Scale): readonly Workload[] {
  const reads = QUESTIONS.map((question) => reading(question, scale))
  return [...reads, ...repeats(scale), ...writes(scale), ...files()]
}
