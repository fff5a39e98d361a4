import { expect, it } from 'vitest'
import { documentOf, type Schema } from '../../service/metadata.ts'
import { conditionsIn } from '../grid/filter/conditions.ts'
import { allColumns } from '../grid/list-columns.ts'
import { referringIn, subjectOf } from './referring.ts'

const text: Schema = { type: 'string', 'x-erp-filterable': true }
const ofAttribute = (attributeId: string): Schema => ({ ...text, 'x-erp-attribute': { attributeId } })
const dimension = (number: number): Readonly<Record<string, Schema>> => ({
  [`attributeId${number}`]: text,
  [`attributeValue${number}`]: {
    ...text,
    'x-erp-attribute': { attributeId: '', attributeIdProperty: `attributeId${number}` },
  },
})
const described = (name: string, keys: string, properties: Readonly<Record<string, Schema>>, further: Schema = {}) =>
  documentOf(name, { items: { 'x-erp-key': { keys }, properties, ...further } })

const customers = described(
  'customers',
  'companyId,customerId',
  {
    companyId: text,
    customerId: text,
    parentId: { ...text, title: 'Parent', 'x-erp-reference': { document: 'customers', key: 'customerId' } },
    country: { ...text, 'x-erp-valueList': { valueList: 'COUNTRY' } },
    hiddenFromFilters: { type: 'string', 'x-erp-attribute': { attributeId: 'RE' } },
    relatedValues: {
      type: 'array',
      items: { properties: { relationId: text, relatedValue: ofAttribute('') } },
      'x-erp-relations': [
        { relationId: 'MANAGER', title: 'Account manager', attributeId: 'RE', isMandatory: false },
        { relationId: 'DISTRICT', title: 'District', attributeId: 'ZO', isMandatory: false },
      ],
    },
  },
  { 'x-erp-relation': { attributeId: 'A4' } },
)
const ledger = described('ledger', 'companyId,number', {
  number: { ...text, type: 'integer' },
  customerId: { ...text, 'x-erp-reference': { document: 'customers', key: 'customerId' } },
  account: ofAttribute('A0'),
  ...dimension(1),
  ...dimension(2),
  ...dimension(3),
  customer: {
    'x-erp-document': 'customers',
    'x-erp-key': { keys: 'companyId,customerId' },
    properties: { customerId: text, country: { ...text, 'x-erp-valueList': { valueList: 'COUNTRY' } } },
  },
})
const employees = described('employees', 'companyId,employeeId', {
  employeeId: ofAttribute('RE'),
  costCentreId: ofAttribute('C1'),
})
const rates = described('rates', 'companyId,currency,day', { currency: text, day: text })
const payments = described('payments', 'companyId,id', {
  id: text,
  rate: {
    title: 'Rate',
    'x-erp-document': 'rates',
    'x-erp-key': { keys: 'companyId,currency,day' },
    properties: { currency: text, day: text },
  },
})
const values = described('attribute-values', 'companyId,attributeId,attributeValue', {
  attributeId: text,
  attributeValue: text,
})
const lists = described('value-list', 'companyId,name,description', { name: text, description: text })
const all = [customers, ledger, employees, rates, payments, values, lists]
/** The newest lines have cost centres and customers in their dimensions. */
const newest = [{ attributeId1: 'C1', attributeId2: 'A4', attributeId3: '' }]

it.each([
  [customers, { customerId: "O'N" }, { customers: ["parentId eq 'O''N'"], ledger: ["customerId eq 'O''N'"] }],
  [
    employees,
    { employeeId: '104' },
    { customers: ["relatedValues/any(i: i/relatedValue eq '104' and i/relationId eq 'MANAGER')"] },
  ],
  [
    values,
    { attributeId: 'C1', attributeValue: '1100' },
    { ledger: ["attributeId1 eq 'C1' and attributeValue1 eq '1100'"], employees: ["costCentreId eq '1100'"] },
  ],
  [values, { attributeId: 'A0', attributeValue: '1500' }, { ledger: ["account eq '1500'"] }],
  [lists, { name: 'COUNTRY', description: 'NO' }, { customers: ["country eq 'NO'"] }],
  [rates, { currency: 'NOK', day: '1' }, { payments: ["rate/currency eq 'NOK' and rate/day eq '1'"] }],
  [payments, { id: 'P1' }, {}],
])('finds what refers to a record of %#', (document, row, expected) => {
  const subject = subjectOf(document, row)
  const found = all.flatMap((one) => referringIn(one, subject, newest))
  const filters = Map.groupBy(found, (one) => one.document.name)
  expect(Object.fromEntries([...filters].map(([name, ways]) => [name, ways.map(({ filter }) => filter)]))).toEqual(
    expected,
  )
  // A list shows each as conditions in words.
  for (const { document, filter } of found) expect(conditionsIn(filter, allColumns(document))).toBeDefined()
})

it('leaves out the lines that a record shows, and a record without a key', () => {
  const orders = described('orders', 'companyId,orderNo', {
    orderNo: text,
    lines: { type: 'array', 'x-erp-document': 'lines', items: { properties: { lineNo: text } } },
  })
  const reference = { ...text, 'x-erp-reference': { document: 'orders', key: 'orderNo' } }
  const lines = described('lines', 'companyId,orderNo,lineNo', { orderNo: reference, lineNo: text })
  const invoices = described('invoices', 'companyId,no', { no: text, orderNo: reference })
  const to = (row: object) =>
    [lines, invoices].flatMap((one) => referringIn(one, subjectOf(orders, row as Record<string, unknown>), []))
  expect(to({ orderNo: '7' }).map(({ filter }) => filter)).toEqual(["orderNo eq '7'"])
  expect(to({})).toEqual([])
})
