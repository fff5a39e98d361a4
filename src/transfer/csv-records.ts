// The records of a CSV file (RFC 4180). One that is malformed is told, and those after it are read all the same.
import type { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { FileError, LONGEST_ROW, linesOf } from './text-lines.ts'

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

/** Records are parsed together, up to so many and so many characters. */
const AT_ONCE = 500
const CHARACTERS_AT_ONCE = 256 * 1024

/** Throws a FileError for what cannot be cut into records. Empty lines are none. */
export async function* csvRecords(bytes: Readable): AsyncGenerator<CsvRecord> {
  let [batch, characters]: [RawRecord[], number] = [[], 0]
  for await (const record of rawRecords(bytes)) {
    batch.push(record)
    characters += record.text.length
    if (batch.length < AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
    yield* parsed(batch)
    batch = []
    characters = 0
  }
  yield* parsed(batch)
}

/** A line, or as many as it takes until every quote that was opened is closed. */
async function* rawRecords(bytes: Readable): AsyncGenerator<RawRecord> {
  let open: RawRecord | undefined
  for await (const { no, text } of linesOf(bytes)) {
    if (text === undefined) throw new FileError(`line ${no} of the file is longer than ${LONGEST_ROW} bytes`)
    const record: RawRecord = open ? { line: open.line, text: `${open.text}\n${text}` } : { line: no, text }
    if (record.text.length > LONGEST_ROW) throw neverClosed(record)
    const endsHere = hasPairs(text) === (open === undefined)
    open = endsHere ? undefined : record
    if (!endsHere) continue
    const whole = record.text.replace(/\r$/, '')
    if (whole !== '') yield { line: record.line, text: whole }
  }
  if (open) throw neverClosed(open)
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

/** All at once, which is fast; each for itself when one of them is malformed. */
function* parsed(batch: readonly RawRecord[]): Generator<CsvRecord> {
  const all = parseTogether(batch)
  for (const [index, record] of batch.entries()) yield all ? { ...record, cells: all[index] ?? [] } : parseOne(record)
}

const OPTIONS = { record_delimiter: '\n', relax_column_count: true } as const

function parseTogether(batch: readonly RawRecord[]): string[][] | undefined {
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
