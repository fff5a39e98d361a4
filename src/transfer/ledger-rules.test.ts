import { expect, it } from 'vitest'
import { completeLedgerRow } from './importer-of.ts'

it.each([
  [{ amount: -5 }, { amount: -5, currency_amount: -5, debit_credit: -1, state: 'posted', status: 'N' }],
  [{ amount: 5 }, { amount: 5, currency_amount: 5, debit_credit: 1, state: 'posted', status: 'N' }],
  [{}, { currency_amount: 0, debit_credit: 1, state: 'posted', status: 'N' }],
  [
    { amount: 5, currency_amount: 7, debit_credit: -1, state: 'historical', status: 'C' },
    { amount: 5, currency_amount: 7, debit_credit: -1, state: 'historical', status: 'C' },
  ],
])('fills in what %j leaves out', (given, whole) => {
  const columns: Record<string, string | number> = { ...given }
  expect(completeLedgerRow(columns)).toEqual([])
  expect(columns).toEqual(whole)
})

it('tells what a row must not say', () => {
  expect(completeLedgerRow({ state: 'open', debit_credit: 0 })).toEqual([
    { column: 'state', message: 'must be one of registered, posted, historical' },
    { column: 'amounts.debitCredit', message: 'must be 1 or -1' },
  ])
})
