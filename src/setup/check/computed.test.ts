import { describe, expect, it } from 'vitest'
import { formatProblem, readSetup } from './read-setup.ts'

const LINES = `  - name: lines
    key: [orderNo, lineNo]
    properties:
      orderNo: { type: string }
      lineNo: { type: integer }
      order: { reference: orders, key: [orderNo] }
      amount: { type: decimal, scale: 4 }
      text: { type: string }
      double: { computed: amount * 2 }
`

/** The computed properties begin in line 15, column 7. */
const orders = (properties: string, more = '') =>
  (
    readSetup(
      `version: 1
companies: [{ id: EN, name: Example }]
documents:
  - name: orders
    key: [orderNo]
    properties:
      orderNo: { type: string, maxLength: 10 }
      price: { type: decimal, scale: 9 }
      pieces: { type: integer }
      hours: { type: number }
      text: { type: string }
      term: { group: { from: { type: date-time }, until: { type: date-time } } }
      lines: { items: lines, by: [orderNo], with: cascade }
      parts: { list: { weight: { type: decimal }, size: { group: { length: { type: integer } } }, rate: { type: number } } }
      note: { type: string, maxLength: 200 }
${properties.replace(/^(?=.)/gm, '      ')}
${more}${LINES}`,
      {},
    ).problems ?? []
  ).map((one) => formatProblem('x', one))
const computed = (text: string) => orders(`c: { computed: ${JSON.stringify(text)} }`)
const C = 'x:16:22 documents[0].properties.c.computed:'

describe('a computed property', () => {
  it.each([
    'pieces * price',
    '-pieces + 2 * (price - 1.5)',
    'round(price * price, 2)',
    'divide(price, pieces, 4)',
    "concat(orderNo, ' ''x'' ', pieces, lower)".replace('lower', 'tolower(note)'),
    'days(term/until, term/from) * 2',
    'length(text) + year(term/from)',
    'sum(lines/double) - count(lines)',
    'sum(parts/weight) + sum(parts/size/length) * count(parts)',
    'pieces',
    'trim(note)',
  ])('may be %s', (text) => {
    expect(computed(text)).toEqual([])
  })

  it.each([
    ['pieces *', 'expected a value, found the end (up to character 8)'],
    ['pieces price', "expected the end, found 'price' (up to character 12)"],
    ['(pieces', "expected ')', found the end (up to character 7)"],
    ['pieces / price', "'/' has no meaning here (up to character 6)"],
    ['pices * 2', "orders has no property 'pices' with a value; did you mean 'pieces'?"],
    ['term * 2', "orders has no property 'term' with a value; did you mean 'text'?"],
    ['lines * 2', "orders has no property 'lines' with a value"],
    ['text * 2', 'a number is expected, not a string (up to character 8)'],
    ['hours * 2', "'hours' is a number: values are computed of strings, integers, decimals and date-times"],
    ['term/from', 'a date-time is stored, not computed'],
    [
      'sine(price)',
      'there is no function sine: use days, length, tolower, toupper, trim, year, month, day, concat, divide, round, sum or count (up to character 10)',
    ],
    [
      'constructor(price)',
      'there is no function constructor: use days, length, tolower, toupper, trim, year, month, day, concat, divide, round, sum or count (up to character 17)',
    ],
    ['days(term/from)', "expected ',', found ')' (up to character 15)"],
    ['days(text, term/from)', 'days takes a date-time, not a string (up to character 10)'],
    ['round(price)', "expected ',', found ')' (up to character 12)"],
    ['round(price, 10)', "expected a number of decimal places from 0 to 9, found '10' (up to character 15)"],
    ['concat(price)', 'concat takes strings and integers, not a number (up to character 13)'],
    ["concat(text, ' ')", 'its texts may have 10001 characters, at most 10000: give them a maxLength'],
    ['price * price * price', 'it has 27 decimal places, at most 18: use round(..., places)'],
    ['1.0123456789', '1.0123456789 has more than 18 digits, or more than 9 behind the point (up to character 12)'],
    ['sum(lines)', 'sum takes a property of each line: sum(lines/...) (up to character 10)'],
    ['sum(lines/text)', 'a number is expected, not a string (up to character 15)'],
    ['sum(lines/none)', "lines has no property 'none' with a value"],
    ['sum(price)', "'price' is no list and no lines of orders"],
    ['sum(parts/wight)', "items of parts have no property 'wight'; did you mean 'weight'?"],
    ['sum(parts/size)', "items of parts have no property 'size'; did you mean 'size/length'?"],
    ['sum(parts/rate)', "'rate' is a number: values are computed of strings, integers, decimals and date-times"],
    ['count(lines/amount)', 'count takes lines alone: count(lines) (up to character 19)'],
    [`${'('.repeat(60)}pieces${')'.repeat(60)}`, 'nesting is deeper than 50 levels (up to character 52)'],
    [`pieces${' + pieces'.repeat(30)}`, 'it has more than 50 parts, with those of the properties that it names'],
  ])('is not %s', (text, problem) => {
    expect(computed(text)).toEqual([`${C} ${problem}`])
  })

  it('is of no circle, which is told once for each property in it', () => {
    expect(
      orders('a: { computed: b + 1 }\nb: { computed: c * 2 }\nc: { computed: a }\nd: { computed: a + 1 }'),
    ).toEqual([
      'x:16:22 documents[0].properties.a.computed: it is computed of itself: a of b of c of a',
      'x:17:22 documents[0].properties.b.computed: it is computed of itself: b of c of a of b',
      'x:18:22 documents[0].properties.c.computed: it is computed of itself: c of a of b of c',
    ])
    expect(orders('a: { computed: a + 1 }')).toEqual([
      'x:16:22 documents[0].properties.a.computed: it is computed of itself: a of a',
    ])
  })

  it('is not expanded without end', () => {
    const doubled = Array.from({ length: 12 }, (_one, at) => `c${at + 1}: { computed: c${at} + c${at} }`)
    expect(orders(['c0: { computed: pieces + 1 }', ...doubled].join('\n'))).toEqual([
      'x:20:23 documents[0].properties.c4.computed: it has more than 50 parts, with those of the properties that it names',
    ])
  })

  it('stands in no key, index or reference, and is one of a few', () => {
    const many = Array.from({ length: 31 }, (_one, at) => `c${at}: { computed: pieces }`).join('\n')
    expect(orders(many)).toEqual([
      'x:6:5 documents[0].properties: a document has at most 30 computed properties; found 31',
    ])
    const sums = Array.from({ length: 11 }, (_one, at) => `c${at}: { computed: sum(lines/amount) }`).join('\n')
    expect(orders(sums)).toEqual([
      'x:6:5 documents[0].properties: a document has at most 10 counts and sums of lines; found 11',
    ])
    const c = 'c: { computed: pieces }\nt: { computed: trim(note) }'
    expect(orders(c, '    indexes: [[c]]\n')).toEqual([
      "x:18:16 documents[0].indexes[0][0]: 'c' is computed, not kept: no index can be on it",
    ])
    expect(orders(c, '    sums: [c, t]\n    defaultColumns: [c, t]\n')).toEqual([
      "x:18:15 documents[0].sums[1]: 't' is of type string: no sum is made of it",
    ])
    expect(orders(`${c}\no: { reference: orders, key: [c] }`)).toEqual([
      "x:18:37 documents[0].properties.o.key[0]: there is no property 'c' with a value",
    ])
  })

  it('says nothing of what is not known', () => {
    expect(orders('c: { computed: sum(lines/amount) * pices }\nbad: { type: texts }')).toHaveLength(1)
  })
})
