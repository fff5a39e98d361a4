import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from './filter.ts'
import { parseOrderBy } from './order-by.ts'
import { QueryError } from './query-error.ts'
import { parseSelect } from './select.ts'
import type { Expression, Operand } from './tree.ts'

/** The tree as a short text with parentheses. */
function print(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `(${expression.terms.map(print).join(` ${expression.kind} `)})`
    case 'not':
      return `not ${print(expression.term)}`
    case 'test':
      return operand(expression.operand)
    case 'compare':
      return `${operand(expression.left)} ${expression.op} ${operand(expression.right)}`
    case 'in':
      return `${operand(expression.operand)} in [${expression.values.map(operand).join()}]`
    default:
      return `${expression.kind} ${expression.list.names.join('/')} ${expression.variable}: ${expression.body ? print(expression.body) : ''}`
  }
}

function operand(one: Operand): string {
  if (one.kind === 'literal') return `${one.type}<${one.text}>`
  return one.kind === 'property' ? one.names.join('/') : `${one.name}{${one.args.map(operand).join()}}`
}

const OPEN_STRING = "the string has no closing quote: a quote inside a string is doubled, such as 'O''Neil'"

describe('a filter', () => {
  it.each([
    ["a eq 'x'", 'a eq string<x>'],
    ["A  EQ   'it''s'", "A eq string<it's>"],
    ["a eq ''", 'a eq string<>'],
    ['a ne -1.5e3', 'a ne number<-1.5e3>'],
    ['a gt +1 and b ge .5', '(a gt number<+1> and b ge number<.5>)'],
    ['a lt 2026-01-31', 'a lt date<2026-01-31>'],
    ['a le 2026-01-31T10:00:00.5Z', 'a le date<2026-01-31T10:00:00.5Z>'],
    ["a eq datetime'2026-01-31'", 'a eq date<2026-01-31>'],
    ['a eq True or b eq NULL', '(a eq boolean<True> or b eq null<NULL>)'],
    ['a eq 1 or b eq 2 and c eq 3', '(a eq number<1> or (b eq number<2> and c eq number<3>))'],
    ['(a eq 1 or b eq 2) and c eq 3', '((a eq number<1> or b eq number<2>) and c eq number<3>)'],
    ['not a eq 1 and b eq 2', '(not a eq number<1> and b eq number<2>)'],
    ['NOT (a eq 1)', 'not a eq number<1>'],
    ["a/b/c eq 'x'", 'a/b/c eq string<x>'],
    ["a in ('x' , 'y',1)", 'a in [string<x>,string<y>,number<1>]'],
    ["Contains(a,'x')", 'contains{a,string<x>}'],
    ["substringof('x', a) eq true", 'substringof{string<x>,a} eq boolean<true>'],
    ["tolower(trim(a)) eq 'x'", 'tolower{trim{a}} eq string<x>'],
    ["list/any(x: x/b eq 'y')", 'any list x: x/b eq string<y>'],
    ['list/all(x:x/b gt 1)', 'all list x: x/b gt number<1>'],
    ['list/any()', 'any list : '],
    ["'x' eq a", 'string<x> eq a'],
    ['android eq 1', 'android eq number<1>'],
    ['g/and eq 1', 'g/and eq number<1>'],
    ['\u00a0a\u00a0eq\u3000\t1 ', 'a eq number<1>'],
    ["a eq ''''", "a eq string<'>"],
    ['not_a eq 1', 'not_a eq number<1>'],
  ])('%s', (text, tree) => {
    expect(print(parseFilter(text))).toBe(tree)
  })

  it.each([
    ['', 'Syntax error at position 0: expected a value, found the end ($filter)'],
    ['a eq', 'Syntax error at position 4: expected a value, found the end ($filter)'],
    ['a eq 1 and', 'Syntax error at position 10: expected a value, found the end ($filter)'],
    ['a eq 1 b', "Syntax error at position 7: expected the end, found 'b' ($filter)"],
    ['(a eq 1', "Syntax error at position 7: expected ')', found the end ($filter)"],
    ["a eq 'x", `Syntax error at position 5: ${OPEN_STRING} ($filter)`],
    ['a eq 1)', "Syntax error at position 6: expected the end, found ')' ($filter)"],
    ['a in ()', "Syntax error at position 6: expected a value, found ')' ($filter)"],
    ["a eq 'it''s", `Syntax error at position 5: ${OPEN_STRING} ($filter)`],
    ["a eq '''", `Syntax error at position 5: ${OPEN_STRING} ($filter)`],
    ["a eq and b eq 'x'", "Syntax error at position 5: expected a value, found 'and' ($filter)"],
    ['a eq EQ 1', "Syntax error at position 5: expected a value, found 'EQ' ($filter)"],
    ['or a eq 1', "Syntax error at position 0: expected a value, found 'or' ($filter)"],
    ["in ('x')", "Syntax error at position 0: expected a value, found 'in' ($filter)"],
    ['list/any(1: a eq 1)', "Syntax error at position 9: expected a variable, found '1' ($filter)"],
    ["a eq 'x\u0000'", 'Syntax error at position 7: U+0000 can stand in no text ($filter)'],
    ["a eq '\ud83d\ude00\ude00'", 'Syntax error at position 8: U+DE00 can stand in no text ($filter)'],
    ['a = 1', "Syntax error at position 2: '=' has no meaning here: write eq ($filter)"],
    ['a eq 1; drop table x', "Syntax error at position 6: expected the end, found ';' ($filter)"],
    ['1', 'Syntax error at position 1: expected a comparison, found the end ($filter)'],
    ['a eq 12abc', "Syntax error at position 5: '12abc' has no meaning here: strings stand in single quotes ($filter)"],
    ['f(', 'Syntax error at position 2: expected a value, found the end ($filter)'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseFilter(text)).toThrow(message)
  })

  const chain = (terms: number) => Array.from({ length: terms }, () => 'a eq 1').join(' or ')
  it.each([
    ['8,000 characters', `a eq '${'x'.repeat(7_993)}'`, `a eq '${'x'.repeat(7_994)}'`],
    ['a depth of 64', `${'('.repeat(64)}a eq 1${')'.repeat(64)}`, `${'('.repeat(65)}a eq 1${')'.repeat(65)}`],
    ['500 parts', `not (${chain(166)})`, `not not (${chain(166)})`],
    ['1,000 values', `a in (${Array(1_000).fill(1).join()})`, `a in (${Array(1_001).fill(1).join()})`],
  ])('has at most %s', (_name, most, more) => {
    expect(() => parseFilter(most)).not.toThrow()
    expect(() => parseFilter(more)).toThrow(QueryError)
  })
})

