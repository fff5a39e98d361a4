// Erases entries of the change log in the write that also adds the entry which names them.
import { type Kysely, sql } from 'kysely'
import type { Placeholder } from '../../sql/dialect.ts'
import type { AuditEntryView } from '../../sql/service-tables.ts'
import { journalFor, statement } from '../../sql/statement.ts'
import type { Tables } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../store.ts'
import { digestOf, ERASE, ERASED_KEY, type LeftMembers, rangesOf } from './erased-entry.ts'
import { type ErasedEntries, type Numbered, nameOthersAgain, numbersText, readLeft } from './prune-entries.ts'

const measure = statement<Numbered, { bytes: number }>(
  'measure_entries',
  (_db, p, dialect) => sql`
    select coalesce(sum(length(before) + length(after) + length(record_key) + length(request_id)), 0) as bytes
    from journal_entry where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

const empty = statement<Numbered>(
  'erase_entries',
  (_db, p, dialect) => sql`
    update journal_entry set record_key = ${sql.lit(ERASED_KEY)}, request_id = '',
      before = ${dialect.noBytes}, after = ${dialect.noBytes}
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

/**
 * Takes the keys, the request ids and the texts away from entries that were not erased before. Returns what the entry
 * that names them has to say of them.
 */
export async function eraseEntries(tx: Tx, numbers: readonly number[]): Promise<ErasedEntries> {
  const left = (await readLeft(tx, numbers)).filter(isWhole)
  const found = left.map(({ entry_no }) => entry_no)
  await nameOthersAgain(tx, new Set(found))
  const entryNos = numbersText(found)
  const { bytes = 0 } = (await tx.first(measure, { companyId: tx.companyId, entryNos })) ?? {}
  await tx.run(empty, { companyId: tx.companyId, entryNos })
  tx.entries.journalBytes -= Number(bytes) - ERASED_KEY.length * found.length
  return { entries: rangesOf(found), digest: digestOf(left, false), count: found.length }
}

function isWhole({ record_key, operation }: LeftMembers): boolean {
  return record_key !== ERASED_KEY && operation !== ERASE
}

const byKeys = statement<{ companyId: string; from: string; below: string }, { entry_no: number; entity: string }>(
  'list_entries_of_keys',
  (db, p, dialect) =>
    db
      .selectFrom(journalFor(p, dialect))
      .select(['entry_no', 'entity'])
      .where('company_id', '=', p('companyId'))
      .where('record_key', '>=', p('from'))
      .where('record_key', '<', p('below')),
)

/** The numbers of the entries of some kinds of records whose keys start with these parts. */
export async function findEntries(
  tx: Pick<Tx, 'companyId' | 'all'>,
  entities: readonly string[],
  firstParts: readonly (string | number)[],
): Promise<number[]> {
  // A complete key ends with a bracket; a longer one continues with a comma, which is the smaller character.
  const from = JSON.stringify(firstParts).slice(0, -1)
  const rows = await tx.all(byKeys, { companyId: tx.companyId, from: `${from},`, below: `${from}^` })
  return rows.filter(({ entity }) => entities.includes(entity)).map(({ entry_no }) => Number(entry_no))
}

/** A write of so many locks the company no longer than one of a few records. */
export const ENTRIES_AT_ONCE = 500

type Old = { companyId: string; after: number; before: number }

/** Entries after a number that were written before an instant and may be erased. */
function oldEntries(db: Kysely<Tables>, p: Placeholder<Old>) {
  const naming = db
    .selectFrom('journal_origin')
    .select('origin_no')
    .where('company_id', '=', p('companyId'))
    .where('operation', '=', sql.lit(ERASE))
  return db
    .selectFrom('journal_entry')
    .where('company_id', '=', p('companyId'))
    .where('entry_no', '>', p('after'))
    .where('at', '<', p('before'))
    .where('record_key', '<>', sql.lit(ERASED_KEY))
    .where('origin_no', 'not in', naming)
}

const oldest = statement<Old, { entry_no: number }>('list_oldest_entries', (db, p) =>
  oldEntries(db, p).select('entry_no').orderBy('entry_no').limit(sql.lit(ENTRIES_AT_ONCE)),
)

/** The next entries after a number to be erased, of those written before an instant, in milliseconds since 1970. */
export async function findOldestEntries(tx: ReadTx, after: number, before: number): Promise<number[]> {
  const rows = await tx.all(oldest, { companyId: tx.companyId, after, before })
  return rows.map(({ entry_no }) => Number(entry_no))
}

const count = statement<Old, { entries: number }>('count_old_entries', (db, p) =>
  oldEntries(db, p).select((eb) => eb.fn.countAll<number>().as('entries')),
)

/** How many entries were written before an instant, in milliseconds since 1970, and are not erased. */
export async function countOldEntries(tx: ReadTx, before: number): Promise<number> {
  return Number((await tx.first(count, { companyId: tx.companyId, after: 0, before }))?.entries ?? 0)
}

/** The entries that name erased ones. */
export const erasures = statement<{ companyId: string }, Pick<AuditEntryView, 'entry_no' | 'entity' | 'after'>>(
  'list_erasures',
  (db, p, dialect) =>
    db
      .selectFrom(journalFor(p, dialect))
      .select(['entry_no', 'entity', 'after'])
      .where('company_id', '=', p('companyId'))
      .where('operation', '=', sql.lit(ERASE))
      .orderBy('entry_no'),
)
