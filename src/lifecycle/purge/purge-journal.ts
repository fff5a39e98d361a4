// Takes the keys and the texts away from old entries of the change log, in writes of some hundred entries. Numbers,
// times, authors and hashes stay, so the chain stays provable. An interrupted purge goes on where it has stopped.
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { eraseEntries, findOldestEntries } from '../../store/journal/erasure/erase-entries.ts'
import { ERASE, type ErasureText } from '../../store/journal/erasure/erased-entry.ts'
import { renewDictionaries } from '../../store/journal/erasure/renew-dictionaries.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import { countOldEntries, findLifeCycle, moveTextsFrom } from '../../store/service-state/life-cycle-store.ts'
import type { Actor, Store, Tx } from '../../store/store.ts'

export interface JournalPurge {
  readonly store: Store
  readonly company: CompanyRules
  readonly actor: Actor
  /** An instant in the stored form. */
  readonly before: string
  readonly isDryRun: boolean
}

/** Returns the number of entries that were, or would be, emptied. */
export async function purgeJournal(task: JournalPurge): Promise<number> {
  const { store, company, actor, before, isDryRun } = task
  const { id: companyId } = company
  const since = async () => (await findLifeCycle(store.reading(companyId)))?.texts_from ?? 0
  const instant = Date.parse(before)
  if (isDryRun) return countOldEntries(store.reading(companyId), await since(), instant)
  let emptied = 0
  for (let after = await since(); ; ) {
    const done = await store.write(companyId, actor, (tx) => emptySome(tx, after, instant, before))
    emptied += done.emptied
    if (done.last === after) break
    after = done.last
  }
  const last = await since()
  await renewDictionaries(store, companyId, actor, ({ madeAt }) => madeAt <= last)
  return emptied
}

async function emptySome(
  tx: Tx,
  after: number,
  instant: number,
  before: string,
): Promise<{ readonly emptied: number; readonly last: number }> {
  const numbers = await findOldestEntries(tx, after, instant)
  const last = numbers.at(-1)
  if (last === undefined) return { emptied: 0, last: after }
  const { count, ...erased } = await eraseEntries(tx, numbers)
  moveTextsFrom(tx, last)
  if (count > 0) {
    const text: ErasureText = { ...erased, reason: `written before ${before}` }
    await writeEntry(tx, { entity: 'journal', key: [], operation: ERASE, before: '', after: JSON.stringify(text) })
  }
  return { emptied: count, last }
}
