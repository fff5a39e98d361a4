import { coded } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { PatchFailure } from '../../patch/failure.ts'

/** Refuses a patch with everything that stands in its way; the first failure gives the code. Nothing of it was applied. */
export function patchRefused(status: 400 | 422, failures: readonly PatchFailure[]): Problem {
  const [first] = failures
  if (!first) throw new Error('a patch was refused without a failure')
  return coded(status, first.code, failures.map((failure) => failure.message).join('; '))
}
