// Checks the files that tables were copied to, without a database.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../../../../base/lines.ts'
import type { CheckTask } from '../../driver.ts'
import { lackingEntries } from '../../lacking-entries.ts'
import { fileOf, readHeader, readRow, type TableHeader } from './table-file.ts'

/** Checks that every file has all its rows, each complete, and each company the entries that its counter says. */
export async function checkTables({ folder, copy, report }: CheckTask): Promise<boolean> {
  const entries = new EntryCounts()
  for (const [table, rows] of Object.entries(copy.tables)) {
    const file = fileOf(table)
    try {
      const lines = linesOf(createReadStream(join(folder, file)))
      const header = readHeader(file, (await lines.next()).value ?? undefined)
      let found = 0
      for await (const line of lines) {
        entries.add(header, readRow(header, line))
        found++
      }
      if (found !== rows) report(`the table ${table} has ${found} rows instead of ${rows}`)
    } catch (error) {
      report((error as Error).message)
    }
  }
  for (const fault of entries.faults()) report(fault)
  return false
}

/** The entries of the change log by company. */
class EntryCounts {
  readonly #found = new Map<string, number>()
  readonly #counted = new Map<string, number>()

  add({ table, columns }: TableHeader, row: readonly (string | null)[]): void {
    if (table !== 'journal_counter' && table !== 'journal_entry') return
    const textOf = (column: string) => row[columns.indexOf(column)] ?? ''
    const company = textOf('company_id')
    // A schema of an early version has no count.
    if (table === 'journal_counter') this.#counted.set(company, Number(textOf('entry_count')))
    else this.#found.set(company, this.#foundOf(company) + 1)
  }

  faults(): string[] {
    const faults = [...this.#counted].map(([company, counted]) =>
      lackingEntries({ company, counted, found: this.#foundOf(company) }),
    )
    return faults.filter((fault) => fault !== undefined)
  }

  #foundOf(company: string): number {
    return this.#found.get(company) ?? 0
  }
}
