// Writes entries of the change log in their stored form. The rows that an entry refers to are usually cached; otherwise
// they are read, or created in the same transaction, which has locked the company.

import { sql } from 'kysely'
import { memo } from '../../base/memo.ts'
import type { JournalDictionaryTable } from '../../sql/service-tables.ts'
import { statement, whereEqual } from '../../sql/statement.ts'
import type { LinkedEntry, NewEntries } from '../chain/audit-chain.ts'
import { bytesOf, KnownDictionary, type StoredDictionary } from '../chain/dictionaries.ts'
import { DAMAGED, type PackedMembers, packEntry, unpackText } from '../chain/packed-entry.ts'
import type { ReadTx, Tx } from '../store.ts'

type NewRow = PackedMembers & {
  companyId: string
  entryNo: number
  originNo: number
  recordKey: string
  requestId: string
  dictionaryNo: number
}

const insertRow = statement<NewRow>(
  'insert_journal_entry',
  (_db, p) => sql`
    insert into journal_entry (company_id, entry_no, origin_no, record_key, at, request_id, dictionary_no, before, after, hash)
    values (${p('companyId')}, ${p('entryNo')}, ${p('originNo')}, ${p('recordKey')}, ${p('at')}, ${p('requestId')},
      ${p('dictionaryNo')}, ${p('before')}, ${p('after')}, ${p('hash')})`,
)

/** The size of an entry without its texts, in bytes: numbers, time and hash. */
const ENTRY_BYTES = 72

/**
 * Writes an entry in the transaction that has locked its company. Returns its size in bytes: without a promise where
 * the rows that it refers to are cached, as for most entries of a write of many records.
 */
export function insertEntry(tx: Tx, entry: LinkedEntry): number | Promise<number> {
  const { memory } = tx.entries
  const { originKey, key } = keysOf(tx, entry)
  const originNo = memory.origin(originKey)
  const known = isLongChange(entry) ? undefined : memory.dictionary(key)
  if (originNo === undefined || !known) return insertWithRows(tx, entry, originKey, key)
  const due = nextOf(known, entry)
  if (due) return makeKindDictionary(tx, entry, key, due).then((packed) => sendEntry(tx, entry, originNo, packed))
  return sendEntry(tx, entry, originNo, packedWith(entry, known))
}

interface EntryKeys extends Pick<LinkedEntry, 'company_id' | 'operation' | 'user_id' | 'client_id'> {
  readonly dictionaryAge: number
  readonly originKey: string
  /** Names the dictionary. */
  readonly key: string
}

/** The keys of the last entries, by their kinds of records: most have the keys of one before. */
const lastKeys = memo((_memory: NewEntries['memory']) => new Map<string, EntryKeys>())

/** The keys of the rows that an entry refers to. */
function keysOf({ companyId, entries }: Tx, { entity, operation, user_id, client_id }: LinkedEntry): EntryKeys {
  const { dictionaryAge, memory } = entries
  const last = lastKeys(memory).get(entity)
  const isByLast = last?.operation === operation && last.user_id === user_id && last.client_id === client_id
  const isOfLast = isByLast && last.company_id === companyId
  if (last && isOfLast && last.dictionaryAge === dictionaryAge) return last
  const originKey = JSON.stringify([companyId, entity, operation, user_id, client_id])
  const key = JSON.stringify([companyId, entity, dictionaryAge])
  const keys = { company_id: companyId, operation, user_id, client_id, dictionaryAge, originKey, key }
  lastKeys(memory).set(entity, keys)
  return keys
}

/** As `insertEntry`, with rows that are read or created first. */
async function insertWithRows(tx: Tx, entry: LinkedEntry, originKey: string, key: string): Promise<number> {
  const originNo = tx.entries.memory.origin(originKey) ?? (await findOrigin(tx, originKey, entry))
  const packed = isLongChange(entry)
    ? await packWithRecordDictionary(tx, entry)
    : await packWithKindDictionary(tx, entry, key)
  return sendEntry(tx, entry, originNo, packed)
}

function sendEntry(tx: Tx, entry: LinkedEntry, originNo: number, { packed, dictionaryNo, madeBytes }: Packed): number {
  tx.send(insertRow, {
    ...packed,
    companyId: tx.companyId,
    entryNo: entry.entry_no,
    originNo,
    recordKey: entry.record_key,
    requestId: entry.request_id,
    dictionaryNo,
  })
  const texts = packed.before.length + packed.after.length + madeBytes
  return texts + entry.record_key.length + entry.request_id.length + ENTRY_BYTES
}

interface Packed {
  readonly packed: PackedMembers
  readonly dictionaryNo: number
  /** The size of a dictionary created for the entry. */
  readonly madeBytes: number
}

function packedWith(entry: LinkedEntry, known: KnownDictionary, madeBytes = 0): Packed {
  return { packed: packEntry(entry, known), dictionaryNo: known.no, madeBytes }
}

/** Compresses an entry with the dictionary of its kind of record. */
async function packWithKindDictionary(tx: Tx, entry: LinkedEntry, key: string): Promise<Packed> {
  const known = tx.entries.memory.dictionary(key) ?? (await readDictionary(tx, key, entry.entity))
  const due = known ? nextOf(known, entry) : bytesOf(entry.after || entry.before)
  return due ? makeKindDictionary(tx, entry, key, due) : packedWith(entry, known as KnownDictionary)
}

function nextOf(known: KnownDictionary, { entry_no, after, before }: LinkedEntry): Uint8Array | undefined {
  return known.next(entry_no, after || before)
}

async function makeKindDictionary(tx: Tx, entry: LinkedEntry, key: string, bytes: Uint8Array): Promise<Packed> {
  const made = await makeDictionary(tx, entry.entity, entry.entry_no, bytes)
  return packedWith(entry, tx.entries.memory.addDictionary(key, made), bytes.length)
}

