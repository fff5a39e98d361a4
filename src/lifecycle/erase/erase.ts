// Erases the personal values of a record: from the record, the search, stored responses and the change log. It is
// removed for good when nothing refers to it; otherwise its values are emptied and it is closed. One write does
// it all, so an interrupted erasure has erased nothing, or everything but files, which the next one deletes.
import { findPeriods } from '../../records/attribute-values/attribute-value-store.ts'
import { draftOf } from '../../records/customers/customer.ts'
import { updateCustomer } from '../../records/customers/customer-store.ts'
import { findDocument } from '../../records/documents/document/document-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { readEntries } from '../../store/journal/audit-store.ts'
import { eraseEntries, findEntries } from '../../store/journal/erasure/erase-entries.ts'
import { ERASE, type ErasureText } from '../../store/journal/erasure/erased-entry.ts'
import { renewDictionaries } from '../../store/journal/erasure/renew-dictionaries.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import { countErased, findChainHead } from '../../store/service-state/life-cycle-store.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { findHold } from '../holds.ts'
import { definitionOf, type RecordsAtWork } from '../records-at-work.ts'
import { findReferred } from '../references.ts'
import { deleteContents, deleteLeftContents, markContents } from '../removal/contents.ts'
import { type RecordName, valueBehind } from '../removal/record-name.ts'
import { removeRelationRows } from '../removal/removal-store.ts'
import { removeRecord } from '../removal/remove-record.ts'
import { customerExists, deleteResponses, ERASED_TEXT, emptyValues, eraseDeliveries } from './erase-store.ts'
import { type Mentions, mentionsOf, pathNames } from './mentions.ts'
import {
  digestOf,
  ENTITY_OF,
  journalRangesOf,
  keyOf,
  nameOf,
  type PersonalRecord,
  textsInResponses,
} from './subject.ts'

export interface EraseTask extends RecordsAtWork {
  readonly company: CompanyRules
  readonly subject: PersonalRecord
  /** For the change log: it stays. */
  readonly reason: string
}

export interface Erased {
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
  const { store, files, company, actor, subject } = task
  const { id: companyId } = company
  await deleteLeftContents(store, files, companyId, actor)
  const value = valueOfSubject(company, subject)
  const quoted = JSON.stringify(keyOf(subject).at(-1))
  await requireErasable(store.reading(companyId), task)
  await renewDictionaries(store, companyId, actor, ({ text }) => text.includes(quoted))
  const referredBy =
    value && (await findReferred(task, company, value.attributeId, [value.attributeValue])).get(value.attributeValue)
  const mentions = namesOf(company, subject)
  const reading = store.reading(companyId)
  const upTo = await findChainHead(reading)
  const mentioned = referredBy === undefined ? await findMentions(reading, mentions, 0, upTo) : []
  const { marked, entries } = await store.write(companyId, actor, async (tx) => {
    const records = await requireErasable(tx, task)
    const since = referredBy === undefined ? await findMentions(tx, mentions, upTo, Number.MAX_SAFE_INTEGER) : []
    const numbers = [...mentioned, ...since, ...(await ownEntries(tx, company, subject))]
    const contents = referredBy === undefined ? await removeAll(tx, company, records) : []
    if (referredBy !== undefined) await emptyRecord(tx, company, subject)
    const entryNos = new Set(numbers)
    await deleteResponses(tx, textsInResponses(subject), entryNos)
    eraseDeliveries(tx, numbers)
    const { count, ...erased } = await eraseEntries(tx, [...entryNos])
    await noteErasure(tx, task, erased, referredBy !== undefined)
    return { marked: await markContents(tx, contents), entries: count }
  })
  await deleteContents(files, companyId, marked)
  return { referredBy, entries }
}

function valueOfSubject(company: CompanyRules, subject: PersonalRecord) {
  return subject.kind === 'value' ? subject : valueBehind(company, subject)
}

