// Every write of a record uses this function: a plain write, a validation-only write that is rolled back, or a write
// that stores its response for retries.
import type { Caller } from '../../access/caller.ts'
import { earlierState, isMatch } from '../../base/etag.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { conflict } from '../../errors/catalogue.ts'
import { describeChangesSince, type KeyRange } from '../../store/journal/journal.ts'
import { rolledBack } from '../../store/rolled-back.ts'
import { requireLatestRules } from '../../store/setup-version.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { requireOwnRecords } from './mirrored.ts'
import { requireJournalRoom } from './quotas.ts'
import type { RecordAccess } from './record-access.ts'
import { actorOf, type Service } from './service.ts'

export interface WriteRequest {
  readonly caller: Caller
  readonly requestId: string
  /** Applies the same rules and gives the same response, but rolls back. */
  readonly validateOnly?: boolean
  /** It takes away or closes: possible when a quota is used up. */
  readonly isRemoval?: boolean
  /** Called within the write with the number of the last change that the company has then. */
  readonly onWritten?: (changeNumber: number) => void
  /** Called within the write, after it: what it does stays or goes with the record. */
  readonly storeResponse?: (tx: Tx, written: unknown) => Promise<void>
}

/** The complete record is in the body. */
export interface CreateRequest extends WriteRequest {
  readonly companyId: string
  readonly body: JsonValue | undefined
}

/**
 * Runs `change` in one transaction of the company; resolves when it is on disk, or, if it only validates, when nothing
 * of it is left.
 */
export async function writeRecord<T>(
  { store, companies }: Service,
  companyId: string,
  request: WriteRequest,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { validateOnly, isRemoval, onWritten, storeResponse } = request
  requireOwnRecords(companies.require(companyId))
  const work = (tx: Tx) => {
    requireLatestRules(tx, request.caller.setupVersion ?? companies.setupVersion)
    if (!isRemoval) requireJournalRoom(companies.require(companyId), tx)
    return change(tx)
  }
  const actor = actorOf(request)
  if (validateOnly) return rolledBack((tried) => store.write(companyId, actor, tried), work)
  return store.write(companyId, actor, async (tx) => {
    const written = await work(tx)
    onWritten?.(tx.entries.lastNumber)
    await storeResponse?.(tx, written)
    return written
  })
}

const CHANGED = 'The data was changed or deleted by another user'

/**
 * Rejects a change (409) when the record no longer has the version in the caller's `If-Match`. The message says who
 * changed what and when, if that was a version of the record. A promise where that is asked.
 */
export function requireUnchanged(
  tx: ReadTx,
  found: { readonly change_no: number },
  ifMatch: string | undefined,
  ranges: readonly KeyRange[],
  access: Pick<RecordAccess, 'hidesAny'>,
): Promise<void> | undefined {
  if (isMatch(ifMatch, found.change_no)) return undefined
  // Journal entries name members and relations that may be hidden from the caller.
  const state = access.hidesAny ? undefined : earlierState(ifMatch ?? '', found.change_no)
  return refuseChanged(tx, ranges, state)
}

async function refuseChanged(tx: ReadTx, ranges: readonly KeyRange[], state: number | undefined): Promise<never> {
  const changes = state === undefined ? [] : await describeChangesSince(tx, ranges, state)
  throw conflict(changes.length > 0 ? `${CHANGED}: ${changes.join('; ')}.` : `${CHANGED}.`)
}
