// Takes the texts alone away from entries of the change log, in the write that also adds the entry which names them.
import { sql } from 'kysely'
import { ENTRY_OF_KEY, journalFor, statement } from '../../sql/statement.ts'
import { writeEntry } from '../journal/journal.ts'
import type { Tx } from '../store.ts'
import {
  digestOf,
  ERASE,
  type ErasureText,
  type LeftMembers,
  NamedEntries,
  rangesOf,
  readErasure,
} from './erased-entry.ts'

/** What names entries because of their age has no record of its own. */
export const PRUNING = { entity: 'journal', key: [], operation: ERASE, before: '' } as const
const PRUNING_KEY = '[]'

type Size = { readonly entry_no: number; readonly bytes: number }

const sizesOf = statement<Numbered, Size>(
  'measure_texts_of_entries',
  (_db, p, dialect) => sql`
    select entry_no, length(before) + length(after) as bytes from journal_entry
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})
    order by entry_no`,
)

async function sizesOfTexts(tx: Tx, numbers: readonly number[]): Promise<Size[]> {
  const rows = await tx.all(sizesOf, { companyId: tx.companyId, entryNos: numbersText(numbers) })
  return rows.map(({ entry_no, bytes }) => ({ entry_no: Number(entry_no), bytes: Number(bytes) }))
}

const prune = statement<Numbered>(
  'prune_entries',
  (_db, p, dialect) => sql`
    update journal_entry set before = ${dialect.noBytes}, after = ${dialect.noBytes}
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

/** Takes the texts away from entries that have some. Returns what the entry that names them has to say of them. */
export async function pruneEntries(tx: Tx, numbers: readonly number[]): Promise<ErasedEntries> {
  const sizes = new Map((await sizesOfTexts(tx, numbers)).map(({ entry_no, bytes }) => [entry_no, bytes]))
  const all = await readLeft(tx, numbers)
  const left = all.filter(({ entry_no, operation }) => operation !== ERASE && (sizes.get(entry_no) ?? 0) > 0)
  const found = left.map(({ entry_no }) => entry_no)
  await tx.run(prune, { companyId: tx.companyId, entryNos: numbersText(found) })
  for (const entryNo of found) tx.entries.journalBytes -= sizes.get(entryNo) ?? 0
  return { entries: rangesOf(found), digest: digestOf(left, true), count: found.length }
}

const prunings = statement<{ companyId: string; after: number }, { after: string }>('list_prunings', (db, p, dialect) =>
  db
    .selectFrom(journalFor(p, dialect))
    .select('after')
    .where('company_id', '=', p('companyId'))
    .where('record_key', '=', sql.lit(PRUNING_KEY))
    .where('operation', '=', sql.lit(ERASE))
    .where(ENTRY_OF_KEY, '>', p('after'))
    .orderBy(ENTRY_OF_KEY),
)

/**
 * The digest of pruned entries is also of their keys. So before some of them lose their keys too, the others are named
 * again. Not where the digest is wrong already: `audit verify` shall tell.
 */
export async function nameOthersAgain(tx: Tx, erased: ReadonlySet<number>): Promise<void> {
  const pruned = (await sizesOfTexts(tx, [...erased])).filter(({ bytes }) => bytes === 0)
  const [first] = pruned
  if (!first) return
  const named = new NamedEntries<ErasureText>()
  for (const { after } of await tx.all(prunings, { companyId: tx.companyId, after: first.entry_no })) {
    const text = readErasure(after)
    if (text.keepsKeys) for (const range of text.entries) named.add(range, text)
  }
  const affected = new Set(pruned.flatMap(({ entry_no }) => named.find(entry_no) ?? []))
  for (const text of affected) await nameAgain(tx, text, erased)
}

async function nameAgain(tx: Tx, text: ErasureText, erased: ReadonlySet<number>): Promise<void> {
  const left = await readLeft(tx, text.entries.flatMap(numbersIn))
  if (digestOf(left, true) !== text.digest) return
  const others = left.filter(({ entry_no }) => !erased.has(entry_no))
  if (others.length === 0) return
  const entries = rangesOf(others.map(({ entry_no }) => entry_no))
  const after: ErasureText = { ...text, entries, digest: digestOf(others, true) }
  writeEntry(tx.nextEntry(), { ...PRUNING, after: JSON.stringify(after) })
}

function numbersIn([first, last]: ErasureText['entries'][number]): number[] {
  return Array.from({ length: last - first + 1 }, (_one, index) => first + index)
}

/** What the entry that names emptied ones has to say of them. */
export interface ErasedEntries extends Pick<ErasureText, 'entries' | 'digest'> {
  readonly count: number
}

/** Entries by their numbers, as a JSON array of texts. */
export type Numbered = { companyId: string; entryNos: string }

const leftOf = statement<Numbered, LeftMembers>(
  'list_entries_to_erase',
  (_db, p, dialect) => sql`
    select entry_no, entity, record_key, operation, user_id, client_id, at, request_id, previous_hash, hash
    from ${journalFor(p, dialect)}
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})
    order by entry_no`,
)

/** What is left, or would be left, of entries, in the order of their numbers. */
export async function readLeft(tx: Tx, numbers: readonly number[]): Promise<LeftMembers[]> {
  const rows = await tx.all(leftOf, { companyId: tx.companyId, entryNos: numbersText(numbers) })
  return rows.map((row) => ({ ...row, entry_no: Number(row.entry_no) }))
}

export function numbersText(numbers: readonly number[]): string {
  return JSON.stringify(numbers.map(String))
}
