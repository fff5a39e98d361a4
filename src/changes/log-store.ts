// The SQL of the log: pages of entries in the order of their numbers, and the newest entries of some records. Nothing
// holds a transaction between two of these: entries below the end of the log never change, unless they are erased.
import { sql } from 'kysely'
import type { Dialect, Placeholder } from '../sql/dialect.ts'
import type { JournalCounterTable, JournalEntryTable, JournalOriginTable } from '../sql/service-tables.ts'
import { asInteger, statement } from '../sql/statement.ts'
import { ERASE } from '../store/audit/erased-entry.ts'
import type { ReadTx } from '../store/store.ts'

/** An entry without its texts. */
export type HeadRow = Pick<JournalEntryTable, 'entry_no' | 'record_key' | 'at' | 'request_id'> &
  Pick<JournalOriginTable, 'entity' | 'operation' | 'user_id' | 'client_id'>

type Wanted = { companyId: string; after: number; upTo: number; entities: string; most: number }

/** The origins of the wanted entries: few rows, found once and not for each entry. */
function wantedOrigins(p: Placeholder<Wanted>, dialect: Dialect) {
  return sql`with wanted as materialized (
      select origin_no, entity, operation, user_id, client_id from journal_origin
      where company_id = ${p('companyId')} and entity ${dialect.isOneOfTexts(p('entities'))}
        and operation <> ${sql.lit(ERASE)})`
}

function within(p: Placeholder<Wanted>) {
  return sql`where e.company_id = ${p('companyId')} and e.entry_no > ${p('after')} and e.entry_no <= ${p('upTo')}
    order by e.entry_no limit ${asInteger(p('most'))}`
}

const heads = statement<Wanted, HeadRow>(
  'list_log_heads',
  (_db, p, dialect) => sql`${wantedOrigins(p, dialect)}
    select e.entry_no, e.record_key, e.at, e.request_id, o.entity, o.operation, o.user_id, o.client_id
    from journal_entry e join wanted o on o.origin_no = e.origin_no
    ${within(p)}`,
)

export interface EntriesWanted {
  readonly after: number
  readonly upTo: number
  /** As the journal names them. */
  readonly entities: readonly string[]
  readonly most: number
}

function valuesOf(tx: ReadTx, { entities, ...wanted }: EntriesWanted): Wanted {
  return { companyId: tx.companyId, entities: JSON.stringify(entities), ...wanted }
}

/** The entries of some kinds of records between two numbers, in their order. */
export async function listHeads(tx: ReadTx, wanted: EntriesWanted): Promise<HeadRow[]> {
  return tx.all(heads, valuesOf(tx, wanted))
}

const measure = statement<Wanted, { entries: number; bytes: number }>(
  'measure_log_entries',
  (_db, p, dialect) => sql`${wantedOrigins(p, dialect)}
    select count(*) as entries, coalesce(sum(bytes), 0) as bytes from (
      select length(e.before) + length(e.after) as bytes
      from journal_entry e join wanted o on o.origin_no = e.origin_no
      ${within(p)}) measured`,
)

/** How many entries there are, and the stored size of their texts. */
export async function measureEntries(tx: ReadTx, wanted: EntriesWanted) {
  const row = await tx.first(measure, valuesOf(tx, wanted))
  return { entries: Number(row?.entries ?? 0), bytes: Number(row?.bytes ?? 0) }
}

const entries = statement<Wanted, HeadRow & TextRow>(
  'list_log_entries',
  (_db, p, dialect) => sql`${wantedOrigins(p, dialect)}
    select e.entry_no, e.record_key, e.at, e.request_id, e.dictionary_no, e.before, e.after, o.entity, o.operation,
      o.user_id, o.client_id
    from journal_entry e join wanted o on o.origin_no = e.origin_no
    ${within(p)}`,
)

/** As `listHeads`, with the stored texts. */
export function listEntries(tx: ReadTx, wanted: EntriesWanted): Promise<(HeadRow & TextRow)[]> {
  return tx.all(entries, valuesOf(tx, wanted))
}

