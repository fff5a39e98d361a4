// The records of a CSV file (RFC 4180) with any separator. A malformed record is reported, and reading continues after
// it.
import { parse } from 'csv-parse/sync'
import { FileError, type Line, linesOf, MAX_ROW_LENGTH } from './text-lines.ts'

export interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number
  /** The original text, without its line end. */
  readonly text: string
  /** Absent in a malformed record. */
  readonly cells?: readonly string[]
  readonly problem?: string
}

export type RawRecord = Pick<CsvRecord, 'line' | 'text'>

/** Yields the records of each chunk. Throws a FileError where records cannot be told apart. Empty lines are skipped. */
export async function* csvRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawRecord[]> {
  let open: RawRecord | undefined
  for await (const lines of linesOf(bytes)) {
    const records: RawRecord[] = []
    for (const line of lines) {
      const record = appendLine(open, line)
      const endsHere = hasEvenQuotes(line.text ?? '') === (open === undefined)
      open = endsHere ? undefined : record
      if (!endsHere) continue
      const text = record.text.endsWith('\r') ? record.text.slice(0, -1) : record.text
      if (text !== '') records.push({ line: record.line, text })
    }
    if (records.length > 0) yield records
  }
  if (open) throw neverClosed(open)
}

/** A record continues over further lines until every opened quote is closed. */
function appendLine(open: RawRecord | undefined, { no, text }: Line): RawRecord {
  if (text === undefined) throw new FileError(`line ${no} of the file is longer than ${MAX_ROW_LENGTH} bytes`)
  const record = open ? { line: open.line, text: `${open.text}\n${text}` } : { line: no, text }
  if (record.text.length > MAX_ROW_LENGTH) throw neverClosed(record)
  return record
}

function neverClosed({ line }: RawRecord): FileError {
  return new FileError(`a quote that is opened in line ${line} of the file is not closed`)
}

/** Whether the number of quotes is even. */
function hasEvenQuotes(text: string): boolean {
  let isEven = true
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isEven = !isEven
  return isEven
}

/** Splits records without quotes at their separators. Parses the others together, or one by one if any is malformed. */
export function parseRecords(records: readonly RawRecord[], separator: string): CsvRecord[] {
  const quoted = records.filter(({ text }) => text.includes('"'))
  const all = parseTogether(quoted, separator)
  let next = 0
  return records.map((record) => {
    if (!record.text.includes('"')) return { ...record, cells: record.text.split(separator) }
    return all ? { ...record, cells: all[next++] ?? [] } : parseOne(record, separator)
  })
}

function optionsFor(delimiter: string) {
  return { record_delimiter: '\n', relax_column_count: true, delimiter } as const
}

function parseTogether(batch: readonly RawRecord[], separator: string): string[][] | undefined {
  if (batch.length === 0) return []
  try {
    const all = parse(batch.map(({ text }) => text).join('\n'), optionsFor(separator))
    return all.length === batch.length ? all : undefined
  } catch {
    return undefined
  }
}

export function parseOne(record: RawRecord, separator: string): CsvRecord {
  try {
    const [cells = []] = parse(record.text, optionsFor(separator))
    return { ...record, cells }
  } catch (error) {
    // The library counts lines within the text that it was given.
    const problem = (error as Error).message.replace(/ at line \d+/, '')
    return { ...record, problem }
  }
}
