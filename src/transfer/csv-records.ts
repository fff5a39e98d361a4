// The records of a CSV file (RFC 4180). One that is malformed is told, and those after it are read all the same.
import type { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { FileError, type Line, LONGEST_ROW, linesOf } from './text-lines.ts'

export interface CsvRecord {
  /** Where it begins, from 1. */
  readonly line: number
  /** As it stands in the file, without its line end. */
  readonly text: string
  /** Absent where it is malformed. */
  readonly cells?: readonly string[]
  readonly problem?: string
}

type RawRecord = Pick<CsvRecord, 'line' | 'text'>

/** As many as have come together. Throws a FileError for what cannot be cut into records. Empty lines are none. */
export async function* csvRecords(bytes: Readable): AsyncGenerator<CsvRecord[]> {
  let open: RawRecord | undefined
  for await (const lines of linesOf(bytes)) {
    const records: RawRecord[] = []
    for (const line of lines) {
      const record = joined(open, line)
      const endsHere = hasPairs(line.text ?? '') === (open === undefined)
      open = endsHere ? undefined : record
      if (!endsHere) continue
      const whole = record.text.endsWith('\r') ? record.text.slice(0, -1) : record.text
      if (whole !== '') records.push({ line: record.line, text: whole })
    }
    if (records.length > 0) yield parsed(records)
  }
  if (open) throw neverClosed(open)
}

/** A record goes on over as many lines as it takes until every quote that was opened is closed. */
function joined(open: RawRecord | undefined, { no, text }: Line): RawRecord {
  if (text === undefined) throw new FileError(`line ${no} of the file is longer than ${LONGEST_ROW} bytes`)
  const record = open ? { line: open.line, text: `${open.text}\n${text}` } : { line: no, text }
  if (record.text.length > LONGEST_ROW) throw neverClosed(record)
  return record
}

function neverClosed({ line }: RawRecord): FileError {
  return new FileError(`a quote that is opened in line ${line} of the file is not closed`)
}

/** Whether the number of quotes is even. */
function hasPairs(text: string): boolean {
  let isEven = true
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isEven = !isEven
  return isEven
}

/** A record without a quote is cut at its commas; the others are parsed together, or each for itself when one is malformed. */
function parsed(records: readonly RawRecord[]): CsvRecord[] {
  const quoted = records.filter(({ text }) => text.includes('"'))
  const all = parseTogether(quoted)
  let next = 0
  return records.map((record) => {
    if (!record.text.includes('"')) return { ...record, cells: record.text.split(',') }
    return all ? { ...record, cells: all[next++] ?? [] } : parseOne(record)
  })
}

const OPTIONS = { record_delimiter: '\n', relax_column_count: true } as const

function parseTogether(batch: readonly RawRecord[]): string[][] | undefined {
  if (batch.length === 0) return []
  try {
    const all = parse(batch.map(({ text }) => text).join('\n'), OPTIONS)
    return all.length === batch.length ? all : undefined
  } catch {
    return undefined
  }
}

function parseOne(record: RawRecord): CsvRecord {
  try {
    const [cells = []] = parse(record.text, OPTIONS)
    return { ...record, cells }
  } catch (error) {
    // The library counts lines within what it was given.
    const problem = (error as Error).message.replace(/ at line \d+/, '')
    return { ...record, problem }
  }
}
