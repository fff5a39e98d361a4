import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DocumentDefinition, group, value } from '../model/document.ts'
import type { BoundExpression, BoundOperand } from './bound.ts'
import { QueryError, type QueryOption } from './parse/query-error.ts'
import { planCollection, planFilter } from './plan.ts'

const definition: DocumentDefinition = {
  name: 'things',
  version: 1,
  description: '',
  table: 'thing',
  companyColumn: 'company_id',
  joins: {},
  key: ['id'],
  properties: {
    id: value('string', 'id'),
    part: value('integer', 'part'),
    price: value('number', 'price'),
    isOpen: value('boolean', 'is_open'),
    changed: group({ at: value('date-time', 'changed_at'), by: group({ by: value('string', 'changed_by') }) }),
  },
}

const FUNCTIONS = 'contains, substringof, startswith, endswith, length, tolower, toupper, trim, date, year, month, day'

/** The bound expression as text, with its values as JSON. */
function print(expression: BoundExpression | undefined): string {
  if (expression?.kind === 'compare') return `${operand(expression.left)} ${expression.op} ${operand(expression.right)}`
  if (expression?.kind === 'in') return `${operand(expression.operand)} in ${expression.values.map(operand).join()}`
  return expression?.kind === 'test' ? operand(expression.operand) : String(expression?.kind)
}

function operand(bound: BoundOperand): string {
  if (bound.kind === 'value') return `${bound.type} ${JSON.stringify(bound.value)}`
  if (bound.kind === 'property') return 'column' in bound.property.source ? bound.property.source.column : ''
  return `${bound.name}(${bound.args.map(operand).join()})`
}

describe('a literal takes the type of what it stands beside', () => {
  it.each([
    ['ID eq 10019', 'id eq string "10019"'],
    ['id eq +1.0e1', 'id eq string "+1.0e1"'],
    ['id eq 2026-01-31', 'id eq string "2026-01-31"'],
    ["id eq datetime'2026-01-31'", 'id eq string "2026-01-31"'],
    ['id eq null', 'id eq string ""'],
    ['10019 eq id', 'string "10019" eq id'],
    ["part eq '5'", 'part eq integer 5'],
    ["part eq ' 5.5 '", 'part eq integer 5.5'],
    ['part in (1, null, .5e1)', 'part in integer 1,integer 0,integer 5'],
    ['price eq -0', 'price eq number 0'],
    ['price eq 9223372036854775808', 'price eq number 9223372036854776000'],
    ['price eq 0.30000000000000004', 'price eq number 0.30000000000000004'],
    ['price eq 100000000000000000000.0', 'price eq number 100000000000000000000'],
    ['price lt 1.7976931348623157e308', 'price lt number 1.7976931348623157e+308'],
    ["isOpen eq 'TRUE'", 'is_open eq boolean true'],
    ['isOpen eq null', 'is_open eq boolean false'],
    ['changed/at eq null', 'changed_at eq date-time "1900-01-01T00:00:00.000Z"'],
    ['changed/at ge 2026-01-31', 'changed_at ge date-time "2026-01-31T00:00:00.000Z"'],
    ["changed/at ge datetime'2026-01-31T10:00'", 'changed_at ge date-time "2026-01-31T10:00:00.000Z"'],
    ['changed/at ge 2026-01-31T00:30:00.1239+01:00', 'changed_at ge date-time "2026-01-30T23:30:00.123Z"'],
    ["date(changed/at) eq '2026-01-31T23:00'", 'date(changed_at) eq date "2026-01-31"'],
    ['date(changed/at) eq null', 'date(changed_at) eq date "1900-01-01"'],
    ['year(null) eq 1900', 'year(date-time "1900-01-01T00:00:00.000Z") eq integer 1900'],
    ['length(5) eq 1', 'length(string "5") eq integer 1'],
    ["substringof('x', Changed / By / BY)", 'contains(changed_by,string "x")'],
    ["CONTAINS(id, 'x') eq 'true'", 'contains(id,string "x") eq boolean true'],
    ['1 eq 1.0', 'number 1 eq number 1'],
    ['null eq null', 'string "" eq string ""'],
    ['null eq part', 'integer 0 eq part'],
  ])('%s', (text, expected) => {
    expect(print(planFilter(definition, text))).toBe(expected)
  })
})

