// Imports the rows of one document in batches. A rejected row is reported and skipped, and does not affect the others.

import type { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { ABSENT, type DocumentDefinition, type ValueType } from '../model/document.ts'
import { requireOwnRecords } from '../records/shared/mirrored.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { SqlValue } from '../sql/dialect.ts'
import { writeRowsEntry } from '../store/journal/journal.ts'
import { rolledBack } from '../store/rolled-back.ts'
import { requireLatestRules } from '../store/setup-version.ts'
import type { Actor, RowTarget, Store, Tx } from '../store/store.ts'
import type { ImportCounts, ImportProgress } from './progress.ts'
import { messagesOf, quotaFindings, recordFindings } from './record-findings.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { type ColumnValues, RowReader } from './row-reader.ts'
import { targetOf } from './row-target.ts'
import type { PartlyReadRow, ReadableRow, RowFinding } from './rows/read-rows.ts'

export interface Batch {
  readonly rows: readonly ReadableRow[]
  /** They are rejected with everything that is wrong with them. */
  readonly partlyRead: readonly PartlyReadRow[]
  /** The last line that is completed with the batch. */
  readonly lastLine: number
  readonly rejected: RejectedRows
}

export interface Importer {
  /** Number of rows in a batch. */
  readonly batchSize: number
  /** How many rows a dry run checks together; rows of other parts are missing then. */
  readonly checkedTogether: number
  /** Imports a batch and stores the progress in the file. */
  importBatch(batch: Batch): Promise<ImportCounts>
}

/** The target of an import, and the actor for the journal. */
export interface Destination {
  readonly store: Store
  readonly companyId: string
  readonly company: CompanyRules
  /** The version of the company's rules. */
  readonly setupVersion: number
  readonly document: string
  /** Hash of the file. */
  readonly source: string
  readonly actor: Actor
  /** Whose rights hold. */
  readonly caller: Caller
  readonly progress: ImportProgress
  /** At most as many rows in a write; default: as many as are written fastest. */
  readonly rowsAtOnce?: number
  /** Checks only: everything is done as in an import, and rolled back. */
  readonly isDryRun?: boolean
}

/** Rows that a dry run writes, and rolls back, at once. */
const DRY_RUN_ROWS = 10_000

/** How many rows are written, or checked, at once; `fastest`: where nobody else waits for the write. */
export function sizesOf({ isDryRun, rowsAtOnce }: Destination, fastest: number) {
  const checkedTogether = rowsAtOnce ?? DRY_RUN_ROWS
  return { batchSize: isDryRun ? checkedTogether : (rowsAtOnce ?? fastest), checkedTogether }
}

/** Fewer rows are stored before a thread has started. */
const LARGE = 1_000

/** Writes a batch at once. */
export function writeBatch<T>(
  { store, companyId, company, actor, setupVersion, isDryRun }: Destination,
  { rows, rejected }: Batch,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  requireOwnRecords(company)
  const takeBack = rejected.mark()
  const checked = (tx: Tx) => {
    // A transaction that gave way may have rejected rows.
    takeBack()
    requireLatestRules(tx, setupVersion)
    return work(tx)
  }
  // A quota must know what is stored.
  const isLarge = rows.length >= LARGE && company.quotas.journalBytes === undefined
  return isDryRun
    ? rolledBack((tried) => store.write(companyId, actor, tried, isLarge), checked)
    : store.write(companyId, actor, checked, isLarge)
}

/** What is read of the rows of a larger group is copied by the garbage collector. */
const ROWS_READ_TOGETHER = 1_000

const ALREADY_EXISTS = 'a record with this key exists already'

/** Inserts rows directly into the table of a document. `complete` fills in defaults, or returns what is wrong. */
export function tableImporter(
  destination: Destination,
  definition: DocumentDefinition,
  complete: (columns: ColumnValues) => readonly RowFinding[],
): Importer {
  const { companyId, company, document, source, progress } = destination
  const reader = new RowReader(definition, companyId)
  const target = targetOf(definition)
  const duplicate = [{ column: definition.key.at(-1) ?? '', message: ALREADY_EXISTS }]
  /** Sends rows to be inserted; what is returned waits for them, and counts those that were. */
  const send = (tx: Tx, rows: readonly ReadableRow[]) => {
    const full = quotaFindings(company, tx)
    const read = rows.map((row) => {
      const { columns, findings } = reader.read(row.record)
      if (full) return { row, columns, findings: full }
      return { row, columns, findings: findings.length > 0 ? findings : complete(columns) }
    })
    const valid = read.filter(({ findings }) => findings.length === 0).map(({ columns }) => columns)
    const given = givenColumns(target, valid)
    const inserting = tx.insertRows(
      given,
      valid.map((row) => given.columns.map(({ name, type }) => row[name] ?? absentColumn(type))),
    )
    // A failure is told to whoever waits.
    inserting.catch(() => {})
    return async (rejected: RejectedRows): Promise<number> => {
      const isInserted = await inserting
      let [at, inserted] = [0, 0]
      for (const { row, findings } of read) {
        if (findings.length > 0) rejected.add(row, findings)
        else if (isInserted[at++]) inserted += 1
        else rejected.add(row, duplicate)
      }
      return inserted
    }
  }
  const insertAll = async (tx: Tx, { rows, partlyRead, rejected }: Batch): Promise<number> => {
    let inserted = 0
    for (const row of partlyRead) rejected.add(row, [...row.problems, ...reader.read(row.rest.record).findings])
    let sent = async (_rejected: RejectedRows) => 0
    for (let at = 0; at < rows.length; at += ROWS_READ_TOGETHER) {
      // The next rows are read while these are inserted.
      const next = send(tx, rows.slice(at, at + ROWS_READ_TOGETHER))
      inserted += await sent(rejected)
      sent = next
    }
    return inserted + (await sent(rejected))
  }
  return {
    ...sizesOf(destination, 20_000),
    importBatch: (batch) =>
      writeBatch(destination, batch, async (tx) => {
        const written = await insertAll(tx, batch)
        await progress.put(tx, { ...batch, written, unchanged: 0 })
        if (written > 0) {
          writeRowsEntry(tx, document, [source, batch.rows[0]?.line ?? 0, batch.lastLine], written)
        }
        return { written, unchanged: 0 }
      }),
  }
}

/** The target without the columns that no row gives: they have the absent value of their type by themselves. */
function givenColumns(target: RowTarget, rows: readonly ColumnValues[]): RowTarget {
  const given = new Set(target.key)
  for (const columns of rows) for (const name in columns) given.add(name)
  return { ...target, columns: target.columns.filter(({ name }) => given.has(name)) }
}

/** What stands in a column that a row leaves out. */
function absentColumn(type: ValueType): SqlValue {
  const absent = ABSENT[type]
  return typeof absent === 'boolean' ? Number(absent) : absent
}

/** The parameters of the resource's endpoint. */
interface ImportRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonObject
  readonly validateOnly: boolean
  /** Called within the write of the record, after it. */
  readonly storeResponse: (tx: Tx) => Promise<void>
}

