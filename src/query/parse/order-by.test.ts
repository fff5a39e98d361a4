import { expect, it } from 'vitest'
import { parseOrderBy } from './order-by.ts'

it.each([
  ['a', ['a asc']],
  ['a ASC', ['a asc']],
  ['\ta\r\nDeSc ', ['a desc']],
  ['a / b / c desc,d', ['a/b/c desc', 'd asc']],
  ['asc desc', ['asc desc']],
  ['a,b,c,d,e,f,g,h', ['a asc', 'b asc', 'c asc', 'd asc', 'e asc', 'f asc', 'g asc', 'h asc']],
])('%j', (text, expected) => {
  const items = parseOrderBy(text)
  expect(items.map(({ path, isDescending }) => `${path.names.join('/')} ${isDescending ? 'desc' : 'asc'}`)).toEqual(
    expected,
  )
})

it.each([
  ['', 'Syntax error at position 0: expected a property, found the end ($orderby)'],
  ['a,', 'Syntax error at position 2: expected a property, found the end ($orderby)'],
  ['a/', 'Syntax error at position 2: expected a property, found the end ($orderby)'],
  ['a down', "Syntax error at position 2: expected the end, found 'down' ($orderby)"],
  ['a desc asc', "Syntax error at position 7: expected the end, found 'asc' ($orderby)"],
  ['1', "Syntax error at position 0: expected a property, found '1' ($orderby)"],
  ["'a'", 'Syntax error at position 0: expected a property, found a string ($orderby)'],
  ['a; drop table x', "Syntax error at position 1: expected the end, found ';' ($orderby)"],
  ['a,b,c,d,e,f,g,h,i', 'Syntax error at position 16: more than 8 properties ($orderby)'],
  [' '.repeat(8_001), 'Syntax error at position 8000: the text is longer than 8000 characters ($orderby)'],
])('%j is refused', (text, message) => {
  expect(() => parseOrderBy(text)).toThrow(expect.objectContaining({ message }))
})
