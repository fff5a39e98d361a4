import { describe, expect, it } from 'vitest'
import { CellError } from './cell-forms.ts'
import { bindExpression, ExpressionError, parseExpression } from './expression.ts'
import { FileError } from './text-lines.ts'

const HEADINGS = ['First name', 'Last name', 'Land', 'No.']
const CELLS = [' Kari ', 'Nordmann', 'norge', '0042']
const computed = (text: string) => bindExpression(parseExpression(text), HEADINGS)(CELLS)

describe('an expression of a map', () => {
  it.each([
    ['1', '1'],
    ['-12.50', '-12.50'],
    ['true', 'true'],
    ["'O''Brien'", "O'Brien"],
    ["''", ''],
    ['[First name]', ' Kari '],
    ['[ last NAME ]', 'Nordmann'],
    ["concat(trim([First name]), ' ', [Last name])", 'Kari Nordmann'],
    ['ToUpper( [Last name] )', 'NORDMANN'],
    ["tolower('ABC')", 'abc'],
    ['substring([No.], 2)', '42'],
    ['substring([No.], 0, 2)', '00'],
    ['substring([No.], 9)', ''],
    ["switch([Land], 'Norge', 'NO', 'Sverige', 'SE')", 'NO'],
    ["switch([Land], 'Sverige', 'SE', 'XX')", 'XX'],
    ["switch([Land], 'Sverige', 'SE')", 'norge'],
    ["switch(trim([First name]), 'KARI', toupper([Last name]), 'x')", 'NORDMANN'],
  ])('%s is %j', (text, expected) => expect(computed(text)).toBe(expected))

  it.each([
    ['', /^expected a text in quotes, a number, \[a heading\] or a function at ''$/],
    ['NO', /^expected a text in quotes/],
    ["'NO", /^expected a text in quotes/],
    ['1 2', /^nothing may follow the expression: '2'$/],
    ["upper('a')", /^there is no function 'upper'; did you mean 'toupper'\?$/],
    ["lookup('a')", /^there is no function 'lookup': there are concat, /],
    ["concat('a'", /^concat\( is not closed$/],
    ["concat('a')", /^concat takes 2 to 50 arguments, and has 1$/],
    ["trim('a', 'b')", /^trim takes 1 arguments, and has 2$/],
    ['trim()', /^expected a text in quotes/],
    [`${'trim('.repeat(20)}'a'${')'.repeat(20)}`, /^functions stand in each other more than 10 deep$/],
    [`'${'a'.repeat(3_000)}'`, /^an expression has at most 2000 characters$/],
  ])('%s is none', (text, message) => {
    expect(() => parseExpression(text)).toThrow(ExpressionError)
    expect(() => parseExpression(text)).toThrow(message)
  })

  it('takes headings of the file alone', () => {
    expect(() => computed('[Last nam]')).toThrow(FileError)
    expect(() => computed('[Last nam]')).toThrow(/\[Last nam\], which is no heading of the file; did you mean \[Last/)
  })

  it('has a bound for what it computes, and refuses what is no place in a text', () => {
    const long = bindExpression(parseExpression(`concat(${'[a],'.repeat(30)}'')`), ['a'])
    expect(() => long(['x'.repeat(100_000)])).toThrow(CellError)
    expect(() => computed("substring('abc', 'x')")).toThrow(/'x' is no place in a text/)
    expect(() => computed("substring('abc', 0, -1)")).toThrow(CellError)
  })
})
