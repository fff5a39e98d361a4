import { earlierState, isMatch } from '../../base/etag.ts'
import { conflict } from '../../errors/catalogue.ts'
import { describeChangesSince, type KeyRange } from '../../store/journal/journal.ts'
import type { ReadTx } from '../../store/store.ts'
import type { RecordAccess } from './record-access.ts'

const CHANGED = 'The data was changed or deleted by another user'

/**
 * Rejects a change (409) when the record no longer has the version in the caller's `If-Match`. The message says who
 * changed what and when, if that was a version of the record.
 */
export async function requireUnchanged(
  tx: ReadTx,
  found: { readonly change_no: number },
  ifMatch: string | undefined,
  ranges: readonly KeyRange[],
  access: Pick<RecordAccess, 'hidesAny'>,
): Promise<void> {
  if (isMatch(ifMatch, found.change_no)) return
  // Journal entries name members and relations that may be hidden from the caller.
  const state = access.hidesAny ? undefined : earlierState(ifMatch ?? '', found.change_no)
  const changes = state === undefined ? [] : await describeChangesSince(tx, ranges, state)
  throw conflict(changes.length > 0 ? `${CHANGED}: ${changes.join('; ')}.` : `${CHANGED}.`)
}
