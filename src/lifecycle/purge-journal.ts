// Takes the keys and the texts away from old entries of the change log, in writes of some hundred entries. Numbers,
// times, authors and hashes stay, so the chain stays provable. An interrupted purge goes on where it has stopped.
import { dayOf, timeBefore } from '../base/dates.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { countOldEntries, eraseEntries, findOldestEntries } from '../store/audit/erase-entries.ts'
import type { ErasureText } from '../store/audit/erased-entry.ts'
import { PRUNING, pruneEntries } from '../store/audit/prune-entries.ts'
import { renewDictionaries } from '../store/audit/renew-dictionaries.ts'
import { writeEntry } from '../store/journal/journal.ts'
import { findLifeCycle, findNextEntries, moveTextsFrom } from '../store/service-state/life-cycle-store.ts'
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
  const reason = `written before ${before}`
  let emptied = 0
  for (let after = 0; ; ) {
    const numbers = await findOldestEntries(store.reading(companyId), after, instant)
    const last = numbers.at(-1)
    if (last === undefined) break
    emptied += await store.write(companyId, actor, (tx) => take(tx, numbers, eraseEntries, { reason }))
    after = last
  }
  await renewOldDictionaries(task)
  return emptied
}

async function take(tx: Tx, numbers: readonly number[], how: typeof eraseEntries, note: NoteOfTaking): Promise<number> {
  const { count, ...taken } = await how(tx, numbers)
  moveTextsFrom(tx, numbers.at(-1) ?? 0)
  const text: ErasureText = { ...taken, ...note }
  if (count > 0) writeEntry(tx, { ...PRUNING, after: JSON.stringify(text) })
  return count
}

type NoteOfTaking = Pick<ErasureText, 'reason' | 'keepsKeys'>

/** Replaces dictionaries that hold values of entries whose texts are gone. */
async function renewOldDictionaries({
  store,
  company,
  actor,
}: Pick<JournalPurge, 'store' | 'company' | 'actor'>): Promise<void> {
  const last = (await findLifeCycle(store.reading(company.id)))?.texts_from ?? 0
  await renewDictionaries(store, company.id, actor, ({ madeAt }) => madeAt <= last)
}

// Takes the texts away from entries of the change log that are older than the setup keeps them, in writes of some
// hundred entries. Keys and hashes stay, so the chain stays provable, and says which record was changed by whom.

interface JournalPruning {
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
  const reason = `written before ${before}`
  let pruned = 0
  for (let writes = 0; writes < WRITES_AT_ONCE; writes++) {
    const numbers = await nextOldEntries(task, Date.parse(before))
    if (numbers.length === 0) break
    pruned += await store.write(company.id, actor, (tx) => take(tx, numbers, pruneEntries, { reason, keepsKeys: true }))
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
