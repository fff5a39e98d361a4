// Rows that are kept for the time of one task and found by a key: in a temporary database of SQLite without a name,
// which goes to disk when it is large, and which nothing is left of.
import { DatabaseSync, type StatementSync } from 'node:sqlite'

export interface TemporaryRow {
  readonly line: number
  readonly text: string
}

export interface NotedRow extends TemporaryRow {
  /** Null for a row whose key nobody has asked for. */
  readonly note: string | null
}

export class TemporaryRows {
  readonly #database = new DatabaseSync('')
  #find: StatementSync | undefined
  #ask: StatementSync | undefined

  /** The index grows with the rows: made at the end, it would hold up others that the process serves. */
  constructor() {
    this.#database.exec(`pragma journal_mode = off; pragma synchronous = off;
      create table row (line integer primary key, key text, text text not null, note text);
      create index row_key on row (key)`)
  }

  /** Adds rows, each with its line and key; one without a key is found by none. */
  add(rows: readonly (TemporaryRow & { readonly key: string | undefined })[]): void {
    const insert = this.#database.prepare('insert into row (line, key, text) values (?, ?, ?)')
    this.#database.exec('begin')
    for (const { line, key, text } of rows) insert.run(line, key ?? null, text)
    this.#database.exec('commit')
  }

  /** The first rows with the key, in their order; all that have it are asked for. */
  take(key: string, limit: number): readonly TemporaryRow[] {
    this.#find ??= this.#database.prepare('select line, text from row where key = ? order by line limit ?')
    const rows = this.#find.all(key, limit) as unknown as TemporaryRow[]
    if (rows.length === 0) return rows
    this.#ask ??= this.#database.prepare("update row set note = coalesce(note, '') where key = ?")
    this.#ask.run(key)
    return rows
  }

  /** Notes something of all rows with the key. */
  noteAll(key: string, note: string): void {
    this.#database.prepare('update row set note = ? where key = ?').run(note, key)
  }

  note(line: number, note: string): void {
    this.#database.prepare('update row set note = ? where line = ?').run(note, line)
  }

  /** The rows that nobody has asked for, in their order. */
  unasked(): Iterable<NotedRow> {
    return this.#iterate('note is null')
  }

  /** These, and the rows that something is noted of, in their order. */
  unaskedOrNoted(): Iterable<NotedRow> {
    return this.#iterate("note is null or note <> ''")
  }

  #iterate(condition: string): Iterable<NotedRow> {
    const rows = this.#database.prepare(`select line, text, note from row where ${condition} order by line`)
    return rows.iterate() as Iterable<unknown> as Iterable<NotedRow>
  }

  get count(): number {
    return Number(this.#database.prepare('select count(*) as rows from row').get()?.rows)
  }

  close(): void {
    this.#database.close()
  }
}
