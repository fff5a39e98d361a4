// Defaults and restrictions for imported rows of the general ledger.
import { STATES } from '../objects/ledger-state-names.ts'
import type { ColumnValues } from './row-reader.ts'
import type { RowFinding } from './rows/read-rows.ts'

/** Fills in missing columns of a ledger transaction; returns what is wrong with the others. */
export function completeLedgerRow(columns: ColumnValues): RowFinding[] {
  columns.state ??= 'posted'
  columns.status ??= 'N'
  columns.currency_amount ??= columns.amount ?? 0
  columns.debit_credit ??= Number(columns.amount ?? 0) < 0 ? -1 : 1
  const findings: RowFinding[] = []
  if (!(STATES as readonly unknown[]).includes(columns.state)) {
    findings.push({ column: 'state', message: `must be one of ${STATES.join(', ')}` })
  }
  if (columns.debit_credit !== 1 && columns.debit_credit !== -1) {
    findings.push({ column: 'amounts.debitCredit', message: 'must be 1 or -1' })
  }
  return findings
}
