/** The end of the file with the position of the table: a comment and data added by mail programs may follow it. */
const TAIL_BYTES = 4_096
const HEAD_BYTES = 1_024
const TABLE_START_BYTES = 32

/** Whether the cross-reference table of a PDF is where `startxref` says. If not, a reader scans the complete file. */
export function hasCrossReferenceTable(content: Buffer): boolean {
  const start = content.subarray(0, HEAD_BYTES).indexOf('%PDF-')
  const tail = content.subarray(-TAIL_BYTES).toString('latin1')
  const offset = /startxref\s{1,4}(\d{1,10})/.exec(tail.slice(tail.lastIndexOf('startxref')))?.[1]
  if (start < 0 || offset === undefined) return false
  const at = start + Number(offset)
  const tableStart = content.subarray(at, at + TABLE_START_BYTES).toString('latin1')
  return /^\s*(?:xref|\d+\s+\d+\s+obj)/.test(tableStart)
}
