// Rows to be inserted that wait until a statement may ask for them, or until the commit. Then those of a table go
// together: the database does much for each statement, and little for each row.
import { getOrInsert, memo } from '../../../base/memo.ts'
import type { Bindable } from '../../../sql/dialect.ts'
import type { CompiledStatement } from '../../../sql/statement.ts'
import { arrayText } from './array-text.ts'

/** So many rows go at the latest: the database stores them while others are made. */
const MOST = 100
/** Fewer rows go one by one. */
const FEW = 4

const INSERT = /^\s*(insert into "?(\w+)"? \([^()]*\))\s*values\s*\((.*)\)(\s*on conflict do nothing)?\s*$/is
/** Fewer rows have columns in common by chance, and each choice of columns is a statement of its own. */
const MANY = 50
/** As statements call the company, which the rows of a transaction have in common. */
const COMPANY = /^company_?id$/i

/** An insertion of one row whose result nobody needs. */
interface RowInsert {
  readonly table: string
  readonly text: string
  /** The statement for any number of rows, with a parameter for each column: of these types, one or an array. */
  readonly textFor: (types: readonly string[], isOne: readonly boolean[]) => string
  readonly isCompany: readonly boolean[]
}

/** Undefined for any other statement. */
export const rowInsertOf = memo(({ text, names }: CompiledStatement): RowInsert | undefined => {
  const [, head = '', table = '', row = '', tail = ''] = INSERT.exec(text) ?? []
  if (row === '' || /\bselect\b/i.test(row)) return undefined
  const isCompany = names.map((name) => COMPANY.test(name))
  const textFor = (types: readonly string[], isOne: readonly boolean[]) => {
    const placed = (place: string, no: number) => (isOne[no - 1] ? `${place}::${types[no - 1]}` : `r.c${no}`)
    const values = row.replaceAll(/\$(\d+)/g, (place, no) => placed(place, no))
    const others = names.flatMap((_name, at) => (isOne[at] ? [] : [at + 1]))
    const columns = others.map((no) => `c${no}`).join(', ')
    const arrays = others.map((no) => `$${no}::${types[no - 1]}[]`).join(', ')
    return `${head} select ${values} from unnest(${arrays}) r(${columns})${tail}`
  }
  return { table, text, textFor, isCompany }
})

/** What values of a column are sent as. The database converts numbers to the type of the column. */
function typeOf(values: readonly Bindable[]): string {
  if (values.every((value) => typeof value === 'number'))
    return values.every(Number.isSafeInteger) ? 'bigint' : 'double precision'
  return values[0] instanceof Uint8Array ? 'bytea' : 'text'
}

/** A value that all rows have is sent once, and is no array that the database must unfold. */
function isSame(values: readonly Bindable[]): boolean {
  return values.every((value) => value === values[0])
}

type Row = readonly Bindable[]

export class WaitingRows {
  readonly #send: (text: string, values: readonly Bindable[]) => void
  readonly #waiting = new Map<RowInsert, Row[]>()

  constructor(send: (text: string, values: readonly Bindable[]) => void) {
    this.#send = send
  }

  add(insert: RowInsert, row: Row): void {
    const rows = getOrInsert(this.#waiting, insert, () => [])
    rows.push(row)
    if (rows.length === MOST) this.#flush(insert, rows)
  }

  /** Sends the rows of the tables that a statement names; without one, all. */
  flush(text?: string): void {
    for (const [insert, rows] of this.#waiting) {
      if (text === undefined || text.includes(insert.table)) this.#flush(insert, rows)
    }
  }

  /** Their write was rejected. */
  drop(): void {
    this.#waiting.clear()
  }

  #flush(insert: RowInsert, rows: readonly Row[]): void {
    this.#waiting.delete(insert)
    if (rows.length < FEW) {
      for (const row of rows) this.#send(insert.text, row)
      return
    }
    const columns = insert.isCompany.map((_is, at) => rows.map((row) => row[at] as Bindable))
    const isOne = insert.isCompany.map(
      (is, at) => is || (rows.length >= MANY && isSame(columns[at] as readonly Bindable[])),
    )
    // Without any array there would be one row.
    if (!isOne.includes(false)) isOne[insert.isCompany.indexOf(false)] = false
    const values = columns.map((column, at) => (isOne[at] ? (column[0] as Bindable) : arrayText(column)))
    this.#send(insert.textFor(columns.map(typeOf), isOne), values)
  }
}
