import { expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import { aggregatesIn, columnsOf, flattened, isAdditive, plottedColumn } from './answer-columns.ts'

const document = documentOf('ledger', {
  items: {
    properties: {
      coding: { title: 'Coding', properties: { account: { type: 'string', title: 'Account' } } },
      amount: { type: 'number', format: 'decimal', title: 'Amount' },
      day: { type: 'string', format: 'date-time', title: 'Day' },
    },
  },
})

it('reads what is computed of groups, and what it is called', () => {
  expect(aggregatesIn('count(), SUM( amounts/amount ) as total,max(day)')).toEqual([
    { name: 'count', function: 'count', path: '' },
    { name: 'total', function: 'sum', path: 'amounts/amount' },
    { name: 'maxDay', function: 'max', path: 'day' },
  ])
})

it('has columns with titles, codes with what they mean in one, and draws the sum rather than the count', () => {
  const rows = [{ coding: { account: '1500', 'account(description)': 'Receivables' }, count: 2, sumAmount: 1.5 }]
  const aggregate = 'count(),sum(amount),max(day)'
  const columns = columnsOf(
    rows.map((row) => flattened(row)),
    document,
    { document: 'ledger', aggregate },
  )
  expect(columns.map(({ name, isNumber }) => [name, isNumber])).toEqual([
    ['coding/account', false],
    ['count', true],
    ['sumAmount', true],
  ])
  expect(columns[0]?.title).toBe('Account')
  expect(columns.map(isAdditive)).toEqual([false, true, true])
  expect(plottedColumn(columns)?.name).toBe('sumAmount')
  expect(plottedColumn(columns.slice(0, 2))?.name).toBe('count')
})
