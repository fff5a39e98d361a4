import { conflict } from '../../errors/catalogue.ts'
import { isMatch, newestKnown } from '../../http/etag.ts'
import { describeChangesSince, type KeyRange } from '../../store/journal.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Sight } from './sight.ts'

const CHANGED = 'The data was changed or deleted by another user'

/**
 * Refuses a change (409) when the record is no longer in the state that the caller's `If-Match` names, saying who
 * changed what and when: of the ranges of the journal, the first that tells of a change.
 */
export async function requireUnchanged(
  tx: ReadTx,
  found: { readonly change_no: number },
  ifMatch: string | undefined,
  ranges: readonly KeyRange[],
  sight: Sight,
): Promise<void> {
  if (isMatch(ifMatch, found.change_no)) return
  // The journal names members, and relations that may be hidden.
  if (sight.hidesAny) throw conflict(`${CHANGED}.`)
  const since = newestKnown(ifMatch ?? '')
  for (const range of ranges) {
    const changes = await describeChangesSince(tx, range, since)
    if (changes.length > 0) throw conflict(`${CHANGED}: ${changes.join('; ')}.`)
  }
  throw conflict(`${CHANGED}.`)
}
