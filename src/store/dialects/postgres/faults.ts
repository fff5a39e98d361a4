import pg from 'pg'
import { coded } from '../../../errors/catalogue.ts'
import type { Problem } from '../../../errors/problem.ts'
import { answerTooLarge, storeReadOnly, storeUnavailable, storeUnsettled } from '../../store-fault.ts'
import { TooLarge } from './sessions/guard-session.ts'

/** SQLSTATE classes that say "not now": connection, resources, operator intervention, system; and what to call them. */
const PASSING: Readonly<Record<string, string>> = {
  '08': 'the connection was lost',
  '28': 'the database refused the login',
  '53': 'the database has no resources left',
  '55': 'the database is not ready',
  '57': 'the database stopped the statement',
  '58': 'the database had a system error',
}

/** Single SQLSTATEs: serialization failure, deadlock, lock timeout. */
const PASSING_STATES = new Set(['40001', '40P01', '55P03'])
/** A standby, or a database or role that was made so. */
const READ_ONLY = '25006'

const TOO_LONG_FOR_INDEX = '54000'

/** A commit that came to no answer, or to one that it was refused. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
}

/** Translates an error of PostgreSQL or of the way to it; anything else comes back as it is. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof CommitFailed) return isUndone(error.cause) ? translate(error.cause) : storeUnsettled(error.cause)
  if (error instanceof TooLarge) return answerTooLarge(error)
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (code === TOO_LONG_FOR_INDEX) return coded(422, 3010, 'A text is longer than an index of the store can hold.')
    const reason = PASSING[code.slice(0, 2)]
    if (code.length === 5 && reason) return storeUnavailable(reason, error)
    if (code === READ_ONLY) return storeReadOnly(error)
    if (PASSING_STATES.has(code)) return storeUnavailable('another write was in the way', error)
    if (/^E[A-Z]+$/.test(code)) return storeUnavailable('the database cannot be reached', error)
  }
  // The pool's word for a session that did not come free in time; a new one that is not made in time is "terminated".
  if (/timeout exceeded when trying to connect/.test(error.message)) return sessionsBusy(error)
  if (/Connection terminated|not queryable/.test(error.message)) {
    return storeUnavailable('the database cannot be reached', error)
  }
  return error
}

/** For who would wait, or has waited, too long for a session. */
export function sessionsBusy(cause?: Error): Problem {
  return storeUnavailable('all sessions with the database are busy', cause)
}

/**
 * Of what a commit is refused with, what says that the transaction is undone: broken constraints, an invalid state, an
 * invalid end, a rollback whose completion is known. Anything else may come from a server behind the database, after it
 * has committed.
 */
const UNDONE = /^(?:23|25|2D|40(?!003))/

/** Whether PostgreSQL itself says that it has not committed. */
function isUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNDONE.test(error.code ?? '')
}

/** Whether the database stopped a statement because it ran for too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '57014'
}
