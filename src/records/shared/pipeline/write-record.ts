// Every write of a record uses this function: a plain write, a validation-only write that is rolled back, or a write
// that stores its response for retries.
import type { Caller } from '../../../access/caller.ts'
import type { Tx } from '../../../store/store.ts'
import { requireJournalRoom } from '../quotas.ts'
import { actorOf, type Service } from '../service.ts'

export interface WriteRequest {
  readonly caller: Caller
  readonly requestId: string
  /** Applies the same rules and gives the same response, but rolls back. */
  readonly validateOnly?: boolean
  /** It takes away or closes: possible when a quota is used up. */
  readonly isRemoval?: boolean
  /** Called within the write, after it: what it does stays or goes with the record. */
  readonly storeResponse?: (tx: Tx, written: unknown) => Promise<void>
}

/** Thrown to roll back a validation-only write. */
class Rollback extends Error {
  readonly written: unknown

  constructor(written: unknown) {
    super('rollback of a write that only validates')
    this.written = written
  }
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
  const { validateOnly, isRemoval, storeResponse } = request
  const work = (tx: Tx) => {
    if (!isRemoval) requireJournalRoom(companies.require(companyId), tx)
    return change(tx)
  }
  if (!validateOnly && !storeResponse) return store.write(companyId, actorOf(request), work)
  try {
    return await store.write(companyId, actorOf(request), async (tx) => {
      const written = await work(tx)
      await storeResponse?.(tx, written)
      if (validateOnly) throw new Rollback(written)
      return written
    })
  } catch (error) {
    if (error instanceof Rollback) return error.written as T
    throw error
  }
}