const byNumbers = statement<{ companyId: string; numbers: string }, HeadRow>(
  'find_log_entries',
  (_db, p, dialect) => sql`
    select e.entry_no, e.record_key, e.at, e.request_id, o.entity, o.operation, o.user_id, o.client_id
    from journal_entry e join journal_origin o on o.company_id = ${p('companyId')} and o.origin_no = e.origin_no
    where e.company_id = ${p('companyId')}
      and e.entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('numbers'), 'n')})`,
)

export async function findHeads(tx: ReadTx, numbers: readonly number[]): Promise<HeadRow[]> {
  if (numbers.length === 0) return []
  const rows = await tx.all(byNumbers, { companyId: tx.companyId, numbers: JSON.stringify(numbers.map(String)) })
  return rows.map((row) => ({ ...row, entry_no: Number(row.entry_no), at: Number(row.at) }))
}

/** The stored texts of an entry. */
export type TextRow = Pick<JournalEntryTable, 'entry_no' | 'record_key' | 'dictionary_no' | 'before' | 'after'>

const texts = statement<{ companyId: string; numbers: string }, TextRow>(
  'find_log_texts',
  (_db, p, dialect) => sql`
    select entry_no, record_key, dictionary_no, before, after from journal_entry
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('numbers'), 'n')})
    order by entry_no`,
)

export function findTexts(tx: ReadTx, numbers: readonly number[]): Promise<TextRow[]> {
  return tx.all(texts, { companyId: tx.companyId, numbers: JSON.stringify(numbers.map(String)) })
}

const dictionaries = statement<{ companyId: string; numbers: string }, { dictionary_no: number; bytes: Uint8Array }>(
  'find_log_dictionaries',
  (_db, p, dialect) => sql`
    select dictionary_no, bytes from journal_dictionary
    where company_id = ${p('companyId')}
      and dictionary_no in (select cast(n.value as bigint) from ${dialect.textRows(p('numbers'), 'n')})`,
)

/** Dictionaries by their numbers. */
export async function findDictionaries(tx: ReadTx, numbers: ReadonlySet<number>): Promise<Map<number, Uint8Array>> {
  if (numbers.size === 0) return new Map()
  const values = { companyId: tx.companyId, numbers: JSON.stringify([...numbers].map(String)) }
  const rows = await tx.all(dictionaries, values)
  return new Map(rows.map(({ dictionary_no, bytes }) => [Number(dictionary_no), bytes]))
}

/** The entries of one key and one way of changing it, before and after a number. */
export interface KeyEntries {
  readonly record_key: string
  readonly entity: string
  readonly operation: JournalOriginTable['operation']
  /** The newest one up to the number; 0 when there is none. */
  readonly newest: number
  /** The first one after it; 0 when there is none. */
  readonly next: number
}

/** The entries of a company whose key starts as a text `n` does. */
function startsSo(p: Placeholder<{ companyId: string }>) {
  return sql`e.company_id = ${p('companyId')} and e.record_key >= n.value and e.record_key < n.value || ':'`
}

const byKeys = statement<{ companyId: string; upTo: number; starts: string }, KeyEntries>(
  'list_entries_of_records',
  (_db, p, dialect) => sql`
    select e.record_key, o.entity, o.operation,
      coalesce(max(case when e.entry_no <= ${p('upTo')} then e.entry_no end), 0) as newest,
      coalesce(min(case when e.entry_no > ${p('upTo')} then e.entry_no end), 0) as next
    from ${dialect.rowsForEachText(p('starts'), 'journal_entry', startsSo(p))}
      join journal_origin o on o.company_id = ${p('companyId')} and o.origin_no = e.origin_no
    where o.operation <> ${sql.lit(ERASE)}
    group by e.record_key, o.entity, o.operation`,
)

/** A key as it starts in the journal: all of it, or its first parts with a comma behind. */
export function startOf(parts: readonly (string | number)[], isWhole: boolean): string {
  const key = JSON.stringify(parts)
  return isWhole ? key : `${key.slice(0, -1)},`
}

/** Looking for these takes a few milliseconds where each has some entries. */
const STARTS_AT_ONCE = 250

