// The history of a record as a caller is told of it.
import { parseExact } from '../../base/numbers/long-number.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import type { RecordAccess } from '../../records/shared/access/record-access.ts'
import type { RecordChange } from '../record-change.ts'
import { operationOf, type ToldOperation } from '../told/told-change.ts'
import { changedMembers, type MemberChange } from './member-changes.ts'
import type { Sight } from './sight.ts'

/** A change of which the caller is told. */
export interface ToldEntry {
  readonly change: RecordChange
  readonly operation: ToldOperation
  readonly changes: readonly MemberChange[]
}

/** The time and the author of the last change, which every entry of a history has itself. */
const STAMP = /^\/lastUpdated?(?:\/|$)/

/** Undefined when the caller is told nothing: the record is out of its sight, or only hidden members differ. */
export function tellingOf(change: RecordChange, { before, after }: Sight, access: RecordAccess): ToldEntry | undefined {
  if (!before && !after) return change.isBeforeUnknown && !access.hasRowRule ? deleted(change) : undefined
  const old = before ? access.redact(change.before) : ''
  const now = after ? access.redact(change.after) : ''
  if (before && after) {
    const changes = changedMembers(old, now).filter(({ path }) => !STAMP.test(path))
    return changes.length === 0 ? undefined : { change, operation: 'updated', changes }
  }
  const operation = operationOf(change, after)
  return { change, operation, changes: [{ path: '', ...wholeOf('before', old), ...wholeOf('after', now) }] }
}

/** A record that a purge has removed, of which nothing else is known any more. */
function deleted(change: RecordChange): ToldEntry {
  return { change, operation: 'deleted', changes: [] }
}

function wholeOf(side: 'before' | 'after', text: string): { [side]?: JsonValue } {
  return text === '' ? {} : { [side]: parseExact(text) as JsonValue }
}

export interface ShownAuthors {
  readonly users: boolean
  readonly clients: boolean
}

/** `next`: the number before which the next page goes on; 0 at the end. */
export function historyJson(told: readonly ToldEntry[], next: number, shows: ShownAuthors): string {
  const changes = told.map(({ change: { number, at: time, userId, clientId }, operation, changes }) => ({
    number,
    time,
    ...(shows.users ? { userId } : {}),
    ...(shows.clients ? { clientId } : {}),
    operation,
    changes,
  }))
  return JSON.stringify({ changes, next: next === 0 ? '' : String(next) })
}
