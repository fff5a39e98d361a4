// What a request is refused with: 501 for what the standard knows and this service does not, 400 for what it does not
// know.
import { coded, invalidOption } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { QueryError } from '../../query/parse/query-error.ts'

/** 501: legal OData that this service does not support. `what` names it. */
export function notSupported(what: string): Problem {
  return coded(501, 1020, `Not supported: ${what}.`)
}

/** Runs what reads or binds the texts of a request; what is wrong with them is 400. */
export function refusing<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof QueryError) throw invalidOption(error.message, error.reason)
    throw error
  }
}
