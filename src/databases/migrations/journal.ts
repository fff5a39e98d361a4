// The compressed layout of the change log: compressed texts, no text that another entry has, hashes as bytes. Existing
// entries are rewritten in the order of their numbers, in pages of bounded memory.
import { type Kysely, sql } from 'kysely'
import { changeColumn, changeIndex, type SchemaSql } from '../../sql/schema.ts'
import type { AuditEntryView } from '../../sql/service-tables.ts'
import { HASH_BYTES, linkTo } from '../../store/chain/audit-chain.ts'
import { bytesOf, KnownDictionary } from '../../store/chain/dictionaries.ts'
import { packEntry } from '../../store/chain/packed-entry.ts'
import { ENTRY_BYTES } from '../../store/journal/journal-rows.ts'
import { guardTenants } from './records.ts'

/** An entry may hold a body of 1 MiB, twice. */
const ENTRIES_AT_ONCE = 100
const TABLES = ['journal_origin', 'journal_dictionary', 'journal_entry']

export async function up(db: Kysely<unknown>, types: SchemaSql): Promise<void> {
  const { rowLevelSecurity: isGuarded } = types
  const run = (text: string) => sql.raw(text).execute(db)
  for (const statement of types.withoutTimeout) await run(statement)
  await run('drop index journal_entry_record')
  await run('alter table journal_entry rename to older_entry')
  if (isGuarded) {
    await run('alter table older_entry rename constraint journal_entry_pkey to older_entry_pkey')
    await run('alter table older_entry no force row level security')
  }
  for (const statement of newTables(types)) await run(statement)
  await moveAll(db)
  await run('drop table older_entry')
  await run('create index journal_entry_record on journal_entry (company_id, record_key)')
  if (isGuarded) await guardTenants(db, TABLES)
  for (const statement of types.journalView) await run(statement)
}

function newTables({ text, integer, bytes, tail, longRowsTail }: SchemaSql): string[] {
  return [
    `create table journal_origin (
      company_id ${text}, origin_no ${integer}, entity ${text}, operation ${text}, user_id ${text}, client_id ${text},
      primary key (company_id, origin_no), unique (company_id, entity, operation, user_id, client_id))${tail}`,
    `create table journal_dictionary (
      company_id ${text}, dictionary_no ${integer}, entity ${text}, made_at ${integer}, bytes ${bytes},
      primary key (company_id, dictionary_no))${longRowsTail}`,
    `create table journal_entry (
      company_id ${text}, entry_no ${integer}, origin_no ${integer}, record_key ${text}, at ${integer},
      request_id ${text}, dictionary_no ${integer}, before ${bytes}, after ${bytes}, hash ${bytes},
      primary key (company_id, entry_no))${longRowsTail}`,
  ]
}

async function moveAll(db: Kysely<unknown>): Promise<void> {
  const target = new Target(db)
  let last: Pick<AuditEntryView, 'company_id' | 'entry_no'> | undefined
  for (;;) {
    const entries = await readPageAfter(db, last)
    if (entries.length === 0) return
    await target.add(entries)
    last = entries.at(-1)
  }
}

async function readPageAfter(
  db: Kysely<unknown>,
  last: Pick<AuditEntryView, 'company_id' | 'entry_no'> | undefined,
): Promise<AuditEntryView[]> {
  return (db as Kysely<{ older_entry: AuditEntryView }>)
    .selectFrom('older_entry')
    .selectAll()
    .$if(last !== undefined, (query) =>
      query.where(sql<boolean>`(company_id, entry_no) > (${last?.company_id}, ${last?.entry_no})`),
    )
    .orderBy('company_id')
    .orderBy('entry_no')
    .limit(ENTRIES_AT_ONCE)
    .execute()
}

type Value = string | number | Uint8Array

/** Writes the new tables and tracks what they contain. */
class Target {
  readonly #db: Kysely<unknown>
  /** The company of the current entries; the following fields are of this company. */
  #company: string | undefined
  #origins = new Map<string, number>()
  #dictionaryNo = 0
  #dictionaries = new Map<string, KnownDictionary>()

  constructor(db: Kysely<unknown>) {
    this.#db = db
  }

  async add(entries: readonly AuditEntryView[]): Promise<void> {
    const rows: Value[][] = []
    for (const entry of entries) rows.push(await this.#rowOf(entry))
    await this.#insert('journal_entry', rows)
  }

  async #rowOf(entry: AuditEntryView): Promise<Value[]> {
    if (entry.company_id !== this.#company) {
      this.#company = entry.company_id
      this.#origins = new Map()
      this.#dictionaryNo = 0
      this.#dictionaries = new Map()
    }
    const originNo = await this.#originOf(entry)
    const dictionary = await this.#dictionaryFor(entry)
    const { at, before, after, hash } = packEntry(storable(entry), dictionary)
    const { company_id, entry_no, record_key, request_id } = entry
    const bytes = [before, after, hash].map((hex) => Buffer.from(hex, 'hex'))
    return [company_id, Number(entry_no), originNo, record_key, at, request_id, dictionary.no, ...bytes]
  }

