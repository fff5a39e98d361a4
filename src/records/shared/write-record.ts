// Every write of a record goes through here: as it is, as a trial that is undone, or sealed with its answer, so that a
// repeat of the request finds it.
import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../store/store.ts'
import { requireJournalRoom } from './quotas.ts'
import { actorOf, type Service } from './service.ts'

export interface WriteRequest {
  readonly caller: Caller
  readonly requestId: string
  /** The same rules and answers, but nothing stays. */
  readonly isTrial?: boolean
  /** It takes away or closes: possible when a quota is used up. */
  readonly isRemoval?: boolean
  /** Called within the write, after it: what it does stays or goes with the record. */
  readonly seal?: (tx: Tx, written: unknown) => Promise<void>
}

/** Ends the transaction of a trial. */
class TrialOver extends Error {
  readonly written: unknown

  constructor(written: unknown) {
    super('a trial is over')
    this.written = written
  }
}

/** Runs `change` in one transaction of the company; resolves when it is on disk, or, for a trial, when nothing of it is left. */
export async function writeRecord<T>(
  { store, companies }: Service,
  companyId: string,
  request: WriteRequest,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { isTrial, isRemoval, seal } = request
  const work = (tx: Tx) => {
    if (!isRemoval) requireJournalRoom(companies.require(companyId), tx)
    return change(tx)
  }
  if (!isTrial && !seal) return store.write(companyId, actorOf(request), work)
  try {
    return await store.write(companyId, actorOf(request), async (tx) => {
      const written = await work(tx)
      await seal?.(tx, written)
      if (isTrial) throw new TrialOver(written)
      return written
    })
  } catch (error) {
    if (error instanceof TrialOver) return error.written as T
    throw error
  }
}
