import { expect, it, vi } from 'vitest'
import { documentOf } from '../../../service/metadata.ts'
import { allColumns } from '../list-columns.ts'
import { type Condition, conditionsIn, filterOf } from './conditions.ts'
import { conditionOfCell } from './from-cell.ts'

const filterable = { 'x-erp-filterable': true }
const text = { type: 'string', ...filterable }
const document = documentOf('orders', {
  items: {
    'x-erp-key': { keys: 'orderNo' },
    properties: {
      orderNo: text,
      name: text,
      country: { ...text, 'x-erp-valueList': { valueList: 'COUNTRY' } },
      isPaid: { type: 'boolean', ...filterable },
      ordered: { type: 'string', format: 'date-time', ...filterable },
      changedAt: { type: 'string', format: 'date-time', ...filterable },
      amounts: { type: 'object', properties: { total: { type: 'string', format: 'decimal', ...filterable } } },
      secret: { type: 'string' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            item: text,
            quantity: { type: 'integer', ...filterable },
            due: { format: 'date-time', ...text },
          },
        },
      },
    },
  },
})
const columns = allColumns(document)
const conditionsOf = (filter: string) => conditionsIn(filter, columns)
const one = (path: string, operator: Condition['operator'], ...values: string[]): Condition => ({
  path,
  operator,
  values,
})

it.each([
  ['', []],
  ["COUNTRY EQ 'NO'", [one('country', 'is', 'NO')]],
  [
    "contains(tolower(name),tolower('Rør')) and country in ('SE','DK')",
    [one('name', 'contains', 'Rør'), one('country', 'oneOf', 'SE', 'DK')],
  ],
  ["contains(name,'O''Neil')", [one('name', 'containsExactly', "O'Neil")]],
  ["name eq ''", [one('name', 'isEmpty')]],
  ["not (name eq 'x')", [one('name', 'isNot', 'x')]],
  ["name gt 'Å'", [one('name', 'above', 'Å')]],
  ['orderNo eq 100000', [one('orderNo', 'is', '100000')]],
  ["amounts/total ge '1.5' and amounts/total le 7", [one('amounts/total', 'between', '1.5', '7')]],
  ['ordered ge 2026-01-01 and ordered lt 2026-02-01', [one('ordered', 'between', '2026-01-01', '2026-01-31')]],
  ["ordered ge '2026-02-28' and ordered lt '2026-03-01'", [one('ordered', 'is', '2026-02-28')]],
  ['isPaid', [one('isPaid', 'is', 'true')]],
  ["lines/any(l: l/item eq 'A1')", [one('lines/item', 'is', 'A1')]],
  ['not lines/any(x: x/due ge 2026-01-01 and x/due lt 2026-01-02)', [one('lines/due', 'isNot', '2026-01-01')]],
  // Two items may be meant.
  [
    'lines/any(l: l/quantity ge 1) and lines/any(l: l/quantity le 5)',
    [one('lines/quantity', 'from', '1'), one('lines/quantity', 'to', '5')],
  ],
] as const)('reads %s', (filter, expected) => {
  expect(conditionsOf(filter)).toEqual(expected)
})

it.each([
  "country eq 'SE' or country eq 'DK'",
  "country eq 'SE",
  "unknown eq 'x'",
  "secret eq 'x'",
  // Some other moment of the day is meant as well, or none of them.
  'ordered eq 2026-01-31',
  'ordered le 2026-01-31',
  'ordered ge 2026-01-31T12:00:00',
  'ordered lt 2026-02-30',
  'amounts/total eq null',
  'not isPaid',
  "not startswith(name,'x')",
  "endswith(name,'AS')",
  "lines/any(l: l/item ne 'A1')",
  "lines/any(l: l/item eq 'A1' and l/quantity gt 3)",
  "lines/all(l: l/item eq 'A1')",
  'lines/any()',
  "lines/any(l: name eq 'x')",
  "'x' eq name",
  'name eq country',
  "contains(tolower(name),'x')",
  `${'('.repeat(70)}name eq 'x'${')'.repeat(70)}`,
])('leaves %s a text', (filter) => {
  expect(conditionsOf(filter)).toBeUndefined()
})

it.each([
  ['Europe/Oslo', '2026-11-30', '2026-11-29T23:00:00Z', '2026-11-30T23:00:00Z', '2026-11-29T23:30:00.000'],
  ['America/New_York', '2026-11-30', '2026-11-30T05:00:00Z', '2026-12-01T05:00:00Z', '2026-12-01T03:00:00.000'],
  ['UTC', '2026-11-30', '2026-11-30T00:00:00Z', '2026-12-01T00:00:00Z', '2026-11-30T00:00:00.000'],
  // The day that summer time begins has 23 hours.
  ['Europe/Oslo', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '2026-03-29T21:59:59.000'],
])('takes a day of moments to be one of the reader, here in %s on %s', (zone, day, begin, end, cell) => {
  vi.stubEnv('TZ', zone)
  try {
    const column = columns.find(({ path }) => path === 'changedAt')
    const texts = [
      [one('changedAt', 'is', day), `changedAt ge ${begin} and changedAt lt ${end}`],
      [one('changedAt', 'from', day), `changedAt ge ${begin}`],
      [one('changedAt', 'to', day), `changedAt lt ${end}`],
      [one('changedAt', 'isNot', day), `not (changedAt ge ${begin} and changedAt lt ${end})`],
      [one('ordered', 'is', day), `ordered ge ${day} and ordered lt`],
    ] as const
    for (const [condition, text] of texts) {
      const written = filterOf([condition], columns)
      expect(written).toContain(text)
      expect(conditionsOf(written)).toEqual([condition])
    }
    expect(column && conditionOfCell({ changedAt: cell }, column, true)).toEqual(one('changedAt', 'is', day))
    // Another moment of the day is no condition of a day.
    expect(conditionsOf(`changedAt ge ${day}T12:34:00Z`)).toBeUndefined()
  } finally {
    vi.unstubAllEnvs()
  }
})
