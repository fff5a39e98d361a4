// Reads the rows of a file in constant memory: CSV with a header line, or NDJSON.
import type { Readable } from 'node:stream'
import { isObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../base/strict-json.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { FileError, linesOf, MAX_ROW_LENGTH } from './text-lines.ts'

export type RowFormat = 'csv' | 'ndjson'

export interface FileRow {
  /** Number of its first line, from 1. */
  readonly line: number
  /** The original text, for the rejects file. */
  readonly text: string
  /** The members; groups are objects. Absent in a row that could not be read. */
  readonly record?: JsonObject
  readonly problem?: { readonly column: string; readonly message: string }
}

/** A row that could be read. */
export interface ReadableRow extends FileRow {
  readonly record: JsonObject
}

/** The property that the cells of a column belong to. */
export interface CsvColumn {
  /** The names of the groups and of the property. */
  readonly path: readonly string[]
  /** The cells are JSON. */
  readonly isList: boolean
}

/** Resolves the names in the header line of a CSV file. Throws a FileError for unknown names. */
export type ReadNames = (names: readonly string[]) => readonly CsvColumn[]

/** Yields the rows of each chunk. Throws a FileError for a file that is not of the format at all. */
export async function* readRows(bytes: Readable, format: RowFormat, readNames: ReadNames): AsyncGenerator<FileRow[]> {
  if (format === 'csv') yield* readCsv(bytes, readNames)
  else yield* readNdjson(bytes)
}

async function* readNdjson(bytes: Readable): AsyncGenerator<FileRow[]> {
  for await (const lines of linesOf(bytes)) {
    yield lines.flatMap(({ no, text }) => {
      if (text === undefined) return unreadable(no, '', `the line is longer than ${MAX_ROW_LENGTH} bytes`)
      return text.trim() === '' ? [] : rowOfJson(no, text.replace(/\r$/, ''))
    })
  }
}

function rowOfJson(line: number, text: string): FileRow {
  try {
    const record = parseJson(text)
    if (isObject(record)) return { line, text, record }
    return unreadable(line, text, 'expected a JSON object')
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return unreadable(line, text, error.message, String(error.position + 1))
  }
}

function unreadable(line: number, text: string, message: string, column = ''): FileRow {
  return { line, text, problem: { column, message } }
}

async function* readCsv(bytes: Readable, readNames: ReadNames): AsyncGenerator<FileRow[]> {
  let columns: readonly CsvColumn[] | undefined
  for await (const records of csvRecords(bytes)) {
    const knownColumns = columns ?? readHeader(records[0], readNames)
    yield (columns ? records : records.slice(1)).map((record) => rowOfCells(knownColumns, record))
    columns = knownColumns
  }
}

function readHeader(first: CsvRecord | undefined, readNames: ReadNames): readonly CsvColumn[] {
  if (!first?.cells) throw new FileError(`the first line cannot be read: ${first?.problem}`)
  return readNames(first.cells.map((name) => name.trim()))
}

function rowOfCells(columns: readonly CsvColumn[], { line, text, cells, problem = '' }: CsvRecord): FileRow {
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
      put(record, path, isList ? parseJson(cell) : withoutFormulaGuard(cell))
    } catch (error) {
      if (!(error instanceof JsonError)) throw error
      return unreadable(line, text, `the list in it cannot be read: ${error.message}`, path.join('.'))
    }
  }
  return { line, text, record }
}

/** Removes the apostrophe that an export puts before a text which a spreadsheet would evaluate as a formula. */
function withoutFormulaGuard(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

function put(record: JsonObject, path: readonly string[], value: JsonValue): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    record[name] = value
    return
  }
  const group = (record[name] ?? {}) as JsonObject
  record[name] = group
  put(group, rest, value)
}
