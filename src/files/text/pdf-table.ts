/** What comes behind the place of the table: a comment, and what mail programs add. */
const TAIL_BYTES = 4_096
const HEAD_BYTES = 1_024
const LONGEST_BEGINNING = 32

/** Whether the table of a PDF's objects is where its end says. Without it, a reader looks through the whole file. */
export function hasTable(content: Buffer): boolean {
  const start = content.subarray(0, HEAD_BYTES).indexOf('%PDF-')
  const tail = content.subarray(-TAIL_BYTES).toString('latin1')
  const place = /startxref\s{1,4}(\d{1,10})/.exec(tail.slice(tail.lastIndexOf('startxref')))?.[1]
  if (start < 0 || place === undefined) return false
  const at = start + Number(place)
  const beginning = content.subarray(at, at + LONGEST_BEGINNING).toString('latin1')
  return /^\s*(?:xref|\d+\s+\d+\s+obj)/.test(beginning)
}
