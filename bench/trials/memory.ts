// The memory of the processes after all workloads.
import type { Figure } from '../figure.ts'
import type { Subject } from '../subject.ts'

export function memoryOf(subject: Subject, name = subject.name): Figure {
  const processes = subject.memory()
  const each = processes.map(({ proportional, mostResident }) => `${proportional} (${mostResident})`).join(', ')
  const beside = `proportional share of each process now, and the most it had resident: ${each}`
  return { work: `memory of all processes: ${name}`, rounds: [subject.memorySum()], unit: 'MiB', beside }
}