/** The newest entries up to a number, and the first ones after it, of all keys with one of these starts. */
export async function listKeyEntries(tx: ReadTx, starts: readonly string[], upTo: number): Promise<KeyEntries[]> {
  const found: KeyEntries[] = []
  for (let at = 0; at < starts.length; at += STARTS_AT_ONCE) {
    const some = JSON.stringify(starts.slice(at, at + STARTS_AT_ONCE))
    const rows = await tx.all(byKeys, { companyId: tx.companyId, upTo, starts: some })
    for (const row of rows) found.push({ ...row, newest: Number(row.newest), next: Number(row.next) })
  }
  return found
}

/** The signs are those of `ENTRY_OF_KEY`. */
const ofKeys = statement<
  { companyId: string; after: number; below: number; starts: string; entities: string; most: number },
  { entry_no: number }
>(
  'list_entry_numbers_of_records',
  (_db, p, dialect) => sql`
    select distinct e.entry_no
    from ${dialect.rowsForEachText(p('starts'), 'journal_entry', startsSo(p))}
      join journal_origin o on o.company_id = ${p('companyId')} and o.origin_no = e.origin_no
    where +e.entry_no > ${p('after')} and +e.entry_no < ${p('below')}
      and o.entity ${dialect.isOneOfTexts(p('entities'))} and o.operation <> ${sql.lit(ERASE)}
    order by e.entry_no desc limit ${asInteger(p('most'))}`,
)

/** The numbers of the newest entries between two numbers of the keys with one of these starts, the newest first. */
export async function listEntryNumbers(
  tx: ReadTx,
  starts: readonly string[],
  { after, below, entities, most }: { after: number; below: number; entities: readonly string[]; most: number },
): Promise<number[]> {
  const values = {
    companyId: tx.companyId,
    after,
    below,
    starts: JSON.stringify(starts),
    entities: JSON.stringify(entities),
    most,
  }
  return (await tx.all(ofKeys, values)).map(({ entry_no }) => Number(entry_no))
}

const lastOfWrite = statement<
  { companyId: string; number: number; requestId: string; starts: string },
  { entry_no: number | null }
>(
  'find_last_entry_of_write',
  (_db, p, dialect) => sql`
    select max(e.entry_no) as entry_no
    from ${dialect.rowsForEachText(p('starts'), 'journal_entry', startsSo(p))}
    where +e.entry_no > ${p('number')} and e.request_id = ${p('requestId')}
      and e.at = (select w.at from journal_entry w where w.company_id = ${p('companyId')} and w.entry_no = ${p('number')})`,
)

/** The number of the last entry of the keys with one of these starts that was written together with another one. */
export async function findLastOfWrite(
  tx: ReadTx,
  { number, requestId }: { readonly number: number; readonly requestId: string },
  starts: readonly string[],
): Promise<number> {
  const values = { companyId: tx.companyId, number, requestId, starts: JSON.stringify(starts) }
  return Number((await tx.first(lastOfWrite, values))?.entry_no ?? number)
}

type EndRow = Pick<JournalCounterTable, 'last_entry' | 'texts_from' | 'told_from'>

const end = statement<{ companyId: string }, EndRow>('find_log_end', (db, p) =>
  db
    .selectFrom('journal_counter')
    .select(['last_entry', 'texts_from', 'told_from'])
    .where('company_id', '=', p('companyId')),
)

export interface LogEnd {
  /** The last number that was taken: the newest entry has it, or one before. Collections name it too. */
  readonly last: number
  /** What followed an older position can no longer be told. */
  readonly oldest: number
  /** The last entry whose texts were taken away because of its age. */
  readonly textsFrom: number
}

export async function findLogEnd(tx: ReadTx): Promise<LogEnd> {
  const row = await tx.first(end, { companyId: tx.companyId })
  const [last, textsFrom, toldFrom] = [row?.last_entry, row?.texts_from, row?.told_from].map((one) => Number(one ?? 0))
  return { last: last ?? 0, oldest: Math.max(textsFrom ?? 0, toldFrom ?? 0), textsFrom: textsFrom ?? 0 }
}
