// Imports the rows of one document in batches. A rejected row is reported and skipped, and does not affect the others.

import type { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { ABSENT, type DocumentDefinition, type ValueType } from '../model/document.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { SqlValue } from '../store/dialects/dialect.ts'
import { writeEntry } from '../store/journal/journal.ts'
import { putProgress } from '../store/service-state/import-store.ts'
import type { Actor, RowTarget, Store, Tx } from '../store/store.ts'
import type { CsvColumn, FileRow, ReadableRow } from './read-rows.ts'
import { messagesOf, quotaFindings, recordFindings } from './record-findings.ts'
import { type ColumnValues, type RowFinding, RowReader } from './row-reader.ts'
import { targetOf } from './row-target.ts'

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
  /** Resolves the column names of a CSV file. Throws a FileError for unknown names. */
  columnsOf(names: readonly string[]): readonly CsvColumn[]
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
}

const ALREADY_EXISTS = 'a record with this key exists already'

/** Inserts rows directly into the table of a document. `complete` fills in defaults, or returns what is wrong. */
export function tableImporter(
  { store, companyId, company, document, source, actor }: Destination,
  definition: DocumentDefinition,
  complete: (columns: ColumnValues) => readonly RowFinding[],
): Importer {
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
    batchSize: 20_000,
    columnsOf: (names) => reader.columnsOf(names),
    importBatch: (batch, reject) =>
      store.write(companyId, actor, async (tx) => {
        const inserted = await insertAll(tx, batch, reject)
        await putProgress(tx, document, source, batch.lastLine)
        if (inserted === 0) return { written: 0, unchanged: 0 }
        const key = ['import', source, batch.rows[0]?.line ?? 0, batch.lastLine]
        const after = JSON.stringify({ rows: inserted })
        await writeEntry(tx, { entity: document, key, operation: 'create', before: '', after })
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
}) => Promise<Outcome>

/** Result for a record that was not rejected. */
export type Outcome = 'written' | 'unchanged'

/** Imports rows under the rules of a resource, as POST does, each in a write of its own. */
export function recordImporter(
  { store, companyId, document, source, actor }: Destination,
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
      return await importRecord({ caller, companyId, requestId: actor.requestId, body: row.record })
    } catch (error) {
      if (isResumed && isAlreadyStored(error)) return 'written'
      reject(row, messagesOf(error))
      return 'rejected'
    }
  }
  return {
    // Writes of one batch run concurrently and share commits.
    batchSize: 4_096,
    columnsOf: (names) => reader.columnsOf(names),
    importBatch: async ({ rows, lastLine, isResumed }, reject) => {
      const outcomes = await Promise.all(rows.map((row) => importRow(row, isResumed, reject)))
      await store.write(companyId, actor, (tx) => putProgress(tx, document, source, lastLine))
      const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
      return { written: count('written'), unchanged: count('unchanged') }
    },
  }
}

function isAlreadyStored(error: unknown): boolean {
  return error instanceof Problem && error.recordExists
}
