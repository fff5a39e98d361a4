import { expect, it } from 'vitest'
import { parseSelect } from './select.ts'
import type { SelectItem } from './tree.ts'

function print({ name, inside, description }: SelectItem): string {
  return `${name}${description ? `[${description}]` : ''}${inside ? `(${inside.map(print).join()})` : ''}`
}

it.each([
  [' a ,\tb ', 'a,b'],
  ['*', '*'],
  ['a, *', 'a,*'],
  ['g ( * )', 'g(*)'],
  ['g/a', 'g(a)'],
  ['g/h(a,b/c)', 'g(h(a,b(c)))'],
  ['a[t], b [ c ; T ]', 'a[T],b[C;T]'],
  ['g[T](a[C;T])', 'g[T](a[C;T])'],
  ['a(b(c(d)))', 'a(b(c(d)))'],
  ['a/b/c/d', 'a(b(c(d)))'],
  ['desc, null, eq', 'desc,null,eq'],
])('%j', (text, expected) => {
  expect(parseSelect(text).map(print).join()).toBe(expected)
})

const names = (count: number) => Array(count).fill('a').join()

it('holds at most 200 names', () => {
  expect(parseSelect(names(200))).toHaveLength(200)
})

it.each([
  ['', 'Syntax error at position 0: expected a property, found the end ($select)'],
  ['a,', 'Syntax error at position 2: expected a property, found the end ($select)'],
  ['a b', "Syntax error at position 2: expected the end, found 'b' ($select)"],
  ['a()', "Syntax error at position 2: expected a property, found ')' ($select)"],
  ['a(b', "Syntax error at position 3: expected ')', found the end ($select)"],
  ['a[X]', "Syntax error at position 2: expected T or C;T, found 'X' ($select)"],
  ['a[C]', "Syntax error at position 3: expected ';', found ']' ($select)"],
  ['a[T', "Syntax error at position 3: expected ']', found the end ($select)"],
  ['*/a', "Syntax error at position 1: expected the end, found '/' ($select)"],
  ['1', "Syntax error at position 0: expected a property, found '1' ($select)"],
  ['a; drop table x', "Syntax error at position 1: expected the end, found ';' ($select)"],
  ['a(b(c(d(e))))', 'Syntax error at position 8: nesting is deeper than 4 levels ($select)'],
  ['a/b/c/d/e', 'Syntax error at position 8: nesting is deeper than 4 levels ($select)'],
  [names(201), 'Syntax error at position 400: more than 200 names ($select)'],
])('%j is refused', (text, message) => {
  expect(() => parseSelect(text)).toThrow(expect.objectContaining({ message }))
})
