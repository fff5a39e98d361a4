// The SQL of mirrors: how far each document has come, and what could not be kept as it came.
import { sql } from 'kysely'
import type { Misfit } from '../records/kinds/copied-records.ts'
import { statement, whereEqual } from '../sql/statement.ts'
import { type Lease, LeaseLost, LeaseTable } from '../store/lease-table.ts'
import type { ReadTx, StateTx, Store } from '../store/store.ts'
import { type DocumentState, NEW_DOCUMENT } from './document-state.ts'
import type { KeptUse, QuotaUse } from './source/source-quota.ts'

/** One process fills a company: the lease is that of the row without a name. */
export const MIRROR_LEASES = new LeaseTable({
  table: 'mirror_document',
  idColumn: 'document',
  member: ' mirror',
  isOpen: () => sql`mirror_document.document = ''`,
})

/** The row of the lease, whose id is empty. */
export const LEASE_ROW = ''

type Key = { companyId: string; document: string }

const add = statement<Key & { state: string }>('add_mirror_document', (db, p) =>
  db
    .insertInto('mirror_document')
    .values({
      company_id: p('companyId'),
      document: p('document'),
      state: p('state'),
      lease_holder: sql.lit(''),
      lease_until: sql.lit(0),
      lease_no: sql.lit(0),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

const list = statement<{ companyId: string }, { document: string; state: string }>('list_mirror_documents', (db, p) =>
  db
    .selectFrom('mirror_document')
    .select(['document', 'state'])
    .where('company_id', '=', p('companyId'))
    .orderBy('document'),
)

const put = statement<Key & { state: string }>('put_mirror_document', (db, p) =>
  db
    .updateTable('mirror_document')
    .set({ state: p('state') })
    .$call(whereEqual(p, 'companyId', 'document')),
)

const use = statement<{ companyId: string; now: number }, { state: string }>(
  'find_mirror_use',
  (_db, p) => sql`select state from mirror_document
    where company_id = ${p('companyId')} and document = '' and lease_until > ${p('now')}`,
)

const removeAll = statement<{ companyId: string }>('remove_mirror_documents', (db, p) =>
  db.deleteFrom('mirror_document').where('company_id', '=', p('companyId')),
)

/** Adds the rows of documents that are not there, and that of the lease. */
export async function addDocuments(store: Store, companyId: string, documents: readonly string[]): Promise<void> {
  const known = await documentStates(store.reading(companyId))
  const missing = [LEASE_ROW, ...documents].filter((document) => !known.has(document))
  if (missing.length === 0) return
  await store.writeState(companyId, MIRROR_LEASES.member, async (tx) => {
    for (const document of missing) tx.send(add, { companyId, document, state: JSON.stringify(NEW_DOCUMENT) })
  })
}

/** By the names of the documents. */
export async function documentStates(tx: ReadTx): Promise<ReadonlyMap<string, DocumentState>> {
  const rows = await tx.all(list, { companyId: tx.companyId })
  return new Map(rows.map(({ document, state }) => [document, { ...NEW_DOCUMENT, ...JSON.parse(state) }]))
}

export function putDocument(tx: StateTx, document: string, state: DocumentState): void {
  tx.send(put, { companyId: tx.companyId, document, state: JSON.stringify(state) })
}

/** What the holder of the lease uses of the source's quotas, for those who ask other processes, and the next holder. */
interface ToldUse {
  readonly used: QuotaUse
  readonly kept: KeptUse
}

export function putUse(tx: StateTx, told: ToldUse): void {
  tx.send(put, { companyId: tx.companyId, document: LEASE_ROW, state: JSON.stringify(told) })
}

/** Undefined: no process fills the company now, or it has not told yet. */
export async function findUse(tx: ReadTx): Promise<QuotaUse | undefined> {
  return (await toldSince(tx, Date.now()))?.used
}

/** What was told last, whoever has. */
export async function findKeptUse(tx: ReadTx): Promise<KeptUse | undefined> {
  return (await toldSince(tx, BEFORE_ALL))?.kept
}

const BEFORE_ALL = -1

/** By a process whose lease ends after a moment. */
async function toldSince(tx: ReadTx, now: number): Promise<Partial<ToldUse> | undefined> {
  const row = await tx.first(use, { companyId: tx.companyId, now })
  return row && (JSON.parse(row.state) as Partial<ToldUse>)
}

/** Throws when another process fills the company by now. */
export async function requireLease(tx: ReadTx, lease: Lease): Promise<void> {
  if (!(await MIRROR_LEASES.isHeld(tx, lease))) throw new LeaseLost()
}

/** The company is no mirror any more. */
export function forgetMirror(tx: StateTx): void {
  const { companyId } = tx
  tx.send(removeAll, { companyId })
  tx.send(removeFindings, { companyId })
}

type FindingKey = Key & { recordKey: string }

const putFindings = statement<FindingKey & { findings: string }>('put_mirror_findings', (db, p) =>
  db
    .insertInto('mirror_finding')
    .values({
      company_id: p('companyId'),
      document: p('document'),
      record_key: p('recordKey'),
      findings: p('findings'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'document', 'record_key'])
        .doUpdateSet(({ ref }) => ({ findings: ref('excluded.findings') })),
    ),
)

const removeFinding = statement<FindingKey>('remove_mirror_finding', (db, p) =>
  db.deleteFrom('mirror_finding').$call(whereEqual(p, 'companyId', 'document', 'recordKey')),
)

const removeFindings = statement<{ companyId: string }>('remove_mirror_findings', (db, p) =>
  db.deleteFrom('mirror_finding').where('company_id', '=', p('companyId')),
)

/** More are counted, not listed. */
export const MOST_LISTED = 1_000

const count = statement<{ companyId: string }, { document: string; records: number }>(
  'count_mirror_findings',
  (_db, p) => sql`select document, count(*) as records from mirror_finding
    where company_id = ${p('companyId')} group by document`,
)

const first = statement<Key, { record_key: string; findings: string }>(
  'list_mirror_findings',
  (_db, p) => sql`select record_key, findings from mirror_finding
    where company_id = ${p('companyId')} and document = ${p('document')} order by record_key limit ${sql.lit(MOST_LISTED)}`,
)

/** What is told of a record; nothing: it is kept as it came. */
export function setFindings(
  tx: StateTx,
  document: string,
  key: readonly (string | number)[],
  found: readonly Misfit[],
): void {
  const place = { companyId: tx.companyId, document, recordKey: JSON.stringify(key) }
  if (found.length === 0) tx.send(removeFinding, place)
  else tx.send(putFindings, { ...place, findings: JSON.stringify(found) })
}

/** The number of records with findings, by document. */
export async function countFindings(tx: ReadTx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all(count, { companyId: tx.companyId })
  return new Map(rows.map(({ document, records }) => [document, Number(records)]))
}

interface RecordFindings {
  readonly key: readonly (string | number)[]
  readonly findings: readonly Misfit[]
}

export async function listFindings(tx: ReadTx, document: string): Promise<readonly RecordFindings[]> {
  const rows = await tx.all(first, { companyId: tx.companyId, document })
  return rows.map(({ record_key, findings }) => ({ key: JSON.parse(record_key), findings: JSON.parse(findings) }))
}

const askedSince = statement<{ companyId: string; entity: string; since: number }, { record_key: string }>(
  'list_records_asked_since',
  (_db, p) => sql`select e.record_key from journal_entry as e
    join journal_origin as o on o.company_id = ${p('companyId')} and o.origin_no = e.origin_no
    where e.company_id = ${p('companyId')} and e.entry_no > ${p('since')} and e.request_id <> ''
      and o.entity = ${p('entity')}`,
)

/** The keys of records that were written for requests of clients after an entry of the journal. */
export async function listAskedSince(tx: ReadTx, entity: string, since: number): Promise<ReadonlySet<string>> {
  const rows = await tx.all(askedSince, { companyId: tx.companyId, entity, since })
  return new Set(rows.map(({ record_key }) => record_key))
}
