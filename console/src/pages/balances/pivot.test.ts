import { describe, expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import { allOf, anyOf, axisFields, conditionOf, firstColumns, firstRows, groupItems, rangeOf } from './axes.ts'
import { differencesOf, pivotOf, subtotalsOf } from './pivot.ts'

const filterable = { 'x-erp-filterable': true }
const text = { type: 'string', ...filterable }
const coded = (name: string, note: { attributeId: string; attributeIdProperty?: string }) => ({
  ...text,
  'x-erp-describable': { propertyName: `${name}(description)` },
  'x-erp-attribute': note,
})
const document = documentOf('ledger', {
  items: {
    'x-erp-key': { keys: 'companyId,number' },
    'x-erp-defaultColumns': ['day', 'coding/account'],
    properties: {
      companyId: text,
      number: { type: 'integer', ...filterable },
      period: { type: 'integer', ...filterable },
      day: { ...text, format: 'date-time' },
      coding: {
        properties: {
          account: coded('account', { attributeId: 'A0' }),
          attributeId1: text,
          attributeValue1: coded('attributeValue1', { attributeId: '', attributeIdProperty: 'coding/attributeId1' }),
        },
      },
      amount: { type: 'number', format: 'decimal', ...filterable },
    },
  },
})
const field = (path: string) => document.fields.find((one) => one.path === path)!
const account = field('coding/account')
const line = (code: string, period: number, total: unknown, day = '') => ({
  coding: { account: code, 'account(description)': `Account ${code}` },
  period,
  day,
  total,
})

describe('balances', () => {
  const lines = [line('3000', 202601, -0.1), line('3000', 202602, '-9007199254740993.2'), line('700', 202602, 0.3)]
  const pivot = pivotOf(lines, { rows: account, columns: field('period'), amount: 'total' })

  it('are a table of rows and columns with exact sums, shorter numbers first', () => {
    expect(pivot.columns.map(({ code }) => code)).toEqual(['202601', '202602'])
    expect(pivot.rows.map(({ value, cells, total }) => [value.text, cells, total])).toEqual([
      ['Account 700', [undefined, '0.3'], '0.3'],
      ['Account 3000', ['-0.1', '-9007199254740993.2'], '-9007199254740993.3'],
    ])
    expect([pivot.cells, pivot.total]).toEqual([['-0.1', '-9007199254740992.9'], '-9007199254740993'])
    const empty = pivotOf([], { rows: account, columns: undefined, amount: 'total' })
    expect(empty).toEqual({ columns: [], rows: [], cells: [], total: '0' })
  })

  it('have subtotals by group, and what is in none at the end', () => {
    const groups = subtotalsOf(pivot, ({ code }) => (code === '3000' ? { key: '3', title: 'Income' } : undefined), '-')
    expect(groups.map(({ key, title, cells, total, rows }) => [key, title, cells, total, rows.length])).toEqual([
      ['3', 'Income', ['-0.1', '-9007199254740993.2'], '-9007199254740993.3', 1],
      ['', '-', [undefined, '0.3'], '0.3', 1],
    ])
  })

  it('tell the difference to the column before, where nothing is zero', () => {
    expect(differencesOf(['0.1', '0.3', undefined, undefined, '1'])).toEqual([undefined, '0.2', '-0.3', undefined, '1'])
  })

  it('add the days of a month, and tell days that are absent apart', () => {
    const days = [line('1', 0, 1, '2026-03-31T00:00:00'), line('1', 0, 2, '2026-03-01T00:00:00')]
    const { columns, rows } = pivotOf([...days, line('1', 0, 4, '1900-01-01T00:00:00')], {
      rows: account,
      columns: field('day'),
      amount: 'total',
    })
    expect([columns.map(({ code }) => code), rows[0]?.cells]).toEqual([
      ['2026-03', ''],
      ['3', '4'],
    ])
  })

  it('begin with the code that is shown first, by period, and never by ids and numbers of a key', () => {
    expect([firstRows(document)?.path, firstColumns(document)?.path]).toEqual(['coding/account', 'period'])
    expect(axisFields(document).map(({ path }) => path)).toEqual([
      'period',
      'day',
      'coding/account',
      'coding/attributeValue1',
    ])
    expect(groupItems(field('coding/attributeValue1'))).toEqual(['coding/attributeId1', 'coding/attributeValue1[C;T]'])
  })

  it('lead to the records that were summed', () => {
    const value = { key: '', code: "O'Neill", text: '', attributeId: 'C1' }
    expect(conditionOf(field('coding/attributeValue1'), value)).toBe(
      "coding/attributeId1 eq 'C1' and coding/attributeValue1 eq 'O''Neill'",
    )
    expect(conditionOf(field('period'), { ...value, code: '202603' })).toBe('period eq 202603')
    expect(conditionOf(field('day'), { ...value, code: '2026-12' })).toBe('day ge 2026-12-01 and day lt 2027-01-01')
    expect(conditionOf(field('day'), { ...value, code: '' })).toBe('day eq null')
    const values = ['1500', '1920'].map((code) => ({ ...value, code }))
    expect(anyOf(account, values)).toBe("coding/account in ('1500','1920')")
    expect(anyOf(field('coding/attributeValue1'), values)).toMatch(/'1500' or coding/)
    expect(allOf('a eq 1 or b eq 2', '', 'c eq 3')).toBe('(a eq 1 or b eq 2) and c eq 3')
    expect(rangeOf(field('period'), '202601', '202612')).toBe('period ge 202601 and period le 202612')
  })
})
