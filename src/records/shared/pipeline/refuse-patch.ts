import { coded } from '../../../errors/catalogue.ts'
import type { Problem } from '../../../errors/problem.ts'
import type { PatchFailure } from '../../../patch/failure.ts'

/** The rejection of a patch, with the messages of all failures and the code of the first. No operation was applied. */
export function patchRefused(status: 400 | 422, failures: readonly PatchFailure[]): Problem {
  const [first] = failures
  if (!first) throw new Error('a patch was rejected without a failure')
  return coded(status, first.code, failures.map((failure) => failure.message).join('; '))
}
