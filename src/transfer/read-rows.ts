// The rows of a file, one after the other, in constant memory: CSV with a line of names first, or a JSON object a line.
import { type Readable, Transform } from 'node:stream'
import { TextDecoder } from 'node:util'
import { parse } from 'csv-parse'
import { JsonError, type JsonObject, type JsonValue, parseJson } from '../base/strict-json.ts'

export type RowFormat = 'csv' | 'ndjson'

export interface Row {
  /** Of the file, from 1. */
  readonly line: number
  /** As it stands in the file, for the file of rejects. */
  readonly text: string
  /** Its members; groups are objects. Absent where it could not be read. */
  readonly record?: JsonObject
  readonly problem?: { readonly column: string; readonly message: string }
}

/** No record of ours comes near it. */
const LONGEST_ROW = 1024 * 1024

/** Throws a FileError for a file that is not of the format as a whole. `checkNames` sees the names of a CSV file first. */
export async function* readRows(
  bytes: Readable,
  format: RowFormat,
  checkNames: (names: readonly string[]) => void,
): AsyncGenerator<Row> {
  if (format === 'csv') yield* readCsv(bytes, checkNames)
  else yield* readNdjson(bytes)
}

/** A file that cannot be imported at all. */
export class FileError extends Error {}

async function* readNdjson(bytes: Readable): AsyncGenerator<Row> {
  let line = 0
  for await (const text of linesOf(bytes)) {
    line += 1
    if (text !== undefined && text.trim() === '') continue
    yield rowOfJson(line, text)
  }
}

function rowOfJson(line: number, text: string | undefined): Row {
  if (text === undefined) return unreadable(line, '', `the line is longer than ${LONGEST_ROW} bytes`)
  try {
    const record = parseJson(text)
    if (isObject(record)) return { line, text, record }
    return unreadable(line, text, 'expected a JSON object')
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return unreadable(line, text, error.message, String(error.position + 1))
  }
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function unreadable(line: number, text: string, message: string, column = ''): Row {
  return { line, text, problem: { column, message } }
}

/** Lines without their ends; nothing for one that is too long, which is passed over as it is read. */
async function* linesOf(bytes: Readable): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let isTooLong = false
  for await (const chunk of bytes) {
    const lines = (rest + decoded(decoder, chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      yield isTooLong || line.length > LONGEST_ROW ? undefined : line.replace(/\r$/, '')
      isTooLong = false
    }
    if (rest.length > LONGEST_ROW) {
      isTooLong = true
      rest = ''
    }
  }
  if (isTooLong) yield undefined
  else if (rest !== '') yield rest
}

function decoded(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw new FileError('the file is not UTF-8', { cause })
  }
}

interface CsvRecord {
  readonly record: string[]
  readonly raw: string
  readonly info: { readonly lines: number }
}

async function* readCsv(bytes: Readable, checkNames: (names: readonly string[]) => void): AsyncGenerator<Row> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const asText = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      try {
        done(null, decoded(decoder, chunk))
      } catch (error) {
        done(error as Error)
      }
    },
  })
  const options = { info: true, raw: true, relax_column_count: true, skip_empty_lines: true }
  const parser = parse({ ...options, max_record_size: LONGEST_ROW })
  bytes.on('error', (error) => asText.destroy(error))
  asText.on('error', (error) => parser.destroy(error))
  const records = bytes.pipe(asText).pipe(parser) as AsyncIterable<CsvRecord>
  let names: readonly string[] | undefined
  try {
    for await (const { record, raw, info } of records) {
      if (names) yield rowOfCells(names, record, raw.replace(/\r?\n$/, ''), info.lines)
      else {
        names = record.map((name) => name.trim())
        checkNames(names)
      }
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw code?.startsWith('CSV_') ? new FileError(message, { cause: error }) : error
  }
}

function rowOfCells(names: readonly string[], cells: readonly string[], text: string, line: number): Row {
  if (cells.length !== names.length) {
    return unreadable(line, text, `${cells.length} cells, where the first line has ${names.length} names`)
  }
  const record: JsonObject = {}
  for (const [index, cell] of cells.entries()) {
    if (cell === '') continue
    try {
      put(record, (names[index] ?? '').split('.'), valueOfCell(cell))
    } catch (error) {
      if (!(error instanceof JsonError)) throw error
      return unreadable(line, text, `the list in it cannot be read: ${error.message}`, names[index])
    }
  }
  return { line, text, record }
}

/** An export puts an apostrophe before what a spreadsheet would take for a formula, and lists as JSON. */
function valueOfCell(cell: string): JsonValue {
  if (/^'+[=+\-@\t\r]/.test(cell)) return cell.slice(1)
  return cell.startsWith('[{') || cell === '[]' ? parseJson(cell) : cell
}

function put(record: JsonObject, path: readonly string[], value: JsonValue): void {
  const [name = '', ...inside] = path
  if (inside.length === 0) {
    record[name] = value
    return
  }
  const group = (record[name] ?? {}) as JsonObject
  record[name] = group
  put(group, inside, value)
}