  async #originOf({ company_id, entity, operation, user_id, client_id }: AuditEntryView): Promise<number> {
    const origin = [entity, operation, user_id, client_id]
    const key = JSON.stringify(origin)
    const known = this.#origins.get(key)
    if (known !== undefined) return known
    const no = this.#origins.size + 1
    this.#origins.set(key, no)
    await this.#insert('journal_origin', [[company_id, no, ...origin]])
    return no
  }

  async #dictionaryFor(entry: AuditEntryView): Promise<KnownDictionary> {
    const { company_id: companyId, entity, entry_no } = entry
    const madeAt = Number(entry_no)
    const text = entry.after || entry.before
    const known = this.#dictionaries.get(entity)
    const bytes = known ? known.next(madeAt, text) : bytesOf(text)
    if (!bytes) return known as KnownDictionary
    this.#dictionaryNo += 1
    const no = this.#dictionaryNo
    await this.#insert('journal_dictionary', [[companyId, no, entity, madeAt, bytes]])
    const made = new KnownDictionary({ no, madeAt, bytes })
    this.#dictionaries.set(entity, made)
    return made
  }

  async #insert(table: string, rows: readonly Value[][]): Promise<void> {
    const lists = rows.map((row) => sql`(${sql.join(row)})`)
    await sql`insert into ${sql.raw(table)} values ${sql.join(lists)}`.execute(this.#db)
  }
}

const HASH = new RegExp(`^[0-9a-f]{${2 * HASH_BYTES}}$`)
const NO_HASH = 'f'.repeat(2 * HASH_BYTES)

/** Replaces invalid values of a manipulated entry by ones that can be stored and match no hash. */
function storable(entry: AuditEntryView) {
  const isTime = !Number.isNaN(Date.parse(entry.at)) && new Date(entry.at).toISOString() === entry.at
  const hash = HASH.test(entry.hash) ? entry.hash : NO_HASH
  const previous = entry.previous_hash === '' || HASH.test(entry.previous_hash) ? entry.previous_hash : NO_HASH
  return { ...entry, entry_no: Number(entry.entry_no), at: isTime ? entry.at : '', hash, link: linkTo(previous) }
}

const COUNTED = ['journal_counter', 'journal_entry', 'journal_dictionary', 'document_revision']

/**
 * The permanently stored bytes of each company, counted as they are written, because summing them up would read
 * everything; and the index to find the dictionary of a record.
 */
export async function sizes(
  db: Kysely<unknown>,
  { integer, rowLevelSecurity, withoutTimeout }: SchemaSql,
): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  for (const statement of withoutTimeout) await run(statement)
  for (const name of ['journal_bytes', 'file_bytes'])
    await run(`alter table journal_counter add column ${name} ${integer}`)
  const guarded = rowLevelSecurity ? COUNTED : []
  for (const table of guarded) await run(`alter table ${table} no force row level security`)
  await run(`update journal_counter set
    journal_bytes = coalesce((select sum(length(e.before) + length(e.after) + length(e.record_key) + length(e.request_id) + ${ENTRY_BYTES})
      from journal_entry e where e.company_id = journal_counter.company_id), 0)
      + coalesce((select sum(length(d.bytes)) from journal_dictionary d where d.company_id = journal_counter.company_id), 0),
    file_bytes = coalesce((select sum(r.doc_size) from document_revision r where r.company_id = journal_counter.company_id), 0)`)
  await run('create index journal_dictionary_entity on journal_dictionary (company_id, entity, dictionary_no)')
  for (const table of guarded) await run(`alter table ${table} force row level security`)
}

/** What is purged and erased is counted, and dictionaries can be replaced. */
export async function lifeCycle(db: Kysely<unknown>, { text, integer }: SchemaSql): Promise<void> {
  const columns = [
    ...['purged_at', 'erased_at'].map((name) => `${name} ${text}`),
    ...['purged_count', 'erased_count', 'texts_from', 'dictionary_age'].map((name) => `${name} ${integer}`),
  ]
  for (const column of columns) await sql.raw(`alter table journal_counter add column ${column}`).execute(db)
}

const LEDGER = { name: 'ledger_transaction', key: ['transaction_number', 'sequence_number'] }

/**
 * The number of the journal entry that inserted a row, for tables whose entries stand for a batch of rows: the ledger
 * and the custom tables. Rows from before have 0. Changes up to the newest entry of such rows, or of an erasure, cannot
 * be told.
 */
export async function changes(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  for (const statement of schema.withoutTimeout) await run(statement)
  for (const table of [LEDGER, ...(await schema.customTables(db))]) {
    await run(changeColumn(table.name, schema))
    await run(changeIndex(table.name, table.key))
  }
  await run(`alter table journal_counter add column told_from ${schema.integer}`)
  const guarded = schema.rowLevelSecurity ? ['journal_counter', 'journal_entry', 'journal_origin'] : []
  for (const table of guarded) await run(`alter table ${table} no force row level security`)
  await run(TOLD_FROM)
  for (const table of guarded) await run(`alter table ${table} force row level security`)
}

/** Entries for batches of rows had such keys; ids of records with entries of their own may be alike. */
const TOLD_FROM = `update journal_counter set told_from = coalesce((
  select max(e.entry_no) from journal_entry e
    join journal_origin o on o.company_id = e.company_id and o.origin_no = e.origin_no
  where e.company_id = journal_counter.company_id
    and (o.operation = 'erase' and o.entity <> 'journal'
      or (e.record_key like '["import",%' or e.record_key = '["demo"]')
        and o.entity not in ('attribute-value', 'attribute-relation', 'customer', 'document', 'document-revision'))), 0)`
