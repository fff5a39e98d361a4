// A process that checks the database file while the service runs: at the lowest priority, with pauses between tables as
// long as the work.
import { flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { setTimeout as rest } from 'node:timers/promises'
import { integritySteps, openForCheck } from './integrity-check.ts'

/** The result that the process reports at its end. */
export interface CheckResult {
  readonly faults: readonly string[]
}

const [, , file = ''] = process.argv

// The service has ended.
process.on('disconnect', () => process.exit())
setPriority(constants.priority.PRIORITY_LOW)
const connection = openForCheck(file)
flushCompileCache()
const faults = new Set<string>()
let startedAt = performance.now()
for (const step of integritySteps(connection)) {
  for (const fault of step.faults) faults.add(fault)
  await rest(performance.now() - startedAt)
  startedAt = performance.now()
}
connection.close()
process.send?.({ faults: [...faults] } satisfies CheckResult, () => process.disconnect())
