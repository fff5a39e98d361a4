import { beforeAll, expect, it } from 'vitest'
import { documentOf } from '../../../service/metadata.ts'
import { writingOf } from '../../../service/written-values.ts'
import { startWords } from '../../../words/words.ts'
import type { ListItem } from '../changes.ts'
import { editedCell, faultOf, plainText, shownCell } from './cell-text.ts'
import { cellsOf, isEditable, newLine, paste, withText } from './line-items.ts'

const columns = documentOf('order-lines', {
  items: {
    properties: {
      lineNo: { type: 'integer' },
      item: { type: 'string', 'x-erp-attribute': { attributeId: 'IT' } },
      note: { type: 'string' },
      quantity: { type: 'number', format: 'decimal' },
      amount: { type: 'number', format: 'decimal', readOnly: true },
      due: { type: 'string', format: 'date-time' },
      urgent: { type: 'boolean' },
    },
    'x-erp-key': { keys: 'companyId,orderNo,lineNo' },
  },
}).fields
const lines = { columns, most: 4 }
const column = (path: string) => columns.findIndex((field) => field.path === path)
const field = (path: string) => columns[column(path)] ?? expect.fail(path)
const ALL = { create: true, update: true, delete: true }
const german = writingOf('de-DE')

beforeAll(() => startWords('en', 'de-DE'))
const stored: readonly ListItem[] = [
  { place: 0, texts: { lineNo: '10', item: 'A', note: '', quantity: '1', amount: '5', due: '', urgent: 'false' } },
  { place: 1, texts: { lineNo: '20', item: 'B', note: '', quantity: '2', amount: '6', due: '', urgent: 'false' } },
]
const textsOf = (items: readonly ListItem[], path: string) => items.map(({ texts }) => texts[path])

it.each([
  ['lineNo', '7', '7', undefined],
  ['lineNo', '7,5', '7.5', /whole number/],
  ['item', ' A1 ', 'A1', undefined],
  ['note', ' as it is ', ' as it is ', undefined],
  ['quantity', '1.234,5', '1234.5', undefined],
  ['quantity', 'zwei', 'zwei', /^This must be a number, such as 1234,5\.$/],
  ['quantity', '', '', undefined],
  ['due', '31.1.2026', '2026-01-31', undefined],
  ['due', '2026-01-31T00:00:00.000', '2026-01-31T00:00:00.000', undefined],
  ['due', 'morgen', 'morgen', /such as 31\.01\.2026\.$/],
  ['urgent', 'WAHR', 'true', undefined],
  ['urgent', 'Nein', 'false', undefined],
  ['urgent', 'bald', 'bald', /yes or no/],
])('takes in the column %s the text %j for %j', (path, typed, plain, fault) => {
  expect(plainText(field(path), typed, german)).toBe(plain)
  const found = faultOf(field(path), plain, german)
  if (fault) expect(found).toMatch(fault)
  else expect(found).toBeUndefined()
})

it('shows no date where there is none, and gives numbers back for changing as the language writes them', () => {
  expect(shownCell(field('due'), '1900-01-01T00:00:00.000')).toBe('')
  expect(shownCell(field('due'), '2026-01-31T00:00:00.000')).toBe('31.01.2026')
  expect(shownCell(field('quantity'), 'zwei')).toBe('zwei')
  expect(editedCell(field('quantity'), '1234.5', german)).toBe('1234,5')
  expect(editedCell(field('due'), '2026-01-31T00:00:00.000', german)).toBe('31.01.2026')
  expect(editedCell(field('due'), '2026-01-31T09:30:00.000', german)).toBe('2026-01-31T09:30:00.000')
})

it('numbers a new line behind the last one, by tens where all are', () => {
  const numbered = (...numbers: string[]) => numbers.map((lineNo) => ({ texts: { lineNo } }))
  expect(newLine([], lines).texts).toEqual({ lineNo: '10' })
  expect(newLine(numbered('10', '30'), lines).texts).toEqual({ lineNo: '40' })
  expect(newLine(numbered('1', '2', 'x'), lines).texts).toEqual({ lineNo: '3' })
  expect(newLine([], { ...lines, columns: columns.slice(1) }).texts).toEqual({})
})

it('changes a cell, and begins a line behind the last one', () => {
  expect(withText(stored, 1, 'note', 'late', lines)[1]).toMatchObject({
    place: 1,
    texts: { lineNo: '20', note: 'late' },
  })
  expect(withText(stored, 2, 'item', 'C', lines)[2]).toEqual({ texts: { lineNo: '30', item: 'C' } })
})

it('keeps what is computed and the key of a stored line from being changed', () => {
  expect(isEditable(field('amount'), undefined, ALL)).toBe(false)
  expect(isEditable(field('lineNo'), stored[0], ALL)).toBe(false)
  expect(isEditable(field('lineNo'), undefined, ALL)).toBe(true)
  expect(isEditable(field('note'), stored[0], { ...ALL, update: false })).toBe(false)
  expect(isEditable(field('note'), undefined, { ...ALL, create: false })).toBe(false)
  expect(isEditable(undefined, stored[0], ALL)).toBe(false)
})

it.each([
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['"two\nlines"\t"a ""quote"""', [['two\nlines', 'a "quote"']]],
  ['"Bolt" 5"\tx', [['"Bolt" 5"', 'x']]],
  ['\tx', [['', 'x']]],
  ['x\t', [['x', '']]],
  ['one', [['one']]],
  ['', []],
])('reads the cells of %j', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells)
})

it('pastes rightwards and downwards, adds lines, passes what is computed, and keeps what it does not understand', () => {
  const text = '5,5\t99\t1.2.2026\n1.000\t99\tmorgen\n3\t\t\n'
  const pasted = paste(stored, { row: 0, column: column('quantity') }, cellsOf(text), lines, ALL, german)
  expect(textsOf(pasted.items, 'quantity')).toEqual(['5.5', '1000', '3'])
  expect(textsOf(pasted.items, 'amount')).toEqual(['5', '6', undefined])
  expect(textsOf(pasted.items, 'due')).toEqual(['2026-02-01', 'morgen', ''])
  expect(textsOf(pasted.items, 'lineNo')).toEqual(['10', '20', '30'])
  expect(pasted).toMatchObject({ cells: 6, added: 1, rowsLeft: 0, cellsLeft: 0 })
  expect(pasted.items.map(({ place }) => place)).toEqual([0, 1, undefined])
})

it('pastes no more lines than there may be, nor beside the last column, and tells so', () => {
  const wide = Array.from({ length: 5 }, (_, row) => `${row}\ty\ttrue\tbeside`).join('\n')
  const pasted = paste(stored, { row: 1, column: column('due') - 1 }, cellsOf(wide), lines, ALL, german)
  expect(pasted.items).toHaveLength(4)
  expect(pasted).toMatchObject({ added: 2, rowsLeft: 2, cellsLeft: 3 })
})

it('pastes over stored lines with their keys, and not over other keys', () => {
  const same = paste(stored, { row: 0, column: 0 }, cellsOf('10\tX\n21\tY'), lines, ALL, german)
  expect(textsOf(same.items, 'lineNo')).toEqual(['10', '20'])
  expect(textsOf(same.items, 'item')).toEqual(['X', 'Y'])
  expect(same.cellsLeft).toBe(1)
  const none = paste(stored, { row: 2, column: 1 }, cellsOf('X'), lines, { ...ALL, create: false }, german)
  expect(none).toMatchObject({ items: stored, rowsLeft: 1 })
})
