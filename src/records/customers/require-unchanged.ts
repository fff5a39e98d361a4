import { conflict } from '../../errors/catalogue.ts'
import { isMatch, newestKnown } from '../../http/etag.ts'
import { describeChangesSince } from '../../store/journal.ts'
import type { ReadTx } from '../../store/store.ts'
import { RELATION_ENTITY } from '../shared/relation-store.ts'
import { ENTITY } from './customer.ts'
import type { FoundCustomer } from './customer-store.ts'

/** Refuses a change (409) when the record is no longer in the state that the caller's `If-Match` names, saying who changed what and when. */
export async function requireUnchanged(
  tx: ReadTx,
  key: { readonly attributeId: string; readonly customerId: string },
  found: FoundCustomer,
  ifMatch: string | undefined,
): Promise<void> {
  if (isMatch(ifMatch, found.change_no)) return
  const since = newestKnown(ifMatch ?? '')
  const own = await describeChangesSince(tx, { entity: ENTITY, firstParts: [key.customerId] }, since)
  const relations = { entity: RELATION_ENTITY, firstParts: [key.attributeId, key.customerId] }
  const changes = own.length > 0 ? own : await describeChangesSince(tx, relations, since)
  throw conflict(`The data was changed or deleted by another user: ${changes.join('; ')}.`)
}
