// Replaces dictionaries of the change log that hold values, which are those of single long records. What was compressed
// with one is compressed again with one that holds none; texts and hashes stay.
import { sql } from 'kysely'
import type { JournalDictionaryTable } from '../../sql/service-tables.ts'
import { statement } from '../../sql/statement.ts'
import { bytesOf, KnownDictionary } from '../chain/dictionaries.ts'
import { DAMAGED, type PackedEntry, type PackedMembers, packEntry, unpackEntry } from '../chain/packed-entry.ts'
import { makeDictionary } from '../journal/journal-rows.ts'
import type { Actor, ReadTx, Store, Tx } from '../store.ts'

type DictionaryRow = Pick<JournalDictionaryTable, 'dictionary_no' | 'entity' | 'made_at' | 'bytes'>

const dictionaries = statement<{ companyId: string }, DictionaryRow>('list_all_dictionaries', (db, p) =>
  db
    .selectFrom('journal_dictionary')
    .select(['dictionary_no', 'entity', 'made_at', 'bytes'])
    .where('company_id', '=', p('companyId'))
    .orderBy('dictionary_no'),
)

async function listDictionaries(tx: ReadTx): Promise<DictionaryRow[]> {
  const rows = await tx.all(dictionaries, { companyId: tx.companyId })
  return rows.map((row) => ({ ...row, dictionary_no: Number(row.dictionary_no), made_at: Number(row.made_at) }))
}

const ENTRIES_AT_ONCE = 200

const packed = statement<{ companyId: string; after: number; nos: string }, PackedEntry>(
  'list_entries_of_dictionaries',
  (_db, p, dialect) => sql`
    select e.company_id, e.entry_no, '' as entity, '' as record_key, '' as operation, '' as user_id, '' as client_id,
      e.at, '' as request_id, e.dictionary_no, e.before, e.after, e.hash from journal_entry e
    where e.company_id = ${p('companyId')} and e.entry_no > ${p('after')} and e.dictionary_no in
      (select cast(n.value as bigint) from ${dialect.textRows(p('nos'), 'n')})
    order by e.entry_no limit ${sql.lit(ENTRIES_AT_ONCE)}`,
)

const repack = statement<
  Pick<PackedMembers, 'before' | 'after'> & { companyId: string; entryNo: number; dictionaryNo: number }
>(
  'pack_entry_again',
  (_db, p) => sql`
    update journal_entry set dictionary_no = ${p('dictionaryNo')}, before = ${p('before')}, after = ${p('after')}
    where company_id = ${p('companyId')} and entry_no = ${p('entryNo')}`,
)

const clear = statement<{ companyId: string; dictionaryNo: number }>(
  'clear_dictionary',
  (_db, p, dialect) => sql`
    update journal_dictionary set entity = '', bytes = ${dialect.noBytes}
    where company_id = ${p('companyId')} and dictionary_no = ${p('dictionaryNo')}`,
)

/** The dictionary of one long record has its key behind the kind. */
function kindOf({ entity }: DictionaryRow): string {
  return entity.split(' ', 1)[0] ?? ''
}

/** A dictionary of a single long record: a state of it. */
interface RecordDictionary {
  readonly text: string
  /** The number of the entry that it was created with. */
  readonly madeAt: number
}

/**
 * Replaces those of the company's dictionaries of single records that are wanted, in many short writes. When it was
 * interrupted, the next call goes on.
 */
export async function renewDictionaries(
  store: Store,
  companyId: string,
  actor: Actor,
  isWanted: (recordDictionary: RecordDictionary) => boolean,
): Promise<void> {
  const isOld = (row: DictionaryRow) =>
    row.entity.includes(' ') && isWanted({ text: Buffer.from(row.bytes).toString(), madeAt: row.made_at })
  if (!(await listDictionaries(store.reading(companyId))).some(isOld)) return
  const { old, renewed } = await store.write(companyId, actor, async (tx) => {
    const rows = await listDictionaries(tx)
    const replaced = rows.filter(isOld)
    return { old: replaced, renewed: await renewedFor(tx, rows, replaced) }
  })
  const nos = JSON.stringify(old.map(({ dictionary_no }) => String(dictionary_no)))
  for (let after = 0; ; ) {
    const last = await store.write(companyId, actor, async (tx) => {
      const entries = await tx.all(packed, { companyId, after, nos })
      for (const entry of entries) packAgain(tx, entry, old, renewed)
      // In the same write: until then the next change of a long record may still be compressed with its dictionary.
      if (entries.length === 0) clearAll(tx, old)
      keepState(tx)
      return Number(entries.at(-1)?.entry_no ?? 0)
    })
    if (last === 0) return
    after = last
  }
}

function clearAll(tx: Tx, old: readonly DictionaryRow[]): void {
  for (const { dictionary_no: dictionaryNo, bytes } of old) {
    tx.send(clear, { companyId: tx.companyId, dictionaryNo })
    tx.entries.journalBytes -= bytes.length
  }
}

/** Stores the size of the journal and the age of its dictionaries, though no entry is added. */
function keepState(tx: Tx): void {
  if (tx.entries.head) tx.moveHead(tx.entries.head)
}

/** For each kind a dictionary without values, which is its newest one from now on. */
async function renewedFor(
  tx: Tx,
  rows: readonly DictionaryRow[],
  old: readonly DictionaryRow[],
): Promise<ReadonlyMap<string, KnownDictionary>> {
  const renewed = new Map<string, KnownDictionary>()
  for (const kind of new Set(old.map(kindOf))) {
    const newest = rows.findLast(({ entity }) => entity === kind)
    const text = Buffer.from(old.findLast((row) => kindOf(row) === kind)?.bytes ?? []).toString()
    const made = newest
      ? { no: newest.dictionary_no, madeAt: newest.made_at, bytes: newest.bytes }
      : await makeDictionary(tx, kind, tx.entryNo, bytesOf(text))
    if (!newest) tx.entries.journalBytes += made.bytes.length
    renewed.set(kind, new KnownDictionary(made))
  }
  tx.entries.dictionaryAge += 1
  keepState(tx)
  return renewed
}

function packAgain(
  tx: Tx,
  packedEntry: PackedEntry,
  old: readonly DictionaryRow[],
  renewed: ReadonlyMap<string, KnownDictionary>,
): void {
  const dictionary = old.find(({ dictionary_no }) => dictionary_no === Number(packedEntry.dictionary_no))
  const known = dictionary && renewed.get(kindOf(dictionary))
  if (!dictionary || !known) throw new Error(`entry ${packedEntry.entry_no} has no dictionary to be packed with`)
  const entry = unpackEntry(packedEntry, dictionary.bytes)
  // Nobody can read it with any dictionary; `audit verify` reports it.
  if (entry.before === DAMAGED || entry.after === DAMAGED) return
  const { before, after } = packEntry(entry, known)
  tx.send(repack, {
    companyId: tx.companyId,
    entryNo: entry.entry_no,
    dictionaryNo: known.no,
    before,
    after,
  })
  tx.entries.journalBytes += before.length + after.length - packedEntry.before.length - packedEntry.after.length
}
