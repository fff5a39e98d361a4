// Writes entries of the change log as they are stored. What an entry refers to is mostly known; otherwise it is read, or
// made in the same transaction, which has locked the company.
import { type RawBuilder, sql } from 'kysely'
import type { LinkedEntry } from './audit-chain.ts'
import { bytesOf, type KnownDictionary } from './dictionaries.ts'
import type { Engine } from './engine.ts'
import { type PackedMembers, packEntry } from './packed-entry.ts'
import { statement } from './statement.ts'
import type { Tx } from './store.ts'

type NewRow = PackedMembers & {
  companyId: string
  entryNo: number
  originNo: number
  recordKey: string
  requestId: string
  dictionaryNo: number
}

/** The bytes that a parameter holds in hexadecimal. */
function bytesFrom(parameter: RawBuilder<never>, { name }: Engine): RawBuilder<unknown> {
  return name === 'sqlite' ? sql`unhex(${parameter})` : sql`decode(${parameter}, 'hex')`
}

const insertRow = statement<NewRow>(
  'insert_journal_entry',
  (_db, p, engine) => sql`
    insert into journal_entry (company_id, entry_no, origin_no, record_key, at, request_id, dictionary_no, before, after, hash)
    values (${p('companyId')}, ${p('entryNo')}, ${p('originNo')}, ${p('recordKey')}, ${p('at')}, ${p('requestId')},
      ${p('dictionaryNo')}, ${bytesFrom(p('before'), engine)}, ${bytesFrom(p('after'), engine)},
      ${bytesFrom(p('hash'), engine)})`,
)

/** Writes an entry in the transaction that has locked its company. */
export async function insertEntry(tx: Tx, entry: LinkedEntry): Promise<void> {
  const origin = [entry.entity, entry.operation, entry.user_id, entry.client_id] as const
  const originKey = JSON.stringify([tx.companyId, ...origin])
  const originNo = tx.entries.memory.origin(originKey) ?? (await findOrigin(tx, originKey, origin))
  const dictionaryKey = JSON.stringify([tx.companyId, entry.entity])
  const dictionary =
    tx.entries.memory.dictionary(dictionaryKey) ?? (await readDictionary(tx, dictionaryKey, entry.entity))
  const text = entry.after || entry.before
  const due = dictionary ? dictionary.next(entry.entry_no, text) : bytesOf(text)
  const taken = due ? await makeDictionary(tx, dictionaryKey, entry, due) : (dictionary as KnownDictionary)
  tx.send(insertRow, {
    ...packEntry(entry, taken),
    companyId: tx.companyId,
    entryNo: entry.entry_no,
    originNo,
    recordKey: entry.record_key,
    requestId: entry.request_id,
    dictionaryNo: taken.no,
  })
}

type Origin = { companyId: string; entity: string; operation: string; userId: string; clientId: string }

const originNumber = statement<Origin, { origin_no: number }>('find_journal_origin', (db, p) =>
  db
    .selectFrom('journal_origin')
    .select('origin_no')
    .where('company_id', '=', p('companyId'))
    .where('entity', '=', p('entity'))
    .where('operation', '=', sql<never>`${p('operation')}`)
    .where('user_id', '=', p('userId'))
    .where('client_id', '=', p('clientId')),
)

const insertOrigin = statement<Origin, { origin_no: number }>(
  'insert_journal_origin',
  (_db, p) => sql`
    insert into journal_origin (company_id, origin_no, entity, operation, user_id, client_id)
    select ${p('companyId')}, coalesce(max(origin_no), 0) + 1, ${p('entity')}, ${p('operation')}, ${p('userId')}, ${p('clientId')}
    from journal_origin where company_id = ${p('companyId')}
    returning origin_no`,
)

async function findOrigin(tx: Tx, key: string, parts: readonly [string, string, string, string]): Promise<number> {
  const [entity, operation, userId, clientId] = parts
  const origin = { companyId: tx.companyId, entity, operation, userId, clientId }
  const row = (await tx.first(originNumber, origin)) ?? (await tx.first(insertOrigin, origin))
  if (!row) throw new Error('an origin of the journal was not written')
  return tx.entries.memory.addOrigin(key, row.origin_no)
}

const newestDictionary = statement<
  { companyId: string; entity: string },
  { dictionary_no: number; made_at: number; bytes: Uint8Array }
>('find_newest_dictionary', (db, p) =>
  db
    .selectFrom('journal_dictionary')
    .select(['dictionary_no', 'made_at', 'bytes'])
    .where('company_id', '=', p('companyId'))
    .where('entity', '=', p('entity'))
    .orderBy('dictionary_no', 'desc')
    .limit(sql.lit(1)),
)

async function readDictionary(tx: Tx, key: string, entity: string): Promise<KnownDictionary | undefined> {
  const row = await tx.first(newestDictionary, { companyId: tx.companyId, entity })
  if (!row) return undefined
  const { dictionary_no: no, made_at: madeAt, bytes } = row
  return tx.entries.memory.addDictionary(key, { no, madeAt, bytes })
}

type NewDictionary = { companyId: string; entity: string; madeAt: number; bytes: string }

const insertDictionary = statement<NewDictionary, { dictionary_no: number }>(
  'insert_journal_dictionary',
  (_db, p, engine) => sql`
    insert into journal_dictionary (company_id, dictionary_no, entity, made_at, bytes)
    select ${p('companyId')}, coalesce(max(dictionary_no), 0) + 1, ${p('entity')}, cast(${p('madeAt')} as bigint),
      ${bytesFrom(p('bytes'), engine)}
    from journal_dictionary where company_id = ${p('companyId')}
    returning dictionary_no`,
)

async function makeDictionary(tx: Tx, key: string, entry: LinkedEntry, bytes: Uint8Array): Promise<KnownDictionary> {
  const { entity, entry_no: madeAt } = entry
  const hex = Buffer.from(bytes).toString('hex')
  const row = await tx.first(insertDictionary, { companyId: tx.companyId, entity, madeAt, bytes: hex })
  if (!row) throw new Error('a dictionary of the journal was not written')
  return tx.entries.memory.addDictionary(key, { no: row.dictionary_no, madeAt, bytes })
}
