import { expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import { type Line, shapeOf, totalsOf } from './voucher-lines.ts'

const coded = (name: string) => ({ type: 'string', 'x-erp-describable': { propertyName: `${name}(description)` } })
const decimal = { type: 'number', format: 'decimal' }
const document = documentOf('journal-lines', {
  items: {
    'x-erp-key': { keys: 'companyId,voucherNo,lineNo' },
    'x-erp-voucher': { number: 'voucherNo', balance: 'amount' },
    'x-erp-defaultColumns': ['voucherNo', 'account', 'text'],
    properties: {
      companyId: { type: 'string' },
      voucherNo: { type: 'string' },
      lineNo: { type: 'integer' },
      kind: { type: 'string' },
      account: coded('account'),
      costCentre: coded('costCentre'),
      text: { type: 'string' },
      note: { type: 'string' },
      amount: decimal,
      foreign: decimal,
      paidOn: { type: 'string', format: 'date-time' },
    },
  },
})

const line = (lineNo: number, amount: unknown, more: object = {}): Line => {
  const day = '1900-01-01T00:00:00'
  return {
    voucherNo: 'V1',
    lineNo,
    kind: 'bank',
    account: '1920',
    text: 'x',
    note: '',
    amount,
    foreign: amount,
    paidOn: day,
    ...more,
  }
}
const paths = (fields: readonly { readonly path: string }[]) => fields.map(({ path }) => path)

it('has above its lines what all have in common, and in columns what differs and what is booked on', () => {
  const shape = shapeOf(document, [line(10, 1.5), line(20, -1.5, { text: 'y', costCentre: '2010' })])
  expect(paths(shape.head)).toEqual(['kind'])
  expect(paths(shape.columns)).toEqual(['lineNo', 'account', 'text'])
  expect(paths(shape.behind)).toEqual(['costCentre'])
  expect([shape.balance?.path, paths(shape.sums)]).toEqual(['amount', []])
})

it('shows another amount where it differs', () => {
  expect(paths(shapeOf(document, [line(10, 1, { foreign: 0.1 }), line(20, -1, { foreign: -0.1 })]).sums)).toEqual([
    'foreign',
  ])
})

it('adds debit and credit with all digits, and tells by how much they differ', () => {
  const [balance] = document.fields.filter(({ path }) => path === 'amount')
  const lines = [line(1, '9007199254740993.1'), line(2, '-9007199254740993.2'), line(3, 0)]
  expect(totalsOf(lines, balance!)).toEqual({
    debit: '9007199254740993.1',
    credit: '9007199254740993.2',
    difference: '-0.1',
  })
})
