// Imports the rows of one document in batches. A rejected row is reported and skipped, and does not affect the others.

import type { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { ABSENT, type DocumentDefinition, type ValueType } from '../model/document.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { SqlValue } from '../store/dialects/dialect.ts'
import { writeRowsEntry } from '../store/journal/rows-entry.ts'
import { rolledBack } from '../store/rolled-back.ts'
import { putProgress } from '../store/service-state/import-store.ts'
import type { Actor, RowTarget, Store, Tx } from '../store/store.ts'
import { messagesOf, quotaFindings, recordFindings } from './record-findings.ts'
import { type ColumnValues, RowReader } from './row-reader.ts'
import { targetOf } from './row-target.ts'
import type { FileRow, ReadableRow, RowFinding } from './rows/read-rows.ts'

/** Reports a row that was not imported. */
export type RejectRow = (row: FileRow, findings: readonly RowFinding[]) => void

export interface Batch {
  readonly rows: readonly ReadableRow[]
  /** The last line that is completed with the batch. */
  readonly lastLine: number
  /** True for the first batch after an interruption: some of its rows may already be stored. */
  readonly isResumed: boolean
}

export interface Importer {
  /** Number of rows in a batch. */
  readonly batchSize: number
  /** How many rows a dry run checks together; rows of other parts are missing then. */
  readonly checkedTogether: number
  /** Imports a batch and stores the progress in the file. */
  importBatch(batch: Batch, reject: RejectRow): Promise<ImportCounts>
}

/** Counts of the rows that were not rejected. */
export interface ImportCounts {
  readonly written: number
  /** Rows whose records already existed with the same values. */
  readonly unchanged: number
}

/** The target of an import, and the actor for the journal. */
export interface Destination {
  readonly store: Store
  readonly companyId: string
  readonly company: CompanyRules
  readonly document: string
  /** Hash of the file. */
  readonly source: string
  readonly actor: Actor
  /** Checks only: everything is done as in an import, and rolled back. */
  readonly isDryRun?: boolean
}

/** Rows that a dry run writes, and rolls back, at once. */
export const DRY_RUN_ROWS = 10_000

/** Runs one write of an import. */
export function writeBatch<T>(
  { store, companyId, actor, isDryRun }: Destination,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return isDryRun
    ? rolledBack((tried) => store.write(companyId, actor, tried), work)
    : store.write(companyId, actor, work)
}

const ALREADY_EXISTS = 'a record with this key exists already'

/** Inserts rows directly into the table of a document. `complete` fills in defaults, or returns what is wrong. */
export function tableImporter(
  destination: Destination,
  definition: DocumentDefinition,
  complete: (columns: ColumnValues) => readonly RowFinding[],
): Importer {
  const { companyId, company, document, source } = destination
  const reader = new RowReader(definition, companyId)
  const target = targetOf(definition)
  const insertAll = async (tx: Tx, batch: Batch, reject: RejectRow): Promise<number> => {
    const full = quotaFindings(company, tx)
    const read = batch.rows.map((row) => {
      const { columns, findings } = reader.read(row.record)
      if (full) return { row, columns, findings: full }
      return { row, columns, findings: findings.length > 0 ? findings : complete(columns) }
    })
    const valid = read.filter(({ findings }) => findings.length === 0)
    const isInserted = await tx.insertRows(
      target,
      valid.map(({ columns }) => valuesFor(target, columns)),
    )
    const inserted = new Set(valid.filter((_row, at) => isInserted[at]))
    for (const one of read) {
      if (inserted.has(one)) continue
      const duplicate = [{ column: definition.key.at(-1) ?? '', message: ALREADY_EXISTS }]
      reject(one.row, one.findings.length > 0 ? one.findings : duplicate)
    }
    return inserted.size
  }
  return {
    batchSize: destination.isDryRun ? DRY_RUN_ROWS : 20_000,
    checkedTogether: DRY_RUN_ROWS,
    importBatch: (batch, reject) =>
      writeBatch(destination, async (tx) => {
        const inserted = await insertAll(tx, batch, reject)
        await putProgress(tx, document, source, batch.lastLine)
        if (inserted === 0) return { written: 0, unchanged: 0 }
        await writeRowsEntry(tx, document, [source, batch.rows[0]?.line ?? 0, batch.lastLine], inserted)
        return { written: inserted, unchanged: 0 }
      }),
  }
}

/** Columns that a row leaves out get the absent value of their type. */
function valuesFor({ columns }: RowTarget, given: ColumnValues): SqlValue[] {
  return columns.map(({ name, type }) => given[name] ?? absentColumn(type))
}

function absentColumn(type: ValueType): SqlValue {
  const absent = ABSENT[type]
  return typeof absent === 'boolean' ? Number(absent) : absent
}

/** Imports one record, with the parameters of the resource's endpoint. */
export type ImportRecord = (request: {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonObject
  readonly validateOnly: boolean
}) => Promise<Outcome>

/** Result for a record that was not rejected. */
export type Outcome = 'written' | 'unchanged'

/** Their writes share a commit. Between two such groups, clients of the company write: none may wait for long. */
const ROWS_AT_ONCE = 64

/** Imports rows under the rules of a resource, as POST does, each in a write of its own. */
export function recordImporter(
  { store, companyId, document, source, actor, isDryRun = false }: Destination,
  definition: DocumentDefinition,
  caller: Caller,
  importRecord: ImportRecord,
): Importer {
  const reader = new RowReader(definition, companyId)
  const importRow = async (row: ReadableRow, isResumed: boolean, reject: RejectRow): Promise<Outcome | 'rejected'> => {
    const findings = recordFindings(reader, row)
    if (findings.length > 0) {
      reject(row, findings)
      return 'rejected'
    }
    try {
      return await importRecord({
        caller,
        companyId,
        requestId: actor.requestId,
        body: row.record,
        validateOnly: isDryRun,
      })
    } catch (error) {
      if (isResumed && isAlreadyStored(error)) return 'written'
      reject(row, messagesOf(error))
      return 'rejected'
    }
  }
  return {
    batchSize: 4_096,
    checkedTogether: 1,
    importBatch: async ({ rows, lastLine, isResumed }, reject) => {
      const outcomes: (Outcome | 'rejected')[] = []
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        const some = rows.slice(at, at + ROWS_AT_ONCE)
        outcomes.push(...(await Promise.all(some.map((row) => importRow(row, isResumed, reject)))))
      }
      if (!isDryRun) await store.write(companyId, actor, (tx) => putProgress(tx, document, source, lastLine))
      const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
      return { written: count('written'), unchanged: count('unchanged') }
    },
  }
}

function isAlreadyStored(error: unknown): boolean {
  return error instanceof Problem && error.recordExists
}
