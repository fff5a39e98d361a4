// Erases the personal values of a record: from the record, the search, stored responses and the change log. It is
// removed for good when nothing refers to it; otherwise its values are emptied and it is closed. One write does
// it all, so an interrupted erasure has erased nothing, or everything but files, which the next one deletes.
import { valueKind } from '../records/kinds/attribute-values.ts'
import { ENGINE_KINDS, removableKindOf } from '../records/kinds/engine-records.ts'
import { ERASED_TEXT } from '../records/kinds/removal-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { readEntries } from '../store/audit/audit-store.ts'
import { eraseEntries, findEntries } from '../store/audit/erase-entries.ts'
import { ERASE, type ErasureText } from '../store/audit/erased-entry.ts'
import { renewDictionaries } from '../store/audit/renew-dictionaries.ts'
import { writeEntry } from '../store/journal/journal.ts'
import { countErased, findChainHead } from '../store/service-state/life-cycle-store.ts'
import { requireLatestRules } from '../store/setup-version.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import { deleteContents, deleteLeftContents, markContents } from './contents.ts'
import { eraseInSettings } from './erase-settings-store.ts'
import { deleteBatchResults, deleteFindings, deleteProposals, deleteResponses, eraseDeliveries } from './erase-store.ts'
import { findHold } from './holds.ts'
import { type Mentions, membersNaming, mentionsOf, namedRecordOf } from './mentions.ts'
import { labelOf, printedName, type RecordName, valueBehind } from './record-name.ts'
import { definitionOf, type RecordsAtWork } from './records-at-work.ts'
import { findHolder, findRecordOfValue, findReferredRecords } from './referrers-store.ts'
import { digestOf, journalRangesOf, textsInResponses, valuesIn } from './subject.ts'

export interface EraseTask extends RecordsAtWork {
  readonly company: CompanyRules
  readonly subject: RecordName
  /** For the change log: it stays. */
  readonly reason: string
}

interface Erased {
  /** The Enterprise Document that refers to the record, which therefore stays, emptied; absent: it is gone. */
  readonly referredBy: string | undefined
  /** Erased entries of the change log. */
  readonly entries: number
}

/** Why nothing was erased. */
export class NotErased extends Error {
  override readonly name = 'NotErased'
}

export async function erase(task: EraseTask): Promise<Erased> {
  const { store, files, company, actor, setupVersion, subject, declaredRecords } = task
  const { id: companyId } = company
  await deleteLeftContents(store, files, companyId, actor)
  const named = namedRecordOf(company, subject)
  await requireErasable(store.reading(companyId), task)
  await renewDictionaries(store, companyId, actor, ({ text }) => text.includes(named.quoted))
  const referredSo = (await findReferredRecords(task, company, [subject])).get(subject)
  const mentions = mentionsOf(company, declaredRecords, named)
  const reading = store.reading(companyId)
  const upTo = await findChainHead(reading)
  const mentioned = referredSo === undefined ? await findMentions(reading, mentions, 0, upTo) : []
  const { marked, entries, referredBy } = await store.write(companyId, actor, async (tx) => {
    requireLatestRules(tx, setupVersion)
    const records = await requireErasable(tx, task)
    const referredBy = referredSo ?? (await findHolder(tx, task, company, subject))
    const since = referredBy === undefined ? await findMentions(tx, mentions, upTo, Number.MAX_SAFE_INTEGER) : []
    const others = referredBy === undefined ? [...mentioned, ...since] : []
    const numbers = [...others, ...(await ownEntries(tx, company, subject))]
    const contents = referredBy === undefined ? await removeAll(tx, company, records) : []
    if (referredBy !== undefined) await subject.kind.empty(tx, company, subject.key)
    const entryNos = new Set(numbers)
    const members = membersNaming(declaredRecords.values(), named)
    await deleteResponses(tx, textsInResponses(company, subject, members), entryNos)
    deleteBatchResults(tx, valuesIn(subject))
    deleteFindings(tx, valuesIn(subject))
    deleteProposals(tx)
    await eraseInSettings(tx, company, subject)
    eraseDeliveries(tx, numbers)
    const { count, ...erased } = await eraseEntries(tx, [...entryNos])
    noteErasure(tx, task, erased, referredBy !== undefined)
    return { marked: await markContents(tx, contents), entries: count, referredBy }
  })
  await deleteContents(files, companyId, marked)
  return { referredBy, entries }
}

/** The records of the subject. Throws when there is nothing of it, or when it must stay. */
async function requireErasable(tx: ReadTx, task: EraseTask): Promise<readonly RecordName[]> {
  const { company, subject } = task
  const records = await recordsOf(tx, task)
  if (records.length === 0 && (await ownEntries(tx, company, subject)).length === 0) {
    throw new NotErased(`there is nothing of ${printedName(subject)} in company ${company.id}`)
  }
  for (const record of records) {
    const hold = await findHold(tx, company, (kind) => definitionOf(task, company, kind), record)
    if (hold !== undefined) throw new NotErased(`${printedName(subject)} is held by ${hold}: nothing was erased`)
  }
  return records
}

async function recordsOf(tx: ReadTx, { company, subject, declaredRecords }: EraseTask): Promise<RecordName[]> {
  const { kind, key } = subject
  const value = kind === valueKind ? valueBehind(company, subject) : undefined
  const kinds = [...ENGINE_KINDS, ...declaredRecords.values().map(removableKindOf)]
  const record = value && (await findRecordOfValue(tx, company, kinds, value))
  if (record) {
    const what = record.kind.own ? 'a record of the setup' : `a ${record.kind.word}`
    throw new NotErased(`${printedName(subject)} is ${what}: erase ${labelOf(record)}`)
  }
  if (kind.keysOf) return (await kind.keysOf(tx, key)).map((one) => ({ kind, key: one }))
  return (await kind.find(tx, company, key.stored)).text === '' ? [] : [subject]
}

/** The numbers of entries between two that name the subject. */
async function findMentions(tx: ReadTx, mentions: Mentions, from: number, upTo: number): Promise<number[]> {
  const numbers: number[] = []
  for await (const page of readEntries((declared, values) => tx.all(declared, values), tx.companyId, from, upTo)) {
    for (const entry of page) if (mentions(entry)) numbers.push(entry.entry_no)
  }
  return numbers
}

async function ownEntries(tx: ReadTx, company: CompanyRules, subject: RecordName): Promise<number[]> {
  const numbers: number[] = []
  for (const [entities, firstParts] of journalRangesOf(company, subject)) {
    numbers.push(...(await findEntries(tx, entities, firstParts)))
  }
  return numbers
}

async function removeAll(tx: Tx, company: CompanyRules, records: readonly RecordName[]): Promise<string[]> {
  const contents: string[] = []
  for (const record of records) contents.push(...(await record.kind.remove(tx, company, record.key)).contents)
  return contents
}

function noteErasure(
  tx: Tx,
  { company, subject, reason }: EraseTask,
  erased: Pick<ErasureText, 'entries' | 'digest'>,
  isKept: boolean,
): void {
  const after: ErasureText = { ...erased, reason, record: digestOf(company, subject) }
  writeEntry(tx, {
    entity: subject.kind.journalEntity,
    key: isKept ? subject.key.stored : [ERASED_TEXT],
    operation: ERASE,
    before: '',
    after: JSON.stringify(after),
  })
  countErased(tx)
}
