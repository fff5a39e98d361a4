// How far a batch operation is: stored with its rows, and with those that were rejected.

import { foldName } from '../base/text.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { ValueName } from '../records/shared/master-data/value-store.ts'
import type { Lease } from '../store/lease-table.ts'
import { forgetImportedRows, listImportedRows } from '../store/service-state/import-store.ts'
import type { ReadTx } from '../store/store.ts'
import { byAttribute } from '../transfer/missing-codes.ts'
import type { CompletedPart, ImportProgress } from '../transfer/progress.ts'
import type { FileRow, RowFinding } from '../transfer/rows/read-rows.ts'
import type { AddedCodes, BatchOperation, ReadWith, RejectedRow } from './batch-operation.ts'
import { addResult, advanceOperation, markRowDone, putForm } from './held-operation-store.ts'
import { MAX_RESULTS } from './operation-answer.ts'

/** As many findings are kept of one row, and as many characters of each text. */
const MAX_FINDINGS = 50
const MAX_MESSAGE = 500
const MAX_KEY_TEXT = 255

interface ReadRows {
  readonly definition: DocumentDefinition
  readonly readWith: ReadWith
}

export interface OperationProgress extends ImportProgress {
  /** The part is stored. */
  completed(part: CompletedPart): void
}

export async function progressOf(
  reading: ReadTx,
  lease: Lease,
  operation: BatchOperation,
  { definition, readWith }: ReadRows,
): Promise<OperationProgress> {
  const { id, document, line } = operation
  const rows = new Set(await listImportedRows(reading, document, id))
  let { codes: codesBefore, rejected: rejectedBefore } = operation
  return {
    doneUpTo: line,
    async put(tx, { lastLine, written, unchanged, codes = [], rejected: { all } }) {
      const rejected = all.toSorted(([one], [other]) => one.line - other.line)
      const counts = { written, unchanged, rejected: rejected.length }
      await advanceOperation(tx, lease, { line: lastLine, ...counts, at: tx.at })
      for (const [row, findings] of rejected.slice(0, Math.max(0, MAX_RESULTS - rejectedBefore))) {
        addResult(tx, lease, rejectedRow(definition, row, findings))
      }
      if (codes.length > 0) await putForm(tx, lease, { ...readWith, codes: withCodes(codesBefore, codes) })
      forgetImportedRows(tx, document, id)
    },
    completed({ rejected, codes = [] }) {
      codesBefore = withCodes(codesBefore, codes)
      rejectedBefore += rejected.all.length
    },
    putRow: (tx, done) => markRowDone(tx, lease, document, done),
    hasRow: (done) => rows.has(done),
  }
}

/** As many codes of each attribute are named; all are counted. */
const MAX_NAMED_CODES = 1_000

/** A dry run adds the same code for each part, and one beyond those that are named is counted again. */
function withCodes(before: readonly AddedCodes[], added: readonly ValueName[]): readonly AddedCodes[] {
  const all = new Map(before.map((codes) => [codes.attributeId, codes]))
  for (const [attributeId, given] of byAttribute(added)) {
    const { count, values } = all.get(attributeId) ?? { count: 0, values: [] }
    const known = new Set(values)
    const more = given.filter((value) => !known.has(value))
    const named = [...values, ...more].slice(0, MAX_NAMED_CODES)
    all.set(attributeId, { attributeId, count: count + more.length, values: named })
  }
  return [...all.values()]
}

function rejectedRow(definition: DocumentDefinition, row: FileRow, findings: readonly RowFinding[]): RejectedRow {
  const kept = findings.slice(0, MAX_FINDINGS).map(({ column, message, code }) => ({
    ...(code === undefined ? {} : { code }),
    field: column.slice(0, MAX_MESSAGE),
    message: message.slice(0, MAX_MESSAGE),
  }))
  return { line: row.line, key: keyOf(definition, row), findings: kept }
}

function keyOf({ key }: DocumentDefinition, { record = {} }: FileRow): RejectedRow['key'] {
  const given = new Map(Object.entries(record).map(([name, value]) => [foldName(name), value]))
  return Object.fromEntries(
    key.flatMap((name) => {
      const value = name === 'companyId' ? undefined : given.get(foldName(name))
      return value === undefined || value === null || typeof value === 'object'
        ? []
        : [[name, String(value).slice(0, MAX_KEY_TEXT)]]
    }),
  )
}