type ImportRecord = (request: ImportRequest) => Promise<Outcome>

/** Result for a record that was not rejected. */
type Outcome = 'written' | 'unchanged'

/** Their writes share a commit. Between two such groups, clients of the company write: none may wait for long. */
const ROWS_AT_ONCE = 64

/** Imports rows under the rules of a resource, as POST does, each in a write of its own. */
export function recordImporter(
  { store, companyId, actor, caller, progress, isDryRun = false, rowsAtOnce = ROWS_AT_ONCE }: Destination,
  definition: DocumentDefinition,
  importRecord: ImportRecord,
  findingsOf: (reader: RowReader, row: ReadableRow) => readonly RowFinding[] = recordFindings,
): Importer {
  const reader = new RowReader(definition, companyId)
  const importRow = async (row: ReadableRow, rejected: RejectedRows): Promise<Outcome | 'rejected'> => {
    if (progress.hasRow(row.line)) return 'written'
    const findings = findingsOf(reader, row)
    if (findings.length > 0) {
      rejected.add(row, findings)
      return 'rejected'
    }
    try {
      return await importRecord({
        caller,
        companyId,
        requestId: actor.requestId,
        body: row.record,
        validateOnly: isDryRun,
        storeResponse: (tx) => progress.putRow(tx, row.line),
      })
    } catch (error) {
      rejected.add(row, messagesOf(error))
      return 'rejected'
    }
  }
  const atOnce = Math.min(rowsAtOnce, ROWS_AT_ONCE)
  return {
    batchSize: isDryRun ? rowsAtOnce : 64 * atOnce,
    checkedTogether: 1,
    importBatch: async ({ rows, partlyRead, lastLine, rejected }) => {
      for (const row of partlyRead)
        rejected.add(row, [...row.problems, ...findingsOf(reader, { ...row, record: row.rest.record })])
      const outcomes: (Outcome | 'rejected')[] = []
      for (let at = 0; at < rows.length; at += atOnce) {
        const some = rows.slice(at, at + atOnce)
        outcomes.push(...(await Promise.all(some.map((row) => importRow(row, rejected)))))
      }
      const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
      const counts = { written: count('written'), unchanged: count('unchanged') }
      if (!isDryRun) await store.write(companyId, actor, (tx) => progress.put(tx, { lastLine, rejected, ...counts }))
      return counts
    },
  }
}
