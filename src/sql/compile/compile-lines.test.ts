import { expect, it } from 'vitest'
import { sqliteDialect } from '../../databases/sqlite/dialect/dialect.ts'
import { type DocumentDefinition, recordLines, value } from '../../model/document.ts'
import { readOptions } from '../../query/options.ts'
import { planCollection } from '../../query/plan.ts'
import { compileCollection } from './compile-query.ts'

const common = { version: 1, description: '', companyColumn: 'company_id', joins: {} }

const lines: DocumentDefinition = {
  ...common,
  name: 'order-lines',
  table: 'order_line',
  key: ['orderNo', 'lineNo'],
  indexes: [{ name: 'by_quantity', columns: ['company_id', 'quantity', 'order_no', 'line_no'] }],
  properties: {
    orderNo: value('string', 'order_no'),
    lineNo: value('integer', 'line_no'),
    quantity: value('integer', 'quantity'),
  },
}

const orders: DocumentDefinition = {
  ...common,
  name: 'orders',
  table: 'order_head',
  key: ['orderNo'],
  indexes: [],
  properties: {
    orderNo: value('string', 'order_no'),
    lines: recordLines({ document: lines, on: [['order_no', 'order_no']], orderBy: ['line_no'] }, {}),
  },
}

it('finds lines by the key of their record, whatever index would serve a condition on them', () => {
  const asked = { select: 'orderNo,lines(lineNo)', filter: 'lines/any(l: l/quantity gt 1)' }
  const plan = planCollection(orders, readOptions(Object.entries(asked)))
  const { text } = compileCollection(plan, [['company_id', 'EN']], sqliteDialect)
  const found = text.match(/"order_line" \w+ indexed by "[^"]+" where [^)]*?"order_no" = t\."order_no"/g)
  expect(found).toHaveLength(2)
  expect(text).not.toContain('by_quantity')
})