describe('a selection', () => {
  it.each([
    ['a', [['a', undefined, undefined]]],
    [
      ' a , b ',
      [
        ['a', undefined, undefined],
        ['b', undefined, undefined],
      ],
    ],
    ['*', [['*', undefined, undefined]]],
    ['g(a,b)', [['g', ['a', 'b'], undefined]]],
    ['g/a', [['g', ['a'], undefined]]],
    ['g(*)', [['g', ['*'], undefined]]],
    [
      'a[T],b[C;T]',
      [
        ['a', undefined, 'T'],
        ['b', undefined, 'C;T'],
      ],
    ],
  ])('%s', (text, items) => {
    expect(
      parseSelect(text).map((item) => [item.name, item.inside?.map((inner) => inner.name), item.description]),
    ).toEqual(items)
  })

  it.each(['', ',', 'a,', 'a b', 'a(', 'a()', 'a[', 'a[X]', "a eq 'x'", 'a(b(c(d(e))))', Array(201).fill('a').join()])(
    '%j is refused',
    (text) => {
      expect(() => parseSelect(text)).toThrow(QueryError)
    },
  )

  it.each(['a(b(c(d)))', Array(200).fill('a').join()])('%.20s is within the bounds', (text) => {
    expect(() => parseSelect(text)).not.toThrow()
  })
})

describe('an order', () => {
  it('is a list of paths with directions', () => {
    expect(parseOrderBy('a, b/c DESC ,d asc').map((item) => [item.path.names.join('/'), item.isDescending])).toEqual([
      ['a', false],
      ['b/c', true],
      ['d', false],
    ])
  })

  it.each(['', 'a,', 'a down', 'a desc desc', 'a;b', Array(9).fill('a').join()])('%j is refused', (text) => {
    expect(() => parseOrderBy(text)).toThrow(QueryError)
  })
})

describe('any text at all', () => {
  const fragment = fc.constantFrom(
    "'",
    "''",
    '(',
    ')',
    ',',
    '/',
    ' ',
    'eq',
    'and',
    'or',
    'not',
    'in',
    'a',
    '1',
    '-',
    '.',
    'e',
    '[T]',
    '*',
    ':',
    ';',
    'null',
    '--',
    '/*',
    '\u0000',
    '\ud800',
    'datetime',
    '2026-01-31',
    '__proto__',
    'constructor',
  )
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
  )

  it.each([
    ['filter', parseFilter],
    ['select', parseSelect],
    ['orderby', parseOrderBy],
  ] as const)('is a %s or is refused with a position in it', (_name, parse) => {
    fc.assert(
      fc.property(hostile, (text) => {
        try {
          parse(text)
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError)
          const { position } = error as QueryError
          expect(position).toBeGreaterThanOrEqual(0)
          expect(position).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
