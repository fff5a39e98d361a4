import { Problem } from '../errors/problem.ts'
import type { Caller } from './caller.ts'

/**
 * Why credentials give no access. The reason is for the log: whatever is wrong, the caller gets the same answer, but
 * that the holder of a token with a valid signature may learn that it has expired.
 */
export class Denial {
  readonly reason: string
  readonly isExpired: boolean

  constructor(reason: string, isExpired = false) {
    this.reason = reason
    this.isExpired = isExpired
  }
}

/** A refusal of somebody who is known: logs, limits and the journal name the caller. */
export class RefusedCaller extends Problem {
  readonly caller: Caller

  constructor(caller: Caller, { status, code, body, message, ...options }: Problem) {
    super(status, code, body, message, options)
    this.caller = caller
  }
}
