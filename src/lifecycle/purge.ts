// Removes for good what is expired, deleted or closed for long, in writes of a few records each, so that others go on
// in between. An interrupted purge has removed whole records, and the next one goes on with the rest.
import type { RemovableKind } from '../records/kinds/kind.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { writeEntry } from '../store/journal/journal.ts'
import { countPurged } from '../store/service-state/life-cycle-store.ts'
import { requireLatestRules } from '../store/setup-version.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import { deleteContents, deleteLeftContents, markContents } from './contents.ts'
import type { Criterion } from './criteria.ts'
import { findHold, meets } from './holds.ts'
import { isAfter, keyFilterOf, type RecordName, recordOf } from './record-name.ts'
import { definitionOf, type RecordsAtWork } from './records-at-work.ts'
import { rowsOf } from './references.ts'
import { findHolder, findReferredRecords } from './referrers-store.ts'

/** What becomes of a record that a criterion finds. */
export type Fate = 'removed' | 'held' | 'in use' | 'changed meanwhile'

export interface Judged {
  readonly target: RecordName
  readonly fate: Fate
  /** The hold, or the document that refers to it, or the criterion. */
  readonly why: string
}

interface PurgeTask extends RecordsAtWork {
  readonly company: CompanyRules
  readonly criteria: readonly Criterion[]
  /** Looks and writes nothing. */
  readonly isDryRun: boolean
  report(judged: Judged): void
}

/** Records of one write: it locks the company no longer than an ordinary one. */
const RECORDS_AT_ONCE = 50

export async function purge(task: PurgeTask): Promise<void> {
  const { store, files, company, actor, isDryRun } = task
  if (!isDryRun) await deleteLeftContents(store, files, company.id, actor)
  for (const criterion of task.criteria) {
    for (let last: RecordName | undefined; ; ) {
      const targets = await nextTargets(task, criterion, last)
      if (targets.length === 0) break
      await purgeSome(task, criterion, targets)
      last = targets.at(-1)
    }
  }
}

async function nextTargets(
  task: PurgeTask,
  { kind, filter }: Criterion,
  last: RecordName | undefined,
): Promise<RecordName[]> {
  const definition = definitionOf(task, task.company, kind)
  const select = kind.keyNames.join(',')
  const beyond = last === undefined ? '' : ` and ${isAfter(last)}`
  const options = { filter: `${filter}${beyond}`, select, orderBy: undefined, offset: 0, limit: RECORDS_AT_ONCE }
  return (await rowsOf(task.store, task.company, definition, options)).map((row) => recordOf(kind, row))
}

async function purgeSome(task: PurgeTask, criterion: Criterion, targets: readonly RecordName[]): Promise<void> {
  const { store, files, company, actor, setupVersion, isDryRun, report } = task
  // A closed value gets no new reference, and one that was opened meanwhile no longer meets its criterion: so what is
  // found before the write still holds in it.
  const referred = await findReferredRecords(task, task.company, targets)
  if (isDryRun) {
    for (const target of targets) report(await judge(store.reading(company.id), task, criterion, target, referred))
    return
  }
  const { judged, marked } = await store.write(company.id, actor, async (tx) => {
    requireLatestRules(tx, setupVersion)
    const all: Judged[] = []
    for (const target of targets) all.push(await judge(tx, task, criterion, target, referred))
    const removed = all.filter(({ fate }) => fate === 'removed').map(({ target }) => target)
    return { judged: all, marked: await removeAll(tx, company, removed) }
  })
  await deleteContents(files, company.id, marked)
  for (const one of judged) report(one)
}

async function judge(
  tx: ReadTx,
  task: PurgeTask,
  { kind, filter, why }: Criterion,
  target: RecordName,
  referred: ReadonlyMap<RecordName, string>,
): Promise<Judged> {
  const { company } = task
  const of = (wanted: RemovableKind) => definitionOf(task, company, wanted)
  if (!(await meets(tx, of(kind), filter, keyFilterOf(target)))) return { target, fate: 'changed meanwhile', why }
  const hold = await findHold(tx, company, of, target)
  if (hold !== undefined) return { target, fate: 'held', why: hold }
  const by = referred.get(target) ?? (await findHolder(tx, task, company, target))
  return by === undefined ? { target, fate: 'removed', why } : { target, fate: 'in use', why: by }
}

/** The hold that keeps a record, or the document that refers to it by its key; undefined where it may go. */
export async function findKeeper(
  tx: ReadTx,
  work: RecordsAtWork,
  company: CompanyRules,
  target: RecordName,
): Promise<string | undefined> {
  const hold = await findHold(tx, company, (wanted) => definitionOf(work, company, wanted), target)
  return hold ?? findHolder(tx, work, company, target)
}

/** Returns the contents that nothing refers to any more. */
export async function removeAll(first: Tx, company: CompanyRules, targets: readonly RecordName[]): Promise<string[]> {
  const contents: string[] = []
  let tx: Tx | undefined
  for (const target of targets) {
    const removed = await target.kind.remove(first, company, target.key)
    contents.push(...removed.contents)
    for (const record of removed.records) {
      tx = tx === undefined ? first : first.nextEntry()
      writeEntry(tx, { ...record, operation: 'delete', before: '', after: '' })
    }
  }
  if (targets.length > 0) countPurged(first, targets.length)
  return markContents(first, contents)
}
