import pg from 'pg'
import { coded } from '../../../errors/catalogue.ts'
import type { Problem } from '../../../errors/problem.ts'
import {
  answerTooLarge,
  commitOutcomeUnknown,
  gaveWay,
  storeReadOnly,
  storeUnavailable,
} from '../../../store/store-fault.ts'
import { TooLarge } from './guard-session.ts'

/**
 * SQLSTATE classes of transient errors (connection, resources, operator intervention, system), with their description.
 */
const TRANSIENT: Readonly<Record<string, string>> = {
  '08': 'the connection was lost',
  '28': 'the database refused the login',
  '53': 'the database has no resources left',
  '55': 'the database is not ready',
  '57': 'the database stopped the statement',
  '58': 'the database had a system error',
}

/**
 * Serialization failure and deadlock: what was in the way has its locks now. And no such statement: one that was sent
 * ahead has failed before it had prepared it for this one.
 */
const GAVE_WAY = new Set(['40001', '40P01', '26000'])
/** The SQLSTATE of a standby, or of a database or role that was made read-only. */
const READ_ONLY = '25006'

const TOO_LONG_FOR_INDEX = '54000'
/**
 * Messages of the driver, and of a distributed database about a server behind it: it passes on what it read, as an
 * internal error.
 */
const LOST_CONNECTION =
  /Connection terminated|not queryable|server closed the connection unexpectedly|terminating connection due to unexpected postmaster exit/

/** A commit that got no response or was rejected. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
}

/** Translates an error of PostgreSQL or of the connection to it; any other error is returned unchanged. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof CommitFailed)
    return isRolledBack(error.cause) ? translate(error.cause) : commitOutcomeUnknown(error.cause)
  if (error instanceof TooLarge) return answerTooLarge(error)
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (code === TOO_LONG_FOR_INDEX) return coded(422, 3010, 'A text is longer than an index of the store can hold.')
    const reason = TRANSIENT[code.slice(0, 2)]
    if (code.length === 5 && reason) return storeUnavailable(reason, error)
    if (code === READ_ONLY) return storeReadOnly(error)
    if (GAVE_WAY.has(code)) return gaveWay(error)
    if (/^E[A-Z]+$/.test(code)) return storeUnavailable('the database cannot be reached', error)
  }
  // The pool's message when no session became free in time; a new session that is not established in time is
  // "terminated".
  if (/timeout exceeded when trying to connect/.test(error.message)) return sessionsBusy(error)
  if (LOST_CONNECTION.test(error.message)) return storeUnavailable('the database cannot be reached', error)
  return error
}

/** The problem of a caller that would wait, or has waited, too long for a session. */
export function sessionsBusy(cause?: Error): Problem {
  return storeUnavailable('all sessions with the database are busy', cause)
}

/**
 * The SQLSTATEs of a rejected commit that prove a rollback: constraint violations, an invalid state, an invalid
 * termination, a rollback whose completion is known. Any other one may come from a server behind the database after it
 * has committed.
 */
const ROLLED_BACK = /^(?:23|25|2D|40(?!003))/

/** Whether PostgreSQL itself reports that it has not committed. */
function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ROLLED_BACK.test(error.code ?? '')
}

/** Whether the whole transaction is lost with this error: it is one of the infrastructure, not a rejection. */
export function isFault(error: unknown): boolean {
  return isTimeout(error) || translate(error) !== error
}

/** Whether the database stopped a statement at its timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '57014'
}
