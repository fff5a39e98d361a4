// Takes the keys and the texts away from old entries of the change log, in writes of some hundred entries. Numbers,
// times, authors and hashes stay, so the chain stays provable. An interrupted purge goes on where it has stopped.
import type { CompanyRules } from '../setup/rules/rules.ts'
import { countOldEntries, eraseEntries, findOldestEntries } from '../store/audit/erase-entries.ts'
import type { ErasureText } from '../store/audit/erased-entry.ts'
import { PRUNING } from '../store/audit/prune-entries.ts'
import { renewDictionaries } from '../store/audit/renew-dictionaries.ts'
import { writeEntry } from '../store/journal/journal.ts'
import { findLifeCycle, moveTextsFrom } from '../store/service-state/life-cycle-store.ts'
import type { Actor, Store, Tx } from '../store/store.ts'

export interface JournalPurge {
  readonly store: Store
  readonly company: Pick<CompanyRules, 'id'>
  readonly actor: Actor
  /** An instant in the stored form. */
  readonly before: string
  readonly isDryRun: boolean
}

/** Returns the number of entries that were, or would be, emptied. */
export async function purgeJournal(task: JournalPurge): Promise<number> {
  const { store, company, actor, before, isDryRun } = task
  const { id: companyId } = company
  const instant = Date.parse(before)
  if (isDryRun) return countOldEntries(store.reading(companyId), instant)
  let emptied = 0
  for (let after = 0; ; ) {
    const numbers = await findOldestEntries(store.reading(companyId), after, instant)
    const last = numbers.at(-1)
    if (last === undefined) break
    emptied += await store.write(companyId, actor, (tx) => emptySome(tx, numbers, before))
    after = last
  }
  await renewOldDictionaries(task)
  return emptied
}

async function emptySome(tx: Tx, numbers: readonly number[], before: string): Promise<number> {
  const { count, ...erased } = await eraseEntries(tx, numbers)
  moveTextsFrom(tx, numbers.at(-1) ?? 0)
  const text: ErasureText = { ...erased, reason: `written before ${before}` }
  if (count > 0) writeEntry(tx, { ...PRUNING, after: JSON.stringify(text) })
  return count
}

/** Replaces dictionaries that hold values of entries whose texts are gone. */
export async function renewOldDictionaries({
  store,
  company,
  actor,
}: Pick<JournalPurge, 'store' | 'company' | 'actor'>): Promise<void> {
  const last = (await findLifeCycle(store.reading(company.id)))?.texts_from ?? 0
  await renewDictionaries(store, company.id, actor, ({ madeAt }) => madeAt <= last)
}
