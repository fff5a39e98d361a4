// Imports the rows of a file in parts. An interrupted import goes on after the last stored part.
import type { Importer } from './importer.ts'
import type { CompletedPart } from './progress.ts'
import { RejectedRows, type RejectRow } from './rejected-rows.ts'
import { asUtf8 } from './rows/as-utf8.ts'
import { headingsByFinding } from './rows/csv-columns.ts'
import { cellsOf } from './rows/csv-records.ts'
import type { CsvTable } from './rows/csv-table.ts'
import { type FileRow, type ReadableRow, type RowFinding, readRows } from './rows/read-rows.ts'
import type { TextForm } from './rows/text-form.ts'

export interface RowsTask {
  readonly bytes: AsyncIterable<Buffer>
  readonly text: TextForm
  /** How a CSV file is read; undefined for NDJSON. */
  readonly table: CsvTable | undefined
  readonly importer: Importer
  /** The last line that an earlier run has completed. */
  readonly doneUpTo: number
  /** Called when the part of a row is stored. Findings of a row of a CSV file name the headings of the file. */
  readonly reject?: RejectRow
  /** Called when a part is stored. */
  onPart(part: CompletedPart): void | Promise<void>
}

/** A part ends at this size too, so that parts of long rows are smaller. */
const MAX_PART_CHARACTERS = 8 * 1024 * 1024

export async function importRows({ bytes, text, table, importer, doneUpTo, reject, onPart }: RowsTask) {
  const imported = { written: 0, unchanged: 0 }
  let [part, characters]: [FileRow[], number] = [[], 0]
  const flush = async () => {
    const lastLine = part.at(-1)?.line
    if (lastLine === undefined) return
    const rejected = new RejectedRows((row, findings) => withHeadings(table, row, findings))
    for (const row of part) if (row.problems) rejected.add(row, row.problems)
    const counts = await importer.importBatch({ rows: part.filter(isReadable), lastLine, rejected })
    for (const [row, findings] of rejected.all) reject?.(row, findings)
    imported.written += counts.written
    imported.unchanged += counts.unchanged
    part = []
    characters = 0
    await onPart({ lastLine, rejected, ...counts })
  }
  for await (const rows of readRows(asUtf8(bytes, text), table)) {
    for (const row of rows) {
      if (row.line <= doneUpTo) continue
      part.push(row)
      characters += row.text.length
      if (part.length >= importer.batchSize || characters >= MAX_PART_CHARACTERS) await flush()
    }
  }
  await flush()
  return imported
}

function isReadable(row: FileRow): row is ReadableRow {
  return row.record !== undefined
}

function withHeadings(table: CsvTable | undefined, row: FileRow, findings: readonly RowFinding[]) {
  if (!table || row.problems) return findings
  const headings = headingsByFinding(table.columns, cellsOf(row.text, table.separator).cells ?? [])
  return findings.map((finding) => ({ ...finding, column: headings.get(finding.column) ?? finding.column }))
}
