// Reads the rows of a file in constant memory: CSV with a header line, or NDJSON.
import { isObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../../base/strict-json.ts'
import { CellError, readCell } from './cell-forms.ts'
import type { ColumnPath, CsvColumn } from './csv-columns.ts'
import { type CsvRecord, cellsOf, csvRecords, hasMore } from './csv-records.ts'
import type { CsvTable } from './csv-table.ts'
import { linesOf, MAX_ROW_LENGTH } from './text-lines.ts'

export interface RowFinding {
  /** The path of the property, with its group as prefix; of a CSV file the heading where there is one. */
  readonly column: string
  readonly message: string
  /** As of the errors of the interface; absent where a row cannot be read, or breaks no rule of its resource. */
  readonly code?: number
}

export interface FileRow {
  /** Number of its first line, from 1. */
  readonly line: number
  /** The original text, for the rejects file. */
  readonly text: string
  /** The members; groups are objects. Absent in a row that could not be read. */
  readonly record?: JsonObject
  readonly problems?: readonly RowFinding[]
  /** The record of a row with problems, and where cells of it could not be read. */
  readonly rest?: RestOfRow
  /** The rows of other files that are items of its lists, by the names of these. */
  readonly items?: Readonly<Record<string, readonly FileRow[]>>
  /** The list of an item that belongs to no record. */
  readonly ofList?: string
}

interface RestOfRow {
  readonly record: JsonObject
  readonly unread: readonly ColumnPath[]
}

/** A row of which some cells could not be read. */
export interface PartlyReadRow extends FileRow {
  readonly problems: readonly RowFinding[]
  readonly rest: RestOfRow
}

/** A row that could be read. */
export interface ReadableRow extends FileRow {
  readonly record: JsonObject
}

/** Yields the rows of each chunk; `table`: of a CSV file. Throws a FileError for a file that is not of the format. */
export async function* readRows(bytes: AsyncIterable<Buffer>, table: CsvTable | undefined): AsyncGenerator<FileRow[]> {
  if (table) yield* readCsv(bytes, table)
  else yield* readNdjson(bytes)
}

/** A row that was read before, from its text. */
export function rowOfText(table: CsvTable | undefined, line: number, text: string): FileRow {
  return table ? rowOfCells(table, { ...cellsOf(text, table.separator), line, text }) : rowOfJson(line, text)
}

async function* readNdjson(bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow[]> {
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
  return { line, text, problems: [{ column, message }] }
}

async function* readCsv(bytes: AsyncIterable<Buffer>, table: CsvTable): AsyncGenerator<FileRow[]> {
  for await (const records of csvRecords(bytes, { separator: table.separator, width: table.width })) {
    const isFirst = (records[0]?.line ?? 0) <= table.headLine
    const rows = isFirst ? records.filter(({ line }) => line > table.headLine) : records
    yield rows
      .filter(({ cells }) => !cells || cells.some((cell) => cell.trim() !== ''))
      .map((record) => rowOfCells(table, record))
  }
}

function rowOfCells({ width, columns, hasItems, forms }: CsvTable, csv: CsvRecord): FileRow {
  const { line, text, cells, problem = '' } = csv
  if (!cells) return unreadable(line, text, problem)
  if (cells.length !== width && (cells.length < width || hasMore(cells, width))) {
    return unreadable(line, text, countMessage(cells.length, width))
  }
  const record: JsonObject = {}
  const problems: RowFinding[] = []
  const unread: ColumnPath[] = []
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]!
    if (column.type === 'none') continue
    try {
      const cell = column.computed ? column.computed(cells) : cells[index]
      if (cell) put(record, column.path, 0, readValue(cell, column, forms))
    } catch (error) {
      problems.push({ column: column.heading, message: messageOf(error) })
      unread.push(column.path)
    }
  }
  if (hasItems) removeGaps(record)
  if (problems.length > 0)
    return { line, text, problems, ...(unread.every(isOfRecord) ? { rest: { record, unread } } : {}) }
  return { line, text, record }
}

/** Items of lists have other numbers once the empty ones are left out. */
function isOfRecord(path: ColumnPath): boolean {
  return path.length > 0 && path.every((part) => typeof part === 'string')
}

function countMessage(cells: number, names: number): string {
  const remedy =
    cells < names
      ? 'a column that is always filled, moved to the end, keeps a spreadsheet from leaving out empty cells'
      : 'a cell with a separator in it must stand in quotes'
  return `${cells} cells, where the first line has ${names} names; ${remedy}`
}

function readValue(cell: string, { type, isConstant }: CsvColumn, forms: CsvTable['forms']): JsonValue {
  if (isConstant && type !== 'json') return cell
  if (cell.includes('\u0000')) throw new CellError('a text cannot have the character U+0000: remove it')
  if (type === 'json') return parseJson(cell)
  if (type === 'nameless') throw new CellError('a cell without a name in the first line')
  return type === 'none' ? '' : readCell(cell, type, forms)
}

function messageOf(error: unknown): string {
  if (error instanceof CellError) return error.message
  if (error instanceof JsonError) return `the list in it cannot be read: ${error.message}`
  throw error
}

function put(container: JsonObject | JsonValue[], path: ColumnPath, at: number, value: JsonValue): void {
  const name = path[at] ?? ''
  const inside = container as JsonObject
  if (at === path.length - 1) {
    inside[name] = value
    return
  }
  inside[name] ??= typeof path[at + 1] === 'number' ? [] : {}
  put(inside[name] as JsonObject, path, at + 1, value)
}

/** Items all of whose cells are empty are absent. */
function removeGaps(record: JsonObject): void {
  for (const [name, value] of Object.entries(record)) {
    if (Array.isArray(value)) record[name] = value.filter(() => true)
    else if (isObject(value)) removeGaps(value)
  }
}