describe('what makes no sense for the document is refused where it stands', () => {
  it.each([
    ['id eq false', 'false is no string at position 6 of $filter'],
    ["part eq ''", "'' is no integer at position 8 of $filter"],
    ["price eq '1,5'", "'1,5' is no number at position 9 of $filter"],
    ['price eq 1e999', '1e999 is no number at position 9 of $filter'],
    [
      'price eq 12345678901234567.8',
      '12345678901234567.8 has more digits than are kept of numbers at position 9 of $filter',
    ],
    ["price eq '1e-400'", "'1e-400' has more digits than are kept of numbers at position 9 of $filter"],
    ["price eq 'Infinity'", "'Infinity' is no number at position 9 of $filter"],
    ["price eq '0x10'", "'0x10' is no number at position 9 of $filter"],
    ["isOpen eq 'yes'", "'yes' is no boolean at position 10 of $filter"],
    ['changed/at eq 2026-13-01', '2026-13-01 is no date-time at position 14 of $filter'],
    ['changed/at eq 0000-01-01', '0000-01-01 is no date-time at position 14 of $filter'],
    ["id eq 'a' and part in (1,'x')", "'x' is no integer at position 25 of $filter"],
    ['date(changed/at) eq changed/at', 'a date cannot be compared with a date-time at position 0 of $filter'],
    ["1 eq 'a'", "'a' is no number at position 5 of $filter"],
    ['not length(id)', 'an integer is neither true nor false: a comparison is expected at position 4 of $filter'],
    ['id/id eq 1', "'id' has no properties inside it at position 0 of $filter"],
    ['changed/at/at eq null', "'at' has no properties inside it at position 0 of $filter"],
    ['changed/by eq 1', "'by' is a group: name one of its properties, such as by/by at position 0 of $filter"],
    ["year('x') eq 1", "'x' is no date-time at position 5 of $filter; dates are written 2026-11-22"],
    ['year(id) eq 1', 'year takes a date-time, not a string at position 5 of $filter'],
    ["toString(id) eq ''", `Unknown function 'tostring' at position 0 of $filter; the functions are ${FUNCTIONS}`],
    ["__proto__/id eq ''", "Unknown property '__proto__' at position 0 of $filter"],
    ["changed/constructor eq ''", "Unknown property 'constructor' at position 8 of $filter"],
  ])('%s', (text, message) => {
    const refused = { message, option: 'filter' }
    expect(() => planFilter(definition, text)).toThrow(expect.objectContaining(refused))
  })
})

describe('a message holds no half of a letter', () => {
  const long = (length: number) => `${'x'.repeat(length - 1)}\u{1d49c}`
  it.each([`part eq '${long(40)}'`, `${long(80)} eq 1`, `part eq 1 ${long(40)}`, `part eq '\ud800'`])('%j', (text) => {
    const refused = { message: expect.toSatisfy((message: string) => message.isWellFormed()) }
    expect(() => planFilter(definition, text)).toThrow(expect.objectContaining(refused))
  })
})

describe('any text in any option', () => {
  const parts = [
    ...[
      "'",
      "''",
      '(',
      ')',
      ',',
      '/',
      ' ',
      ' ',
      ' eq ',
      ' NE ',
      ' and ',
      ' or ',
      'not ',
      ' in (',
      ':',
      ';',
      '*',
      '[T]',
    ],
    ...[
      'id',
      'part',
      'price',
      'isOpen',
      'changed/at',
      'changed(',
      'changed/by/by',
      'id/id',
      '1',
      '-1e5',
      "'x'",
      'null',
    ],
    ...['sum(', 'count()', 'max(price)', ' as ', 'countDistinct(changed/at)'],
    ...['contains(', 'length(', 'year(', "datetime'", '2026-01-31', 'T10:00', '__proto__', 'constructor', 'toString('],
    ...['any(x:', "' or 1=1 --", '"; drop table thing; --', '\u0000', '\ud800', '\u{1f600}', '\u00e6', ' desc', ' asc'],
  ]
  const hostile = fc.oneof(
    fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((some) => some.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )

  it.each(['filter', 'select', 'orderBy', 'groupBy', 'aggregate', 'having'] as const)(
    'is a legal %s, or is refused with a place in the text',
    (option) => {
      fc.assert(
        fc.property(hostile, (text) => {
          const none = { select: undefined, filter: undefined, orderBy: undefined, offset: 0, limit: undefined }
          try {
            const groups = option === 'having' ? { aggregate: 'count() as part, min(price) as id' } : {}
            planCollection(definition, { ...none, ...groups, [option]: text })
          } catch (error) {
            expect(error).toBeInstanceOf(QueryError)
            const refused = error as QueryError
            expect(refused.option).toBe(option.toLowerCase() as QueryOption)
            expect(refused.position).toBeGreaterThanOrEqual(0)
            expect(refused.position).toBeLessThanOrEqual(text.length)
            expect(refused.message.isWellFormed()).toBe(true)
          }
        }),
        { numRuns: 2_000 },
      )
    },
  )
})
