// Takes the texts away from entries of the change log that are older than the setup keeps them, in writes of some
// hundred entries. Keys and hashes stay, so the chain stays provable, and says which record was changed by whom.
import { dayOf, timeBefore } from '../base/dates.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ErasureText } from '../store/audit/erased-entry.ts'
import { PRUNING, pruneEntries } from '../store/audit/prune-entries.ts'
import { writeEntry } from '../store/journal/journal.ts'
import { findLifeCycle, findNextEntries, moveTextsFrom } from '../store/service-state/life-cycle-store.ts'
import type { Actor, Store, Tx } from '../store/store.ts'
import { renewOldDictionaries } from './purge-journal.ts'

export interface JournalPruning {
  readonly store: Store
  readonly company: Pick<CompanyRules, 'id' | 'journalKept' | 'holds'>
  readonly actor: Actor
  readonly now: Date
}

/** So many in one call: the next one goes on. */
const WRITES_AT_ONCE = 20

/** Returns the number of entries that have lost their texts. A company with legal holds keeps them all. */
export async function pruneJournal(task: JournalPruning): Promise<number> {
  const { store, company, actor, now } = task
  if (company.journalKept === undefined || company.holds.length > 0) return 0
  // Whole days: each write adds an entry, and a write each minute would keep more than it takes away.
  const before = dayOf(timeBefore(now.toISOString(), company.journalKept) ?? '')
  let pruned = 0
  for (let writes = 0; writes < WRITES_AT_ONCE; writes++) {
    const numbers = await nextOldEntries(task, Date.parse(before))
    if (numbers.length === 0) break
    pruned += await store.write(company.id, actor, (tx) => pruneSome(tx, numbers, before))
  }
  if (pruned > 0) await renewOldDictionaries(task)
  return pruned
}

/** The next entries up to the last one of them that is old: clocks of several servers differ. */
async function nextOldEntries({ store, company }: JournalPruning, before: number): Promise<number[]> {
  const tx = store.reading(company.id)
  const next = await findNextEntries(tx, (await findLifeCycle(tx))?.texts_from ?? 0)
  const last = next.findLastIndex(({ at }) => at < before)
  return next.slice(0, last + 1).map(({ entry_no }) => entry_no)
}

async function pruneSome(tx: Tx, numbers: readonly number[], before: string): Promise<number> {
  const { count, ...pruned } = await pruneEntries(tx, numbers)
  moveTextsFrom(tx, numbers.at(-1) ?? 0)
  const text: ErasureText = { ...pruned, reason: `written before ${before}`, keepsKeys: true }
  if (count > 0) writeEntry(tx, { ...PRUNING, after: JSON.stringify(text) })
  return count
}
