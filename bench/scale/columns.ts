// The ledger's table, and its rows from the records of the benchmark, for a load that goes around the service.
import { LEDGER_COLUMNS, type LedgerLine } from '../records/ledger.ts'

export const TABLE = 'ledger_transaction'
const COMPANY = 'EN'
const LOADED_AT = '2026-01-01T00:00:00.000Z'

/** The columns of the imported file with the names that they have in the table. */
const NAMED: readonly string[] = LEDGER_COLUMNS.map((name) =>
  (name.split('.').at(-1) ?? '').replaceAll(/[A-Z]|\d/g, (found) => `_${found.toLowerCase()}`),
)
const AMOUNT = NAMED.indexOf('amount')

export const COLUMNS: readonly string[] = [
  'company_id',
  ...NAMED,
  'status',
  'currency_amount',
  'debit_credit',
  'updated_at',
  'updated_by',
]

/** `stored` gives an amount the form of its column. */
export function rowOf(line: LedgerLine, stored: (amount: number) => number): (string | number)[] {
  const amount = Number(line[AMOUNT])
  const row = [COMPANY, ...line, 'N', stored(amount), amount < 0 ? -1 : 1, LOADED_AT, 'bench']
  row[AMOUNT + 1] = stored(amount)
  return row
}
