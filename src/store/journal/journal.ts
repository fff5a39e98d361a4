// The change log: one entry for every record that a write changes, in the same transaction. Within a company numbers
// grow in commit order, because a write takes its number by locking the company's counter first. In this order each
// entry has the hash of the previous one (audit-chain.ts).
import { sql } from 'kysely'
import { andThen, inTurn } from '../../base/in-turn.ts'
import type { AuditEntryView, JournalCounterTable } from '../../sql/service-tables.ts'
import { ENTRY_OF_KEY, journalFor, statement, whereEqual } from '../../sql/statement.ts'
import { type ChainHead, START } from '../chain/audit-chain.ts'
import { DAMAGED } from '../chain/packed-entry.ts'
import type { ReadTx, Tx } from '../store.ts'
import { insertEntry } from './journal-rows.ts'

export interface LoggedChange {
  readonly entity: string
  /** The parts of the record's key below the company. */
  readonly key: readonly (string | number)[]
  readonly operation: AuditEntryView['operation']
  /** The record as JSON text; empty when there is none. */
  readonly before: string
  readonly after: string
}

type CounterRow = Pick<
  JournalCounterTable,
  'last_entry' | 'head_no' | 'head_hash' | 'entry_count' | 'journal_bytes' | 'dictionary_age'
>

/**
 * Takes the next entry number of a company and reads the end of its chain. This locks the company for other writes
 * until the commit.
 */
export const takeNumber = statement<{ companyId: string }, CounterRow>('take_entry_number', (db, p) =>
  db
    .updateTable('journal_counter')
    .set((eb) => ({ last_entry: eb('last_entry', '+', sql.lit(1)) }))
    .where('company_id', '=', p('companyId'))
    .returning(['last_entry', 'head_no', 'head_hash', 'entry_count', 'journal_bytes', 'dictionary_age']),
)

export function requireCounter(row: CounterRow | undefined, companyId: string): CounterRow {
  if (!row) throw new Error(`company ${companyId} has no journal counter`)
  return row
}

export function headOf({ head_no, head_hash, entry_count }: CounterRow): ChainHead {
  return { entryNo: head_no, hash: head_hash, count: entry_count }
}

/** For a store with a single writer. */
export const readCounter = statement<{ companyId: string }, CounterRow>('read_entry_counter', (db, p) =>
  db
    .selectFrom('journal_counter')
    .select(['last_entry', 'head_no', 'head_hash', 'entry_count', 'journal_bytes', 'dictionary_age'])
    .where('company_id', '=', p('companyId')),
)

export const writeCounter = statement<
  {
    companyId: string
    lastEntry: number
    journalBytes: number
    dictionaryAge: number
    entryNo: number
    hash: string
    count: number
  },
  never
>('write_entry_counter', (db, p) =>
  db
    .updateTable('journal_counter')
    .set({
      last_entry: p('lastEntry'),
      head_no: p('entryNo'),
      head_hash: p('hash'),
      entry_count: p('count'),
      journal_bytes: p('journalBytes'),
      dictionary_age: p('dictionaryAge'),
    })
    .where('company_id', '=', p('companyId')),
)

