import { expect, it } from 'vitest'
import { findingsOf } from './findings.ts'
import { csvOf, type Mapping, mapOf, pointerOf, tableOf } from './table.ts'

const nameless = (number: number) => `Column ${number}`
const mapping: Mapping = new Map([
  ['name', { heading: 'Name' }],
  ['contactPoints.1.note', { heading: 'name (2)' }],
  ['countryCode', { constant: "N'O" }],
])

it('names each column once, and leaves out those with nothing in them', () => {
  const table = tableOf(['Name', 'name', '', ''], [['a', 'b', 'c'], ['d']], nameless)
  expect(table).toEqual({
    headings: ['Name', 'name (2)', 'Column 3'],
    rows: [
      { number: 1, cells: ['a', 'b', 'c'] },
      { number: 2, cells: ['d', '', ''] },
    ],
  })
})

it('writes the columns that mean something, and knows in which line each row begins', () => {
  const table = tableOf(
    ['Name', 'name', 'Left'],
    [
      ['a;"b"', 'two\r\nlines', 'x'],
      ['c', '', ''],
      ['', 'd', ''],
    ],
    nameless,
  )
  const { text, lines } = csvOf(table, mapping, ';')
  expect([text, lines]).toEqual(['Name;name (2)\n"a;""b""";"two\nlines"\nc;\n;d\n', [2, 4, 5]])
  expect(JSON.parse(mapOf(table, mapping))).toEqual({
    Name: 'name',
    'name (2)': 'contactPoints.1.note',
    Left: null,
    countryCode: "= 'N''O'",
  })
  expect(csvOf(table, new Map([['countryCode', { constant: 'NO' }]]), ',').text).toContain('"a;""b"""\n')
})

it('puts findings at the cells of their rows', () => {
  const findings = [
    { code: 3010, field: 'name (2)', message: 'Illegal.' },
    { code: 3010, field: 'contactPoints[0].note', message: 'Too long.' },
    { code: 1010, field: 'name', message: 'Not a number.' },
    { code: 1010, field: 'a.b', message: 'Not a text.' },
    { code: 4020, field: 'countryCode', message: 'No.' },
  ]
  expect(findingsOf([{ row: 4, key: '', findings }], [2, 4], [7, 9], mapping)).toEqual(
    new Map([
      [
        9,
        [
          { heading: 'name (2)', path: 'contactPoints.1.note', message: 'Illegal.' },
          { heading: 'name (2)', path: 'contactPoints.1.note', message: 'Too long.' },
          { heading: 'Name', path: 'name', message: 'Not a number.' },
          { heading: undefined, path: 'a.b', message: 'Not a text.' },
          { heading: undefined, path: 'countryCode', message: 'No.' },
        ],
      ],
    ]),
  )
  expect(pointerOf('contactPoints.12.address.place')).toBe('/contactPoints/11/address/place')
})
