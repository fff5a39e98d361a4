// A process that looks through the database file while the service runs: at the lowest priority, and between two tables
// it rests for as long as it has worked.
import { flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { setTimeout as rest } from 'node:timers/promises'
import { integritySteps, openForCheck } from '../file/integrity-check.ts'

/** What the process tells when it has come to its end. */
export interface CheckResult {
  readonly faults: readonly string[]
}

const [, , file = ''] = process.argv

// The service is gone.
process.on('disconnect', () => process.exit())
setPriority(constants.priority.PRIORITY_LOW)
const connection = openForCheck(file)
flushCompileCache()
const faults = new Set<string>()
let begunAt = performance.now()
for (const step of integritySteps(connection, false)) {
  for (const fault of step.faults) faults.add(fault)
  await rest(performance.now() - begunAt)
  begunAt = performance.now()
}
connection.close()
process.send?.({ faults: [...faults] } satisfies CheckResult, () => process.disconnect())
