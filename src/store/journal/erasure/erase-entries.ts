// Erases entries of the change log in the write that also adds the entry which names them.
import { sql } from 'kysely'
import type { AuditEntryView } from '../../service-tables.ts'
import { statement } from '../../statement.ts'
import type { Tx } from '../../store.ts'
import { digestOf, ERASE, ERASED_KEY, type ErasureText, type LeftMembers, rangesOf } from './erased-entry.ts'

type Found = LeftMembers & Pick<AuditEntryView, 'record_key'>

const leftOf = statement<{ companyId: string; entryNos: string }, Found>(
  'list_entries_to_erase',
  (_db, p, dialect) => sql`
    select entry_no, entity, operation, user_id, client_id, at, previous_hash, hash, record_key from audit_entry
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})
    order by entry_no`,
)

const measure = statement<{ companyId: string; entryNos: string }, { bytes: number }>(
  'measure_entries',
  (_db, p, dialect) => sql`
    select coalesce(sum(length(before) + length(after) + length(record_key) + length(request_id)), 0) as bytes
    from journal_entry where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

const empty = statement<{ companyId: string; entryNos: string }>(
  'erase_entries',
  (_db, p, dialect) => sql`
    update journal_entry set record_key = ${sql.lit(ERASED_KEY)}, request_id = '',
      before = ${dialect.bytesOfHex(sql`''`)}, after = ${dialect.bytesOfHex(sql`''`)}
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

export interface ErasedEntries extends Pick<ErasureText, 'entries' | 'digest'> {
  readonly count: number
}

/**
 * Takes the keys, the request ids and the texts away from entries that were not erased before. Returns what the entry
 * that names them has to say of them.
 */
export async function eraseEntries(tx: Tx, numbers: readonly number[]): Promise<ErasedEntries> {
  const all = await tx.all(leftOf, { companyId: tx.companyId, entryNos: textsOf(numbers) })
  const left = all.map((one) => ({ ...one, entry_no: Number(one.entry_no) })).filter(isWhole)
  const found = left.map(({ entry_no }) => entry_no)
  const entryNos = textsOf(found)
  const { bytes = 0 } = (await tx.first(measure, { companyId: tx.companyId, entryNos })) ?? {}
  await tx.run(empty, { companyId: tx.companyId, entryNos })
  tx.entries.journalBytes -= Number(bytes) - ERASED_KEY.length * found.length
  return { entries: rangesOf(found), digest: digestOf(left), count: found.length }
}

function isWhole({ record_key, operation }: Found): boolean {
  return record_key !== ERASED_KEY && operation !== ERASE
}

function textsOf(numbers: readonly number[]): string {
  return JSON.stringify(numbers.map(String))
}

const byKeys = statement<{ companyId: string; from: string; below: string }, { entry_no: number; entity: string }>(
  'list_entries_of_keys',
  (db, p) =>
    db
      .selectFrom('audit_entry')
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

const oldest = statement<{ companyId: string; after: number; before: number }, { entry_no: number }>(
  'list_oldest_entries',
  (db, p) =>
    db
      .selectFrom('journal_entry')
      .select('entry_no')
      .where('company_id', '=', p('companyId'))
      .where('entry_no', '>', p('after'))
      .where('at', '<', p('before'))
      .orderBy('entry_no')
      .limit(sql.lit(ENTRIES_AT_ONCE)),
)

/** A write of so many locks the company no longer than one of a few records. */
export const ENTRIES_AT_ONCE = 500

/** The next entries after a number that were written before an instant, in milliseconds since 1970. */
export async function findOldestEntries(tx: Tx, after: number, before: number): Promise<number[]> {
  return (await tx.all(oldest, { companyId: tx.companyId, after, before })).map(({ entry_no }) => Number(entry_no))
}

/** The entries that name erased ones. */
export const erasures = statement<{ companyId: string }, Pick<AuditEntryView, 'entry_no' | 'entity' | 'after'>>(
  'list_erasures',
  (db, p) =>
    db
      .selectFrom('audit_entry')
      .select(['entry_no', 'entity', 'after'])
      .where('company_id', '=', p('companyId'))
      .where('operation', '=', sql.lit(ERASE))
      .orderBy('entry_no'),
)
