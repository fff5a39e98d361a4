// The records of a CSV file (RFC 4180) with any separator. A malformed record is reported, and reading continues after
// it. Only a quote at the start of a cell opens it; any other is a letter.
import { SEPARATORS } from './separators.ts'
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

/** What tells records apart. */
export interface CsvShape {
  readonly separator: string
  /** The number of cells in a row; absent where it is not known. */
  readonly width?: number
}

/** For the line of names, as long as its separator is to be found. */
export const ANY_SEPARATOR: CsvShape = { separator: SEPARATORS.join('') }

/** Yields the records of each chunk. Throws a FileError for a line that is too long. Empty lines are skipped. */
export async function* csvRecords(bytes: AsyncIterable<Buffer>, shape: CsvShape): AsyncGenerator<CsvRecord[]> {
  const reader = new RecordReader(shape)
  for await (const lines of linesOf(bytes)) {
    const records = lines.flatMap((line) => reader.take(line))
    if (records.length > 0) yield records
  }
  const records = reader.end()
  if (records.length > 0) yield records
}

export function cellsOf(text: string, separator: string): CsvRecord {
  const reader = new RecordReader({ separator })
  const records = text.split('\n').flatMap((line, index) => reader.take({ no: index + 1, text: line }))
  return records[0] ?? reader.end()[0] ?? { line: 1, text, cells: [''] }
}

/** Cells, or what is wrong with them; undefined while a quote is open. */
type Read = Pick<CsvRecord, 'cells' | 'problem'> | undefined

/** This many lines that are rows themselves are not the text of one cell. */
const MISTAKEN_LINES = 2
/** Texts have commas too, but rarely two in each line. */
const MISTAKEN_WIDTH = 3

/** More than any record has properties, with all items of its lists. */
const MAX_CELLS = 10_000
const TOO_MANY_CELLS: Read = { problem: `the row has more than ${MAX_CELLS} cells` }

class RecordReader {
  readonly #separator: string
  readonly #width: number | undefined
  /** The lines of the record whose quote is open. */
  #lines: { no: number; text: string }[] = []
  #length = 0
  #cells: string[] = []
  /** What the open cell has so far. */
  #quoted: string | undefined

  constructor({ separator, width }: CsvShape) {
    this.#separator = separator
    this.#width = width
  }

  take({ no, text }: Line): CsvRecord[] {
    if (text === undefined) throw new FileError(`line ${no} of the file is longer than ${MAX_ROW_LENGTH} bytes`)
    this.#lines.push({ no, text })
    this.#length += text.length
    const read = this.#read(text, no)
    if (!read) return this.#length > MAX_ROW_LENGTH ? this.#firstAlone() : []
    if (this.#lines.length > 1 && this.#isMistaken(read)) return this.#firstAlone()
    return this.#record(read)
  }

  /** The records of a quote that is open at the end of the file. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = []
    while (this.#lines.length > 0) records.push(...this.#firstAlone())
    return records
  }

  #record(read: NonNullable<Read>): CsvRecord[] {
    const lines = this.#restart()
    const text = withoutReturn(lines.map((line) => line.text).join('\n'))
    return text === '' ? [] : [{ line: lines[0]?.no ?? 0, text, ...read }]
  }

  #restart() {
    const lines = this.#lines
    this.#lines = []
    this.#length = 0
    this.#cells = []
    this.#quoted = undefined
    return lines
  }

  /** The first line has a quote by mistake: those behind it are read again. */
  #firstAlone(): CsvRecord[] {
    const [first, ...others] = this.#restart()
    if (!first) return []
    const problem = `a quote that is opened in line ${first.no} is not closed; a quote that is a letter is written twice, in a cell in quotes`
    const record = { line: first.no, text: withoutReturn(first.text), problem }
    return [record, ...others.flatMap((line) => this.take(line))]
  }

  /** Whether the quote of the first line has taken in other rows. */
  #isMistaken({ cells }: NonNullable<Read>): boolean {
    const [, second, ...others] = this.#lines.map(({ text }) => text)
    const between = [second ?? '', ...others].slice(0, -1)
    if (cells && this.#isComplete(cells)) {
      const isTable = between.length >= MISTAKEN_LINES && (this.#width ?? 0) >= MISTAKEN_WIDTH
      return isTable && between.every((line) => this.#isRow(line))
    }
    // What is no row, as it is or for a quote of its own, is the text of the cell.
    const alone = cellsIn(second ?? '', this.#separator)
    return alone === undefined || this.#isComplete(alone)
  }

  #isRow(line: string): boolean {
    const cells = cellsIn(line, this.#separator)
    return cells !== undefined && this.#isComplete(cells)
  }

  /** Spreadsheets write empty cells to the right of the last column that was ever used. */
  #isComplete(cells: readonly string[]): boolean {
    return this.#width !== undefined && cells.length >= this.#width && !hasMore(cells, this.#width)
  }

  #read(line: string, no: number): Read {
    if (this.#quoted === undefined && this.#separator.length === 1 && !line.includes('"')) {
      const cells = withoutReturn(line).split(this.#separator, MAX_CELLS + 1)
      return cells.length > MAX_CELLS ? TOO_MANY_CELLS : { cells }
    }
    const end = withoutReturn(line).length
    let at = 0
    for (;;) {
      if (this.#cells.length >= MAX_CELLS) return TOO_MANY_CELLS
      if (this.#quoted === undefined && (at >= end || line[at] !== '"')) {
        const stop = this.#endOfCell(line, at, end)
        this.#cells.push(line.slice(at, stop))
        if (stop === end) return { cells: this.#cells }
        at = stop + 1
        continue
      }
      if (this.#quoted === undefined) at++
      this.#quoted ??= ''
      const quote = line.indexOf('"', at)
      if (quote < 0) {
        this.#quoted += `${line.slice(at)}\n`
        return undefined
      }
      this.#quoted += line.slice(at, quote)
      const next = quote + 1 === end ? undefined : (line[quote + 1] ?? '')
      at = quote + 2
      if (next === '"') {
        this.#quoted += next
        continue
      }
      if (next !== undefined && !this.#separator.includes(next)) {
        return {
          problem: `the cell goes on behind the quote that closes it in line ${no}; a quote that is a letter is written twice`,
        }
      }
      this.#cells.push(this.#quoted)
      this.#quoted = undefined
      if (next === undefined) return { cells: this.#cells }
    }
  }

  #endOfCell(line: string, from: number, end: number): number {
    for (let at = from; at < end; at++) if (this.#separator.includes(line[at] ?? '')) return at
    return end
  }
}

/** The cells of a line that is a record by itself. */
function cellsIn(line: string, separator: string): readonly string[] | undefined {
  const reader = new RecordReader({ separator })
  const [record] = reader.take({ no: 1, text: line })
  return record?.cells
}

/** Whether there is something behind the last column. */
export function hasMore(cells: readonly string[], columns: number): boolean {
  return cells.some((cell, index) => index >= columns && cell !== '')
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
