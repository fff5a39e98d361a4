// How the rows of one document are taken in: some at a time, each for itself; what is refused is told and left out.
import type { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { ABSENT, type DocumentDefinition, type ValueType } from '../model/document.ts'
import type { CompanyRules } from '../setup/rules.ts'
import { putProgress } from '../store/import-store.ts'
import { writeEntry } from '../store/journal.ts'
import type { SqlValue } from '../store/statement.ts'
import type { Actor, RowTarget, Store, Tx } from '../store/store.ts'
import type { CsvColumn, Row } from './read-rows.ts'
import { messagesOf, quotaFindings, recordFindings } from './record-findings.ts'
import { type ColumnValues, type RowFinding, RowReader } from './row-reader.ts'
import { targetOf } from './row-target.ts'

/** Tells of a row that was not taken in. */
export type Reject = (row: Row, findings: readonly RowFinding[]) => void

export interface ReadableRow extends Row {
  readonly record: JsonObject
}

export interface Batch {
  readonly rows: readonly ReadableRow[]
  /** The last line that is done with when the batch is. */
  readonly lastLine: number
  /** The first batch after an interruption: some of its rows may be there already. */
  readonly isResumed: boolean
}

export interface Importer {
  /** As many rows make a batch. */
  readonly batchSize: number
  /** What the names of a CSV file mean. Throws a FileError for those that mean nothing. */
  columnsOf(names: readonly string[]): readonly CsvColumn[]
  /** Takes a batch in, and keeps how far the file is. */
  take(batch: Batch, reject: Reject): Promise<Taken>
}

/** Rows of a batch that were not rejected. */
export interface Taken {
  readonly written: number
  /** Their records were there already, just so. */
  readonly unchanged: number
}

/** Where a file goes, and by whom it is brought. */
export interface Destination {
  readonly store: Store
  readonly companyId: string
  readonly company: CompanyRules
  readonly document: string
  /** Hash of the file. */
  readonly source: string
  readonly actor: Actor
}

const ALREADY_THERE = 'a record with this key exists already'

/** Rows straight into the table of a document; `complete` fills in what a row leaves out, or says what is wrong. */
export function tableImporter(
  { store, companyId, company, document, source, actor }: Destination,
  definition: DocumentDefinition,
  complete: (columns: ColumnValues) => readonly RowFinding[],
): Importer {
  const reader = new RowReader(definition, companyId)
  const target = targetOf(definition)
  const insertAll = async (tx: Tx, batch: Batch, reject: Reject): Promise<number> => {
    const full = quotaFindings(company, tx)
    const read = batch.rows.map((row) => {
      const { columns, findings } = reader.read(row.record)
      if (full) return { row, columns, findings: full }
      return { row, columns, findings: findings.length > 0 ? findings : complete(columns) }
    })
    const legal = read.filter(({ findings }) => findings.length === 0)
    const isInserted = await tx.insertRows(
      target,
      legal.map(({ columns }) => valuesFor(target, columns)),
    )
    const taken = new Set(legal.filter((_row, at) => isInserted[at]))
    for (const one of read) {
      if (taken.has(one)) continue
      const there = [{ column: definition.key.at(-1) ?? '', message: ALREADY_THERE }]
      reject(one.row, one.findings.length > 0 ? one.findings : there)
    }
    return taken.size
  }
  return {
    batchSize: 20_000,
    columnsOf: (names) => reader.columnsOf(names),
    take: (batch, reject) =>
      store.write(companyId, actor, async (tx) => {
        const taken = await insertAll(tx, batch, reject)
        await putProgress(tx, document, source, batch.lastLine)
        if (taken === 0) return { written: 0, unchanged: 0 }
        const key = ['import', source, batch.rows[0]?.line ?? 0, batch.lastLine]
        const after = JSON.stringify({ rows: taken })
        await writeEntry(tx, { entity: document, key, operation: 'create', before: '', after })
        return { written: taken, unchanged: 0 }
      }),
  }
}

/** What a row leaves out is absent. */
function valuesFor({ columns }: RowTarget, given: ColumnValues): SqlValue[] {
  return columns.map(({ name, type }) => given[name] ?? absentColumn(type))
}

function absentColumn(type: ValueType): SqlValue {
  const absent = ABSENT[type]
  return typeof absent === 'boolean' ? Number(absent) : absent
}

/** What a resource does with one record, in the words of its endpoint. */
export type TakeRecord = (request: {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonObject
}) => Promise<Outcome>

/** What became of a record that was not refused. */
export type Outcome = 'written' | 'unchanged'

/** Rows through the rules of a resource, as by POST, each in a write of its own. */
export function recordImporter(
  { store, companyId, document, source, actor }: Destination,
  definition: DocumentDefinition,
  caller: Caller,
  takeRecord: TakeRecord,
): Importer {
  const reader = new RowReader(definition, companyId)
  const take = async (row: ReadableRow, isResumed: boolean, reject: Reject): Promise<Outcome | 'rejected'> => {
    const findings = recordFindings(reader, row)
    if (findings.length > 0) {
      reject(row, findings)
      return 'rejected'
    }
    try {
      return await takeRecord({ caller, companyId, requestId: actor.requestId, body: row.record })
    } catch (error) {
      if (isResumed && isThereAlready(error)) return 'written'
      reject(row, messagesOf(error))
      return 'rejected'
    }
  }
  return {
    // Those that are written together share commits.
    batchSize: 4_096,
    columnsOf: (names) => reader.columnsOf(names),
    take: async ({ rows, lastLine, isResumed }, reject) => {
      const outcomes = await Promise.all(rows.map((row) => take(row, isResumed, reject)))
      await store.write(companyId, actor, (tx) => putProgress(tx, document, source, lastLine))
      const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
      return { written: count('written'), unchanged: count('unchanged') }
    },
  }
}

function isThereAlready(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.status === 409 || /already (?:connected|exists)|exists already/.test(error.message)
}
