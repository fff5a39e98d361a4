// Rows to be inserted that wait until a statement may ask for them, or until the commit. Then those of a table go
// together: the database does much for each statement, and little for each row.
import { getOrInsert, memo } from '../../../base/memo.ts'
import type { Bindable } from '../../../sql/dialect.ts'
import type { CompiledStatement } from '../../../sql/statement.ts'

/** The numbers of rows for which there is a statement, the largest first. */
const SIZES = [64, 16, 4, 1] as const
const [MOST] = SIZES

const INSERT = /^\s*(insert into "?(\w+)"? \([^()]*\)\s*values\s*)(\(.*\))(\s*on conflict do nothing)?\s*$/is

/** An insertion of one row whose result nobody needs. */
interface RowInsert {
  readonly table: string
  readonly columns: number
  /** The statement for so many rows. */
  readonly textFor: (rows: number) => string
}

/** Undefined for any other statement. */
export const rowInsertOf = memo(({ text, names }: CompiledStatement): RowInsert | undefined => {
  const [, head = '', table = '', row = '', tail = ''] = INSERT.exec(text) ?? []
  if (row === '' || /\bselect\b/i.test(row)) return undefined
  const columns = names.length
  const rowAt = (at: number) => row.replaceAll(/\$(\d+)/g, (_place, no) => `$${Number(no) + at * columns}`)
  const texts = new Map<number, string>()
  const textFor = (rows: number) =>
    getOrInsert(texts, rows, () => `${head}${Array.from({ length: rows }, (_, at) => rowAt(at)).join(', ')}${tail}`)
  return { table, columns, textFor }
})

export class WaitingRows {
  readonly #send: (text: string, values: readonly Bindable[]) => void
  /** The values of all rows, one after the other. */
  readonly #waiting = new Map<RowInsert, Bindable[]>()

  constructor(send: (text: string, values: readonly Bindable[]) => void) {
    this.#send = send
  }

  add(insert: RowInsert, row: readonly Bindable[]): void {
    const values = getOrInsert(this.#waiting, insert, () => [])
    values.push(...row)
    if (values.length === MOST * insert.columns) this.#flush(insert, values)
  }

  /** Sends the rows of the tables that a statement names; without one, all. */
  flush(text?: string): void {
    for (const [insert, values] of this.#waiting) {
      if (text === undefined || text.includes(insert.table)) this.#flush(insert, values)
    }
  }

  /** Their write was rejected. */
  drop(): void {
    this.#waiting.clear()
  }

  #flush(insert: RowInsert, values: readonly Bindable[]): void {
    const { columns, textFor } = insert
    this.#waiting.delete(insert)
    for (let at = 0; at < values.length; ) {
      const rows = (values.length - at) / columns
      const size = SIZES.find((one) => one <= rows) ?? 1
      this.#send(textFor(size), values.slice(at, at + size * columns))
      at += size * columns
    }
  }
}