/** The records of the subject. Throws when there is nothing of it, or when it must stay. */
async function requireErasable(tx: ReadTx, task: EraseTask): Promise<readonly RecordName[]> {
  const { company, subject } = task
  const records = await recordsOf(tx, company, subject)
  if (records.length === 0 && (await ownEntries(tx, company, subject)).length === 0) {
    throw new NotErased(`there is nothing of ${nameOf(subject)} in company ${company.id}`)
  }
  for (const record of records) {
    const hold = await findHold(tx, company, (kind) => definitionOf(task, company, kind), record)
    if (hold !== undefined) throw new NotErased(`${nameOf(subject)} is held by ${hold}: nothing was erased`)
  }
  return records
}

async function recordsOf(tx: ReadTx, company: CompanyRules, subject: PersonalRecord): Promise<RecordName[]> {
  switch (subject.kind) {
    case 'customer':
      return (await customerExists(tx, subject.customerId)) ? [subject] : []
    case 'document':
      return (await findDocument(tx, subject.documentId)) ? [subject] : []
    case 'value': {
      const { attributeId, attributeValue } = subject
      if (company.customers?.attributeId === attributeId && (await customerExists(tx, attributeValue))) {
        throw new NotErased(`${nameOf(subject)} is a customer: erase customer ${attributeValue}`)
      }
      const periods = await findPeriods(tx, attributeId, attributeValue)
      return periods.map(({ period_from }) => ({ ...subject, periodFrom: Number(period_from) }))
    }
  }
}

function namesOf(company: CompanyRules, subject: PersonalRecord): Mentions {
  const value = valueOfSubject(company, subject)
  if (value) return mentionsOf(company, value)
  const [key = ''] = keyOf(subject)
  return ({ entity, record_key }) => entity === 'access' && pathNames(record_key, key)
}

/** The numbers of entries between two that name the subject. */
async function findMentions(tx: ReadTx, mentions: Mentions, from: number, upTo: number): Promise<number[]> {
  const numbers: number[] = []
  for await (const page of readEntries((declared, values) => tx.all(declared, values), tx.companyId, from, upTo)) {
    for (const entry of page) if (mentions(entry)) numbers.push(entry.entry_no)
  }
  return numbers
}

async function ownEntries(tx: ReadTx, company: CompanyRules, subject: PersonalRecord): Promise<number[]> {
  const numbers: number[] = []
  for (const [entities, firstParts] of journalRangesOf(subject, valueOfSubject(company, subject))) {
    numbers.push(...(await findEntries(tx, entities, firstParts)))
  }
  return numbers
}

async function removeAll(tx: Tx, company: CompanyRules, records: readonly RecordName[]): Promise<string[]> {
  const contents: string[] = []
  for (const record of records) contents.push(...(await removeRecord(tx, company, record)).contents)
  return contents
}

/** Empties everything but the key, and closes the record. */
async function emptyRecord(tx: Tx, company: CompanyRules, subject: PersonalRecord): Promise<void> {
  const value = valueOfSubject(company, subject)
  if (!value) throw new Error('nothing refers to a document')
  emptyValues(tx, value.attributeId, value.attributeValue)
  removeRelationRows(tx, value.attributeId, value.attributeValue)
  if (subject.kind !== 'customer') return
  const { customerId } = subject
  const given = { customerId, customerName: ERASED_TEXT, payment: { status: 'Closed' } }
  await updateCustomer(tx, value.attributeId, draftOf(company, given))
}

async function noteErasure(
  tx: Tx,
  { company, subject, reason }: EraseTask,
  erased: Pick<ErasureText, 'entries' | 'digest'>,
  isKept: boolean,
): Promise<void> {
  const after: ErasureText = { ...erased, reason, record: digestOf(company, subject) }
  await writeEntry(tx, {
    entity: ENTITY_OF[subject.kind],
    key: isKept ? keyOf(subject) : [ERASED_TEXT],
    operation: ERASE,
    before: '',
    after: JSON.stringify(after),
  })
  countErased(tx)
}
