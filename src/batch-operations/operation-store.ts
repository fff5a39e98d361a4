// The SQL of batch operations as clients see them.
import { sql } from 'kysely'
import type { BatchOperationResultTable, BatchOperationTable } from '../sql/batch-operation-tables.ts'
import { asInteger, placeholdersFor, statement, whereEqual } from '../sql/statement.ts'
import type { ReadTx, StateTx, Tx } from '../store/store.ts'
import type { BatchOperation, BatchOptions, ReadWith, RejectedRow } from './batch-operation.ts'

const COLUMNS = [
  'operation_id',
  'document',
  'options',
  'client_id',
  'user_id',
  'request_id',
  'file_hash',
  'file_bytes',
  'state',
  'message',
  'read_with',
  'line',
  'written',
  'unchanged',
  'rejected',
  'attempts',
  'created_at',
  'started_at',
  'updated_at',
  'ended_at',
] as const satisfies readonly (keyof BatchOperationTable)[]

/** It is still to be done, or under way. */
export const IS_OPEN = sql<boolean>`state in ('N', 'W')`

type Row = Pick<BatchOperationTable, (typeof COLUMNS)[number]>
type Key = { companyId: string; operationId: string }

function operationOf(row: Row): BatchOperation {
  return {
    id: row.operation_id,
    document: row.document,
    options: JSON.parse(row.options) as BatchOptions,
    clientId: row.client_id,
    userId: row.user_id,
    requestId: row.request_id,
    file: { hash: row.file_hash, size: row.file_bytes },
    state: row.state,
    message: row.message,
    ...formOf(row.read_with),
    line: row.line,
    written: row.written,
    unchanged: row.unchanged,
    rejected: row.rejected,
    attempts: row.attempts,
    createdAt: row.created_at,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
  }
}

/** How the rows are read, with the codes that were added for them. */
function formOf(text: string): Pick<BatchOperation, 'readWith' | 'codes'> {
  if (text === '') return { readWith: undefined, codes: [] }
  const { codes = [], ...readWith } = JSON.parse(text) as ReadWith & { codes?: BatchOperation['codes'] }
  return { readWith, codes }
}

const single = statement<Key, Row>('find_batch_operation', (db, p) =>
  db
    .selectFrom('batch_operation')
    .select(COLUMNS)
    .$call(whereEqual(p, 'companyId', 'operationId')),
)

export async function findOperation(tx: ReadTx, id: string): Promise<BatchOperation | undefined> {
  const row = await tx.first(single, { companyId: tx.companyId, operationId: id })
  return row && operationOf(row)
}

const newest = statement<{ companyId: string; limit: number }, Row>('list_batch_operations', (db, p) =>
  db
    .selectFrom('batch_operation')
    .select(COLUMNS)
    .where('company_id', '=', p('companyId'))
    .orderBy('operation_no', 'desc')
    .limit(asInteger(p('limit'))),
)

/** The newest first. */
export async function listOperations(tx: ReadTx, limit: number): Promise<BatchOperation[]> {
  return (await tx.all(newest, { companyId: tx.companyId, limit })).map(operationOf)
}

interface Kept {
  /** Operations that have not ended. */
  readonly open: number
  /** The bytes of all bodies that are still there. */
  readonly bytes: number
  readonly last_no: number
}

const kept = statement<{ companyId: string }, Kept>(
  'count_batch_operations',
  (_db, p) => sql`select
      coalesce(sum(case when state in ('N', 'W') then 1 else 0 end), 0) as open,
      coalesce(sum(case when file_hash <> '' then file_bytes else 0 end), 0) as bytes,
      coalesce(max(operation_no), 0) as last_no
    from batch_operation where company_id = ${p('companyId')}`,
)

export async function countOperations(tx: ReadTx): Promise<Kept> {
  const { open = 0, bytes = 0, last_no = 0 } = (await tx.first(kept, { companyId: tx.companyId })) ?? {}
  return { open: Number(open), bytes: Number(bytes), last_no: Number(last_no) }
}

const insert = statement<Record<keyof BatchOperationTable, string | number>>('insert_batch_operation', (db, p) =>
  db
    .insertInto('batch_operation')
    .values(placeholdersFor(p, ['company_id', 'operation_no', ...COLUMNS, 'lease_holder', 'lease_until', 'lease_no'])),
)

export function insertOperation(tx: Tx, number: number, operation: BatchOperation): void {
  tx.send(insert, {
    company_id: tx.companyId,
    operation_id: operation.id,
    operation_no: number,
    document: operation.document,
    options: JSON.stringify(operation.options),
    client_id: operation.clientId,
    user_id: operation.userId,
    request_id: operation.requestId,
    file_hash: operation.file.hash,
    file_bytes: operation.file.size,
    state: operation.state,
    message: '',
    read_with: '',
    line: 0,
    written: 0,
    unchanged: 0,
    rejected: 0,
    attempts: 0,
    created_at: operation.createdAt,
    started_at: '',
    updated_at: operation.updatedAt,
    ended_at: '',
    lease_holder: '',
    lease_until: 0,
    lease_no: 0,
  })
}

const cancel = statement<Key & { at: string }>('cancel_batch_operation', (db, p) =>
  db
    .updateTable('batch_operation')
    .set({ state: sql.lit('K'), ended_at: p('at'), updated_at: p('at') })
    .$call(whereEqual(p, 'companyId', 'operationId'))
    .where(IS_OPEN),
)

/** Returns whether it was still to be done, or under way. From the commit on nothing of it is written. */
export async function cancelOperation(tx: StateTx, id: string, at: string): Promise<boolean> {
  return (await tx.run(cancel, { companyId: tx.companyId, operationId: id, at })) > 0
}

const results = statement<
  Key & { from: number; limit: number },
  Pick<BatchOperationResultTable, 'line' | 'record_key' | 'findings'>
>('list_batch_operation_results', (db, p) =>
  db
    .selectFrom('batch_operation_result')
    .select(['line', 'record_key', 'findings'])
    .$call(whereEqual(p, 'companyId', 'operationId'))
    .where('line', '>=', p('from'))
    .orderBy('line')
    .limit(asInteger(p('limit'))),
)

/** Rejected rows in their order, from a line on. */
export async function listResults(tx: ReadTx, id: string, from: number, limit: number): Promise<RejectedRow[]> {
  const rows = await tx.all(results, { companyId: tx.companyId, operationId: id, from, limit })
  return rows.map(({ line, record_key, findings }) => ({
    line,
    key: JSON.parse(record_key) as RejectedRow['key'],
    findings: JSON.parse(findings) as RejectedRow['findings'],
  }))
}
