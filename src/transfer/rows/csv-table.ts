// How a CSV file is to be read: separator, headings, and the forms of numbers and dates, given or found in its first
// rows. Further rows are looked at only while a cell leaves a form in doubt.
import type { Properties } from '../../model/document.ts'
import { type CellForms, type DayOrder, type DecimalSign, dateFormOf, orderOf, signOf } from './cell-forms.ts'
import { type CsvColumn, csvColumns, type HeadingMap } from './csv-columns.ts'
import { ANY_SEPARATOR, type CsvRecord, cellsOf, csvRecords } from './csv-records.ts'
import { findSeparator, separatorLine, separatorName } from './separators.ts'
import { ENCODINGS, type Encoding, type TextForm } from './text-form.ts'
import { FileError } from './text-lines.ts'

/** What the caller says of a file, instead of having it found. */
export interface GivenForms {
  readonly encoding?: Encoding | undefined
  readonly separator?: string | undefined
  readonly decimal?: DecimalSign | undefined
  readonly dates?: DayOrder | undefined
  readonly map?: HeadingMap | undefined
}

export interface CsvTable {
  readonly separator: string
  /** What stands before the rows: the names, and perhaps a line that names the separator. */
  readonly head: readonly string[]
  /** The line of the names; the rows follow it. */
  readonly headLine: number
  /** How many cells a row has. */
  readonly width: number
  /** Those of the cells, and behind them those that a map computes. */
  readonly columns: readonly CsvColumn[]
  /** Whether a column is a property of an item of a list. */
  readonly hasItems: boolean
  readonly forms: CellForms
  /** The forms of dates that were found. */
  readonly dateForms: readonly string[]
}

/**
 * Undefined for a file without any line. Throws a FileError for one whose form cannot be told. `open` reads it from its
 * first byte.
 */
export async function findTable(
  open: () => AsyncIterable<Buffer>,
  properties: Properties,
  given: GivenForms,
): Promise<CsvTable | undefined> {
  const first: CsvRecord[] = []
  for await (const records of csvRecords(open(), ANY_SEPARATOR)) {
    first.push(...records)
    if (first.length > 1) break
  }
  if (first.length === 0) return undefined
  const table = headOf(first, properties, given)
  const { separator, width, columns, headLine } = table
  const evidence = new Evidence(separator, given)
  for await (const records of csvRecords(open(), { separator, width })) {
    for (const record of records) if (record.line > headLine) evidence.add(record, columns)
    if (!evidence.isInDoubt) break
  }
  return { ...table, ...evidence.found() }
}

/** In characters: thousands of names. It is read once for each separator. */
const MAX_HEAD_LENGTH = 256 * 1024

type Head = Omit<CsvTable, 'forms' | 'dateForms'>

function headOf(records: readonly CsvRecord[], properties: Properties, given: GivenForms): Head {
  const told = separatorLine(records[0]?.text ?? '')
  const first = records[told === undefined ? 0 : 1]
  if (!first) throw new FileError('there is no line of names')
  if (first.text.length > MAX_HEAD_LENGTH) {
    throw new FileError(`the first line cannot be read: it has more than ${MAX_HEAD_LENGTH} characters`)
  }
  const namesOf = (separator: string): readonly string[] => {
    const { cells, problem } = cellsOf(first.text, separator)
    if (!cells) throw new FileError(`the first line cannot be read: ${problem}`)
    return cells.map((name) => name.trim())
  }
  const isHeader = (separator: string) => {
    try {
      return csvColumns(properties, namesOf(separator), given.map).some(
        ({ path, computed }) => path.length > 0 && !computed,
      )
    } catch (error) {
      if (error instanceof FileError) return false
      throw error
    }
  }
  const separator = given.separator ?? told ?? findSeparator(first.text, isHeader)
  const head = [...(told === undefined ? [] : [records[0]?.text ?? '']), first.text]
  const names = namesOf(separator)
  const columns = columnsOf(properties, names, given, separator)
  const hasItems = columns.some(({ path }) => path.some((part) => typeof part === 'number'))
  return { separator, head, headLine: first.line, width: names.length, columns, hasItems }
}

function columnsOf(properties: Properties, names: readonly string[], given: GivenForms, separator: string) {
  try {
    return csvColumns(properties, names, given.map)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new FileError(
      `${error.message} (cells end at '${separatorName(separator)}'; separator and --map say otherwise)`,
    )
  }
}

/** What cells tell of the forms of numbers and dates. */
class Evidence {
  readonly #isPointDoubtful: boolean
  #decimal: DecimalSign | undefined
  #days: DayOrder | undefined
  readonly #dateForms = new Set<string>()
  /** The first cells that can be read in two ways. */
  #number: string | undefined
  #date: string | undefined

  constructor(separator: string, { decimal, dates }: GivenForms) {
    // Programs have always read `1.234` as a decimal in a file with commas.
    this.#isPointDoubtful = separator !== ','
    this.#decimal = decimal
    this.#days = dates
  }

  add({ line, cells = [] }: CsvRecord, columns: readonly CsvColumn[]): void {
    for (let index = 0; index < columns.length; index++) {
      const [cell, column] = [cells[index], columns[index]]
      if (!cell || !column) continue
      const where = () => `line ${line}, ${column.heading}: '${cell.trim()}'`
      if (column.type === 'date-time') this.#addDate(cell, where)
      else if (NUMERIC.has(column.type)) this.#addNumber(cell, where)
    }
  }

  get isInDoubt(): boolean {
    return (this.#decimal === undefined && this.#number !== undefined) || (!this.#days && this.#date !== undefined)
  }

  found(): Pick<CsvTable, 'forms' | 'dateForms'> {
    if (this.#decimal === undefined && this.#number) {
      throw new FileError(
        `${this.#number} has a decimal sign or grouped digits, and no number of the file tells which: decimal=comma or decimal=point says it`,
      )
    }
    if (this.#days === undefined && this.#date) {
      throw new FileError(
        `${this.#date} may have the day or the month first, and no date of the file tells which: dates=dd/mm/yyyy or dates=mm/dd/yyyy says it`,
      )
    }
    const forms = { decimal: this.#decimal, isPointDoubtful: this.#isPointDoubtful, days: this.#days }
    return { forms, dateForms: [...this.#dateForms, ...(this.#days ? [this.#days] : [])] }
  }

  #addNumber(cell: string, where: () => string): void {
    if (this.#decimal !== undefined) return
    const sign = signOf(cell, this.#isPointDoubtful)
    if (sign === 'doubtful') this.#number ??= where()
    else this.#decimal = sign
  }

  #addDate(cell: string, where: () => string): void {
    const form = dateFormOf(cell)
    if (form) this.#dateForms.add(form)
    if (form || this.#days !== undefined) return
    const order = orderOf(cell)
    if (order === 'doubtful') this.#date ??= where()
    else this.#days = order
  }
}

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'number', 'decimal'])

/** `separator ';', Windows-1252, decimal comma, dates dd.mm.yyyy`. */
export function describeTable({ separator, forms, dateForms }: CsvTable, { encoding }: TextForm): string {
  const parts = [`separator ${separator === '\t' ? 'tab' : `'${separatorName(separator)}'`}`, ENCODINGS[encoding]]
  if (forms.decimal) parts.push(`decimal ${forms.decimal}`)
  if (dateForms.length > 0) parts.push(`dates ${dateForms.join(' and ')}`)
  return parts.join(', ')
}