export const startCounter = statement<{ companyId: string }>('start_entry_counter', (db, p) =>
  db
    .insertInto('journal_counter')
    .values({
      company_id: p('companyId'),
      last_entry: sql.lit(0),
      head_no: sql.lit(0),
      head_hash: sql.lit(START),
      entry_count: sql.lit(0),
      journal_bytes: sql.lit(0),
      file_bytes: sql.lit(0),
      purged_at: sql.lit(''),
      purged_count: sql.lit(0),
      erased_at: sql.lit(''),
      erased_count: sql.lit(0),
      texts_from: sql.lit(0),
      told_from: sql.lit(0),
      dictionary_age: sql.lit(0),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Adds an entry to the journal with the number that the transaction has taken for it. It is stored when the write ends.
 */
export function writeEntry(tx: Tx, change: LoggedChange, by: Pick<Tx, 'actor' | 'at'> = tx): void {
  tx.entries.add({
    company_id: tx.companyId,
    entry_no: tx.entryNo,
    entity: change.entity,
    record_key: recordKey(change.key),
    operation: change.operation,
    user_id: by.actor.userId,
    client_id: by.actor.clientId,
    at: by.at,
    request_id: by.actor.requestId,
    before: change.before,
    after: change.after,
  })
}

/**
 * Chains and stores the entries that a write has added. A write of many records does so periodically; numbers taken but
 * not used yet must be higher.
 */
export function writeEntries(tx: Tx): Promise<void> | undefined {
  if (tx.handOver) return tx.handOver()
  const added = tx.entries.chain()
  if (!added) return undefined
  const count = (bytes: number): undefined => {
    tx.entries.journalBytes += bytes
  }
  const stored = inTurn(added.entries, (entry) => andThen(insertEntry(tx, entry), count))
  return andThen(stored, (): undefined => {
    tx.moveHead(added.head)
  })
}

/** Runs a write, then stores its journal entries. */
export async function withJournal<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await work(tx)
  tx.entries.end()
  const stored = writeEntries(tx)
  if (stored) await stored
  return result
}

/** As `withJournal`, across several companies: the entries of one are stored before the next is started. */
export async function withJournals<T>(
  start: (companyId: string) => Promise<Tx>,
  work: (startIn: (companyId: string) => Promise<Tx>) => Promise<T>,
): Promise<T> {
  let current: Tx | undefined
  const end = async () => {
    current?.entries.end()
    if (current) await writeEntries(current)
    current = undefined
  }
  const result = await work(async (companyId) => {
    await end()
    current = await start(companyId)
    return current
  })
  await end()
  return result
}

export function recordKey(parts: readonly (string | number)[]): string {
  return JSON.stringify(parts)
}

type AuditEntry = Pick<AuditEntryView, 'entry_no' | 'user_id' | 'at' | 'before' | 'after'>

const entriesFrom = statement<
  { companyId: string; entity: string; from: string; below: string; entryNo: number },
  AuditEntry
>('journal_entries_from', (db, p, dialect) =>
  db
    .selectFrom(journalFor(p, dialect))
    .select(['entry_no', 'user_id', 'at', 'before', 'after'])
    .$call(whereEqual(p, 'companyId', 'entity'))
    .where('record_key', '>=', p('from'))
    .where('record_key', '<', p('below'))
    .where(ENTRY_OF_KEY, '>=', p('entryNo'))
    .orderBy(ENTRY_OF_KEY)
    .limit(sql.lit(21)),
)

/** The records whose keys start with these parts. */
export interface KeyRange {
  readonly entity: string
  readonly firstParts: readonly (string | number)[]
}

/**
 * Describes who changed which members of a record after an entry, from the first of its ranges with a change; at most
 * twenty changes. Empty if the entry is none of the record's.
 */
export async function describeChangesSince(
  tx: ReadTx,
  ranges: readonly KeyRange[],
  entryNo: number,
): Promise<readonly string[]> {
  let isState = false
  let changes: readonly string[] = []
  for (const { entity, firstParts } of ranges) {
    // A complete key ends with a bracket; a longer one continues with a comma, which is the smaller character.
    const from = recordKey(firstParts).slice(0, -1)
    const values = { companyId: tx.companyId, entity, from: `${from},`, below: `${from}^`, entryNo }
    const entries = await tx.all(entriesFrom, values)
    const later = entries.filter((entry) => entry.entry_no > entryNo)
    if (later.length < entries.length) isState = true
    if (changes.length === 0) changes = later.map(described)
  }
  return isState ? changes : []
}

function described({ user_id, before, after, at }: Omit<AuditEntry, 'entry_no'>): string {
  return `${user_id} changed ${changedMembers(before, after).join(', ') || 'it'} at ${at}`
}

/** The position of a relation among those of its value: no member of the record. */
const POSITION = 'createdNo'
/** The journal has the hash of a content, which callers know as the content. */
const NAMES: Readonly<Record<string, string>> = { fileHash: 'fileContent' }

/** The top-level members whose values differ between two records. */
function changedMembers(before: string, after: string): string[] {
  const [old, now] = [before, after].map(membersOf)
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])
  return [...names]
    .filter((name) => name !== POSITION && JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
    .map((name) => NAMES[name] ?? name)
}

function membersOf(text: string): Record<string, unknown> {
  return text === '' || text === DAMAGED ? {} : JSON.parse(text)
}

/** The first part of the key of such an entry. */
const ROWS_KEY = 'rows'

/**
 * Writes one entry for the rows that `tx.insertRows` has inserted, which have its number in `CHANGE_COLUMN`: so it
 * names none of them. `source` names the batch: a file and its lines.
 */
export function writeRowsEntry(tx: Tx, entity: string, source: readonly (string | number)[], rows: number): void {
  const after = JSON.stringify({ rows })
  writeEntry(tx, { entity, key: [ROWS_KEY, ...source], operation: 'create', before: '', after })
}

/**
 * The entry numbers of a write of many records, one for each that is written. The next record takes the number of one
 * that was not.
 */
export class EntryNumbers {
  readonly #write: Tx
  #current: Tx | undefined

  constructor(write: Tx) {
    this.#write = write
    this.#current = write
  }

  current(): Tx {
    this.#current ??= this.#write.nextEntry()
    return this.#current
  }

  use(): void {
    this.#current = undefined
  }
}