/**
 * In characters. A longer record gets a dictionary of its own when it is changed, so that each change takes only the
 * space of its differences.
 */
const LONG_RECORD = 16 * 1024

function isLongChange({ before, after }: LinkedEntry): boolean {
  return before.length >= LONG_RECORD && after.length >= LONG_RECORD
}

/** Compresses with an earlier state of the record, until most of it has changed. This dictionary is not cached. */
async function packWithRecordDictionary(tx: Tx, entry: LinkedEntry): Promise<Packed> {
  const kind = `${entry.entity} ${entry.record_key}`
  const row = await tx.first(newestDictionary, { companyId: tx.companyId, entity: kind })
  if (row) {
    const packed = packEntry(entry, new KnownDictionary(toStoredDictionary(row)))
    if (2 * packed.after.length < entry.after.length) return { packed, dictionaryNo: row.dictionary_no, madeBytes: 0 }
  }
  const bytes = Buffer.from(entry.after)
  const made = await makeDictionary(tx, kind, entry.entry_no, bytes)
  return { packed: packEntry(entry, new KnownDictionary(made)), dictionaryNo: made.no, madeBytes: bytes.length }
}

const packedAfter = statement<{ companyId: string; entryNo: number }, { after: Uint8Array; bytes: Uint8Array }>(
  'find_entry_after',
  (db, p) =>
    db
      .selectFrom('journal_entry')
      .innerJoin('journal_dictionary', (join) =>
        join
          .on('journal_dictionary.company_id', '=', p('companyId'))
          .onRef('journal_dictionary.dictionary_no', '=', 'journal_entry.dictionary_no'),
      )
      .select(['journal_entry.after', 'journal_dictionary.bytes'])
      .where('journal_entry.company_id', '=', p('companyId'))
      .where('journal_entry.entry_no', '=', p('entryNo')),
)

/** The record after a journal entry; undefined when there is no such entry or it is damaged. */
export async function findAfter(tx: ReadTx, entryNo: number): Promise<string | undefined> {
  const row = await tx.first(packedAfter, { companyId: tx.companyId, entryNo })
  const text = row && unpackText(row.after, row.bytes)
  return text === DAMAGED ? undefined : text
}

type Origin = { companyId: string; entity: string; operation: string; userId: string; clientId: string }

const originNumber = statement<Origin, { origin_no: number }>('find_journal_origin', (db, p) =>
  db
    .selectFrom('journal_origin')
    .select('origin_no')
    .$call(whereEqual(p, 'companyId', 'entity'))
    .where('operation', '=', sql<never>`${p('operation')}`)
    .$call(whereEqual(p, 'userId', 'clientId')),
)

const insertOrigin = statement<Origin, { origin_no: number }>(
  'insert_journal_origin',
  (_db, p) => sql`
    insert into journal_origin (company_id, origin_no, entity, operation, user_id, client_id)
    select ${p('companyId')}, coalesce(max(origin_no), 0) + 1, ${p('entity')}, ${p('operation')}, ${p('userId')}, ${p('clientId')}
    from journal_origin where company_id = ${p('companyId')}
    returning origin_no`,
)

async function findOrigin(tx: Tx, key: string, entry: LinkedEntry): Promise<number> {
  const { entity, operation, user_id: userId, client_id: clientId } = entry
  const origin = { companyId: tx.companyId, entity, operation, userId, clientId }
  const row = (await tx.first(originNumber, origin)) ?? (await tx.first(insertOrigin, origin))
  if (!row) throw new Error('an origin of the journal was not written')
  return tx.entries.memory.addOrigin(key, row.origin_no)
}

type DictionaryRow = Pick<JournalDictionaryTable, 'dictionary_no' | 'made_at' | 'bytes'>

const newestDictionary = statement<{ companyId: string; entity: string }, DictionaryRow>(
  'find_newest_dictionary',
  (db, p) =>
    db
      .selectFrom('journal_dictionary')
      .select(['dictionary_no', 'made_at', 'bytes'])
      .$call(whereEqual(p, 'companyId', 'entity'))
      .orderBy('dictionary_no', 'desc')
      .limit(sql.lit(1)),
)

async function readDictionary(tx: Tx, key: string, entity: string): Promise<KnownDictionary | undefined> {
  const row = await tx.first(newestDictionary, { companyId: tx.companyId, entity })
  if (!row) return undefined
  return tx.entries.memory.addDictionary(key, toStoredDictionary(row))
}

function toStoredDictionary({ dictionary_no: no, made_at: madeAt, bytes }: DictionaryRow): StoredDictionary {
  return { no, madeAt, bytes }
}

type NewDictionary = { companyId: string; entity: string; madeAt: number; bytes: Uint8Array }

const insertDictionary = statement<NewDictionary, { dictionary_no: number }>(
  'insert_journal_dictionary',
  (_db, p) => sql`
    insert into journal_dictionary (company_id, dictionary_no, entity, made_at, bytes)
    select ${p('companyId')}, coalesce(max(dictionary_no), 0) + 1, ${p('entity')}, cast(${p('madeAt')} as bigint), ${p('bytes')}
    from journal_dictionary where company_id = ${p('companyId')}
    returning dictionary_no`,
)

export async function makeDictionary(
  tx: Tx,
  entity: string,
  madeAt: number,
  bytes: Uint8Array,
): Promise<StoredDictionary> {
  const row = await tx.first(insertDictionary, { companyId: tx.companyId, entity, madeAt, bytes })
  if (!row) throw new Error('a dictionary of the journal was not written')
  return { no: row.dictionary_no, madeAt, bytes }
}
