import { QUESTIONS } from '../questions/all.ts'
import type { Scale } from '../records/scale.ts'
import { files } from './files.ts'
import { reading, type Workload } from './workload.ts'
import { writes } from './writes.ts'

export function workloads(scale: Scale): readonly Workload[] {
  return [...QUESTIONS.map((question) => reading(question, scale)), ...writes(scale), ...files()]
}
