import { quote } from '../../quote.ts'
import type { RowTarget } from '../../store.ts'

/** Inserts one row at a time; the company, the time and the user follow the row's values. */
export function rowInsertText({ table, columns }: RowTarget): string {
  const names = [...columns.map(({ name }) => name), 'company_id', 'updated_at', 'updated_by'].map(quote)
  return `insert into ${quote(table)} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict do nothing`
}
