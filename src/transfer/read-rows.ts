// The rows of a file, one after the other, in constant memory: CSV with a line of names first, or a JSON object a line.
import type { Readable } from 'node:stream'
import { isObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../base/strict-json.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { FileError, LONGEST_ROW, linesOf } from './text-lines.ts'

export type RowFormat = 'csv' | 'ndjson'

export interface Row {
  /** Where it begins in the file, from 1. */
  readonly line: number
  /** As it stands in the file, for the file of rejects. */
  readonly text: string
  /** Its members; groups are objects. Absent where it could not be read. */
  readonly record?: JsonObject
  readonly problem?: { readonly column: string; readonly message: string }
}

/** Where the cells of a column belong. */
export interface CsvColumn {
  /** The names of the groups, and the property's own. */
  readonly path: readonly string[]
  /** Its cells are JSON. */
  readonly isList: boolean
}

/** What the names in the first line of a CSV file mean. Throws a FileError for those that mean nothing. */
export type ReadNames = (names: readonly string[]) => readonly CsvColumn[]

/** As many as have come together. Throws a FileError for a file that is not of the format as a whole. */
export async function* readRows(bytes: Readable, format: RowFormat, readNames: ReadNames): AsyncGenerator<Row[]> {
  if (format === 'csv') yield* readCsv(bytes, readNames)
  else yield* readNdjson(bytes)
}

async function* readNdjson(bytes: Readable): AsyncGenerator<Row[]> {
  for await (const lines of linesOf(bytes)) {
    yield lines.flatMap(({ no, text }) => {
      if (text === undefined) return unreadable(no, '', `the line is longer than ${LONGEST_ROW} bytes`)
      return text.trim() === '' ? [] : rowOfJson(no, text.replace(/\r$/, ''))
    })
  }
}

function rowOfJson(line: number, text: string): Row {
  try {
    const record = parseJson(text)
    if (isObject(record)) return { line, text, record }
    return unreadable(line, text, 'expected a JSON object')
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return unreadable(line, text, error.message, String(error.position + 1))
  }
}

function unreadable(line: number, text: string, message: string, column = ''): Row {
  return { line, text, problem: { column, message } }
}

async function* readCsv(bytes: Readable, readNames: ReadNames): AsyncGenerator<Row[]> {
  let columns: readonly CsvColumn[] | undefined
  for await (const records of csvRecords(bytes)) {
    const known = columns ?? columnsIn(records[0], readNames)
    yield (columns ? records : records.slice(1)).map((record) => rowOfCells(known, record))
    columns = known
  }
}

function columnsIn(first: CsvRecord | undefined, readNames: ReadNames): readonly CsvColumn[] {
  if (!first?.cells) throw new FileError(`the first line cannot be read: ${first?.problem}`)
  return readNames(first.cells.map((name) => name.trim()))
}

function rowOfCells(columns: readonly CsvColumn[], { line, text, cells, problem = '' }: CsvRecord): Row {
  if (!cells) return unreadable(line, text, problem)
  if (cells.length !== columns.length) {
    return unreadable(line, text, `${cells.length} cells, where the first line has ${columns.length} names`)
  }
  const record: JsonObject = {}
  for (let index = 0; index < columns.length; index++) {
    const cell = cells[index]
    if (!cell) continue
    const { path, isList } = columns[index]!
    try {
      put(record, path, isList ? parseJson(cell) : withoutGuard(cell))
    } catch (error) {
      if (!(error instanceof JsonError)) throw error
      return unreadable(line, text, `the list in it cannot be read: ${error.message}`, path.join('.'))
    }
  }
  return { line, text, record }
}

/** An export puts an apostrophe before what a spreadsheet would take for a formula. */
function withoutGuard(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
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
