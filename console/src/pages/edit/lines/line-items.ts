// The lines of a record as somebody changes them: a cell, a line more or less, or what is pasted from a spreadsheet.
import type { FieldInfo } from '../../../service/metadata.ts'
import type { Writing } from '../../../service/written-values.ts'
import type { LinesShape, ListItem } from '../changes.ts'
import { plainText } from './cell-text.ts'

export interface LineRights {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
}

/** A cell: the row may be the one behind the last line, where a new one begins. */
export interface CellPlace {
  readonly row: number
  readonly column: number
}

type Lines = Pick<LinesShape, 'columns' | 'most'>

/** The key of a line that is stored, and what is computed, does not change. */
export function isEditable(field: FieldInfo | undefined, item: ListItem | undefined, rights: LineRights): boolean {
  if (!field || field.schema.readOnly) return false
  return item?.place === undefined ? rights.create : rights.update && !field.isKey
}

/** Numbers of lines go by tens where all so far do, and leave room between them. */
const STEP = 10n

export function newLine(items: readonly ListItem[], { columns }: Lines): ListItem {
  const number = columns.find(({ isKey, kind }) => isKey && kind === 'integer')
  if (!number) return { texts: {} }
  const given = items.map(({ texts }) => texts[number.path] ?? '').filter((text) => /^\d+$/.test(text))
  const numbers = given.map(BigInt)
  const last = numbers.reduce((most, one) => (one > most ? one : most), 0n)
  const step = numbers.every((one) => one % STEP === 0n) ? STEP : 1n
  return { texts: { [number.path]: String(last + step) } }
}

/** Begins a line where the row is behind the last one. */
export function withText(
  items: readonly ListItem[],
  row: number,
  path: string,
  text: string,
  lines: Lines,
): readonly ListItem[] {
  const changed = items[row] ?? newLine(items, lines)
  return items.toSpliced(row, 1, { ...changed, texts: { ...changed.texts, [path]: text } })
}

/** What stands between tabs and line ends; spreadsheets quote what contains some. */
const CELL = /("(?:[^"]|"")*"|[^\t\r\n]*)(\t|\r\n|\n|\r|$)/gy

/** The cells of a text that was copied from a spreadsheet. */
export function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (const [whole, cell = '', end] of text.matchAll(CELL)) {
    if (whole === '' && rows.at(-1)?.length === 0) break
    rows.at(-1)?.push(/^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

export interface Pasted {
  readonly items: readonly ListItem[]
  readonly cells: number
  readonly added: number
  /** Rows behind the last line that there may be. */
  readonly rowsLeft: number
  /** Cells beside the last column, and of what does not change. */
  readonly cellsLeft: number
}

/** Fills rightwards and downwards from a cell. Computed columns are passed over. */
export function paste(
  before: readonly ListItem[],
  at: CellPlace,
  cells: readonly (readonly string[])[],
  lines: Lines,
  rights: LineRights,
  writing: Writing,
): Pasted {
  const items = [...before]
  const counted = { cells: 0, added: 0, rowsLeft: 0, cellsLeft: 0 }
  for (const [down, row] of cells.entries()) {
    const place = at.row + down
    if (place >= items.length) {
      if (!rights.create || items.length >= lines.most) {
        counted.rowsLeft += 1
        continue
      }
      if (row.every((cell) => cell.trim() === '')) continue
      items.push(newLine(items, lines))
      counted.added += 1
    }
    const item = items[place] ?? { texts: {} }
    const texts: Record<string, string> = { ...item.texts }
    for (const [right, cell] of row.entries()) {
      const field = lines.columns[at.column + right]
      const text = field && plainText(field, cell, writing)
      if (field && text !== undefined && isEditable(field, item, rights)) {
        texts[field.path] = text
        counted.cells += 1
      } else if (!field || (!field.schema.readOnly && text !== texts[field.path])) counted.cellsLeft += 1
    }
    items[place] = { ...item, texts }
  }
  return { items, ...counted }
}
