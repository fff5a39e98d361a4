// The SQL of a batch operation that this process does: every write names its lease and that it is still under way, so
// that one that was cancelled, or is done by another process, changes nothing any more.
import { sql } from 'kysely'
import { statement, whereEqual } from '../sql/statement.ts'
import { type Lease, LeaseLost, LeaseTable } from '../store/lease-table.ts'
import type { StateTx, Store } from '../store/store.ts'
import type { BatchOperation, EndState, ReadWith, RejectedRow } from './batch-operation.ts'
import { IS_OPEN } from './operation-store.ts'

/** The operations of a company are leased one after the other. */
export const OPERATION_LEASES = new LeaseTable({
  table: 'batch_operation',
  idColumn: 'operation_id',
  member: ' batch operations',
  isOpen: (companyId) => sql`${IS_OPEN} and not exists (select 1 from batch_operation older
    where older.company_id = ${companyId} and older.state in ('N', 'W')
      and older.operation_no < batch_operation.operation_no)`,
})

type Held = { companyId: string; operationId: string; leaseNo: number }

const heldKey = ({ companyId, id: operationId, leaseNo }: Lease): Held => ({ companyId, operationId, leaseNo })

async function run<P extends Held>(tx: StateTx, held: Parameters<typeof tx.run<P>>[0], values: P): Promise<void> {
  if ((await tx.run(held, values)) === 0) throw new LeaseLost()
}

const begin = statement<Held & { at: string }>('begin_batch_operation', (db, p) =>
  db
    .updateTable('batch_operation')
    .set((eb) => ({
      state: sql.lit('W'),
      attempts: eb('attempts', '+', sql.lit(1)),
      started_at: sql<string>`case when started_at = '' then ${p('at')} else started_at end`,
      updated_at: p('at'),
    }))
    .$call(whereEqual(p, 'companyId', 'operationId', 'leaseNo'))
    .where(IS_OPEN),
)

/** It is under way from now on. Throws `LeaseLost`, as all of these. */
export function beginOperation(store: Store, lease: Lease, at: string): Promise<void> {
  const { companyId } = lease
  return store.writeState(companyId, OPERATION_LEASES.member, (tx) => run(tx, begin, { ...heldKey(lease), at }))
}

const setReadWith = statement<Held & { readWith: string }>('put_batch_operation_form', (db, p) =>
  db
    .updateTable('batch_operation')
    .set({ read_with: p('readWith') })
    .$call(whereEqual(p, 'companyId', 'operationId', 'leaseNo'))
    .where('state', '=', sql.lit('W')),
)

type OperationForm = ReadWith & Pick<BatchOperation, 'codes'>

export function putForm(tx: StateTx, lease: Lease, form: OperationForm): Promise<void> {
  return run(tx, setReadWith, { ...heldKey(lease), readWith: JSON.stringify(form) })
}

export function putReadWith(store: Store, lease: Lease, form: OperationForm): Promise<void> {
  return store.writeState(lease.companyId, OPERATION_LEASES.member, (tx) => putForm(tx, lease, form))
}

interface Advance {
  readonly line: number
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  readonly at: string
}

const advance = statement<Held & { [Name in keyof Advance]: Advance[Name] }>('advance_batch_operation', (db, p) =>
  db
    .updateTable('batch_operation')
    .set((eb) => ({
      line: p('line'),
      written: eb('written', '+', p('written')),
      unchanged: eb('unchanged', '+', p('unchanged')),
      rejected: eb('rejected', '+', p('rejected')),
      attempts: sql.lit(0),
      updated_at: p('at'),
    }))
    .$call(whereEqual(p, 'companyId', 'operationId', 'leaseNo'))
    .where('state', '=', sql.lit('W')),
)

/** A part is completed, in the write of its rows. */
export function advanceOperation(tx: StateTx, lease: Lease, part: Advance): Promise<void> {
  return run(tx, advance, { ...heldKey(lease), ...part })
}

const end = statement<Held & { state: string; message: string; at: string }>('end_batch_operation', (db, p) =>
  db
    .updateTable('batch_operation')
    .set({ state: p('state'), message: p('message'), ended_at: p('at'), updated_at: p('at') })
    .$call(whereEqual(p, 'companyId', 'operationId', 'leaseNo'))
    .where('state', '=', sql.lit('W')),
)

export interface End {
  readonly state: EndState
  readonly message: string
}

export function endOperation(store: Store, lease: Lease, { state, message }: End, at: string): Promise<void> {
  const values = { ...heldKey(lease), state, message, at }
  return store.writeState(lease.companyId, OPERATION_LEASES.member, (tx) => run(tx, end, values))
}

const markRow = statement<Held & { document: string; line: number }>(
  'put_batch_operation_row',
  (_db, p) => sql`insert into import_row (company_id, document, source, line)
    select ${p('companyId')}, ${p('document')}, operation_id, ${p('line')} from batch_operation
    where company_id = ${p('companyId')} and operation_id = ${p('operationId')} and lease_no = ${p('leaseNo')} and state = 'W'`,
)

/** A row is done, in its own write. */
export function markRowDone(tx: StateTx, lease: Lease, document: string, line: number): Promise<void> {
  return run(tx, markRow, { ...heldKey(lease), document, line })
}

const insertResult = statement<{ companyId: string; id: string; line: number; recordKey: string; findings: string }>(
  'insert_batch_operation_result',
  (db, p) =>
    db.insertInto('batch_operation_result').values({
      company_id: p('companyId'),
      operation_id: p('id'),
      line: p('line'),
      record_key: p('recordKey'),
      findings: p('findings'),
    }),
)

export function addResult(tx: StateTx, { id }: Lease, { line, key, findings }: RejectedRow): void {
  const texts = { recordKey: JSON.stringify(key), findings: JSON.stringify(findings) }
  tx.send(insertResult, { companyId: tx.companyId, id, line, ...texts })
}
