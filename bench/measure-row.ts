// Measures one workload against all subjects that support it, in turn.
import { type Cast, RELAXED } from './cast.ts'
import { FAILED } from './figure.ts'
import { type Measured, measure } from './measure.ts'
import type { Row } from './report.ts'
import { requireSameAnswers } from './same-answers.ts'
import type { Settings } from './settings.ts'
import type { Workload } from './workloads/workload.ts'

type Times = Pick<Settings, 'rounds' | 'seconds' | 'warmUpSeconds'>

export async function measureRow(
  workload: Workload,
  { subjects, token }: Pick<Cast, 'subjects' | 'token'>,
  { rounds, seconds, warmUpSeconds }: Times,
): Promise<Row> {
  const measured = new Map<string, Measured[]>()
  const able = subjects.filter(({ name }) => name === (workload.only ?? name) && (workload.writes || name !== RELAXED))
  try {
    for (const subject of able) {
      const missing = await workload.prepare?.(subject, token)
      if (missing !== undefined) return { workload: workload.name, measured, missing }
    }
    await requireSameAnswers(able, workload, token)
    for (let round = 1; round <= rounds; round++) {
      for (const subject of able) {
        process.stderr.write(`${workload.name}, round ${round} of ${rounds}: ${subject.name}\n`)
        const cell = await measure(subject, workload, token, seconds, warmUpSeconds)
        measured.set(subject.name, [...(measured.get(subject.name) ?? []), cell])
      }
    }
  } catch (error) {
    // The rest of a long run is still useful.
    process.stderr.write(`${error}\n`)
    process.exitCode = 1
    return { workload: workload.name, measured: new Map(), missing: FAILED }
  }
  return { workload: workload.name, measured }
}
