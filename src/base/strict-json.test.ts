import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeUtf8, JsonError, parseJson } from './strict-json.ts'

function errorOf(run: () => unknown): JsonError | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  return undefined
}

const VALID = [
  'null',
  ' true ',
  'false',
  '0',
  '-0',
  '-12.5e+3',
  '1E30',
  '9007199254740992',
  '""',
  '"a\\"b\\\\c\\/\\b\\f\\n\\r\\t"',
  '"\\u00e9\\ud83d\\ude00"',
  '"\ud83d\ude00\u2028\u007f"',
  '"\ud83d\\ude00"',
  '[]',
  '[ ]',
  '\t\r\n[1, [2, {}], "x"]\n',
  '{}',
  '{ "a" : 1 , "b" : { "a" : [ ] } }',
  '{"a":{"x":1},"b":{"x":1}}',
  '{"constructor":1,"toString":2,"hasOwnProperty":3,"":4}',
  `["${'x'.repeat(39)}","${'x'.repeat(40)}","${'x'.repeat(41)}","${'x'.repeat(100)}\\n"]`,
]

const INVALID: [string, number, string][] = [
  ['', 0, 'expected a value, found the end of the text'],
  ['  ', 2, 'expected a value, found the end of the text'],
  ['{"a" 1}', 5, "expected ':' after the name, found '1'"],
  ['{"a":}', 5, "expected a value, found '}'"],
  ['{"a":1,}', 7, "expected a name in double quotes, found '}'"],
  ["{'a':1}", 1, "expected a name in double quotes, found '''"],
  ['{a:1}', 1, "expected a name in double quotes, found 'a'"],
  ['{"a":1 "b":2}', 7, "expected ',' or '}' after the value, found '\"'"],
  ['{"a":1', 6, "expected ',' or '}' after the value, found the end of the text"],
  ['[1,]', 3, "expected a value, found ']'"],
  ['[1 2]', 3, "expected ',' or ']' after the value, found '2'"],
  ['[1}', 2, "expected ',' or ']' after the value, found '}'"],
  ['[', 1, 'expected a value, found the end of the text'],
  ['1 2', 2, "expected the end of the text, found '2'"],
  ['{}\u0000', 2, 'expected the end of the text, found U+0000'],
  ['nul', 0, "expected a value, found 'n'"],
  ['True', 0, "expected a value, found 'T'"],
  ['undefined', 0, "expected a value, found 'u'"],
  ['nullx', 4, "expected the end of the text, found 'x'"],
  ['NaN', 0, "expected a value, found 'N'"],
  ['-Infinity', 0, "expected a value, found '-'"],
  ['01', 1, "expected the end of the text, found '1'"],
  ['1.', 1, "expected the end of the text, found '.'"],
  ['.5', 0, "expected a value, found '.'"],
  ['+1', 0, "expected a value, found '+'"],
  ['0x10', 1, "expected the end of the text, found 'x'"],
  ['1e400', 0, 'the number is too large'],
  ['[-1e400]', 1, 'the number is too large'],
  ['/*x*/1', 0, "expected a value, found '/'"],
  ['\u00a01', 0, 'expected a value, found U+00A0'],
  ['\ud83d\ude00', 0, 'expected a value, found U+1F600'],
  ['\ufeff\ufeff1', 1, 'expected a value, found U+FEFF'],
  ['"abc', 4, "expected '\"' at the end of the string, found the end of the text"],
  ['"abc\\"', 6, "expected '\"' at the end of the string, found the end of the text"],
  ['"a\nb"', 2, 'a control character in a string must be escaped'],
  [`"${'x'.repeat(60)}\u0000"`, 61, 'a control character in a string must be escaped'],
  ['"\\n a\tb"', 5, 'a control character in a string must be escaped'],
  ['"a\\x41"', 2, 'an escape in a string is none of JSON'],
  ['"\\\\\\u12G4"', 3, 'an escape in a string is none of JSON'],
  ['"\\u00', 1, 'an escape in a string is none of JSON'],
  ['["a\\u0000b"]', 1, 'a string has the character U+0000 in it'],
  ['["\ud83d"]', 1, 'a string has half of a surrogate pair in it'],
  ['["\\ud83d"]', 1, 'a string has half of a surrogate pair in it'],
  ['["\\ude00\\ud83d"]', 1, 'a string has half of a surrogate pair in it'],
  ['{"\\ud83d":1}', 1, 'a string has half of a surrogate pair in it'],
  ['{"a":1,"a":2}', 7, "the name 'a' stands twice in one object"],
  ['{"a":1,"\\u0061":2}', 7, "the name 'a' stands twice in one object"],
  ['{"__proto__":1}', 1, "the name '__proto__' is not allowed"],
  ['{"a":{"\\u005f_proto__":{}}}', 6, "the name '__proto__' is not allowed"],
  ['{"a\\nb":1}', 1, 'a name has a control character in it'],
  ['{"a\\u001f":1}', 1, 'a name has a control character in it'],
]

describe('parseJson', () => {
  test.each(VALID)('reads %j as everybody does', (text) => expect(parseJson(text)).toEqual(JSON.parse(text)))

  test.each(INVALID)('refuses %j at %d: %s', (text, position, message) => {
    expect(errorOf(() => parseJson(text))).toMatchObject({ position, message })
  })

  test('passes over a byte order mark', () => expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 }))

  test('makes plain objects', () => {
    const value = parseJson('{"constructor":{"prototype":1}}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['constructor'])
  })

  test('takes 32 levels and no 33rd, however many follow', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(errorOf(() => parseJson(nested(32)))).toBeUndefined()
    expect(errorOf(() => parseJson(nested(33)))).toMatchObject({ position: 32 })
    expect(errorOf(() => parseJson('{"a":'.repeat(2_000_000)))).toMatchObject({ position: 160 })
  })

  test('takes 50,000 members in all objects together', () => {
    const five = '{"a":1,"b":2,"c":3,"d":4,"e":5}'
    const members = (count: number) =>
      `[${Array.from({ length: 9_999 }, () => five)},{"f":[${'{"a":1},'.repeat(count - 49_997)}{}]},{"g":0}]`
    expect(errorOf(() => parseJson(members(50_000)))).toBeUndefined()
    expect(errorOf(() => parseJson(members(50_001)))?.message).toBe('the text has more than 50000 members')
  })

  test('at most 20,000 items of all lists together', () => {
    const lists = (count: number) => `{"a":[${'[],'.repeat(count - 2)}[]],"b":[1]}`
    expect(errorOf(() => parseJson(lists(20_000)))).toBeUndefined()
    expect(errorOf(() => parseJson(lists(20_001)))?.message).toBe('the text has more than 20000 items')
  })

  test('takes the limits it is given', () => {
    expect(errorOf(() => parseJson('[[]]', { depth: 1, keys: 1, items: 1 }))).toBeDefined()
    expect(errorOf(() => parseJson('{"a":1,"b":2}', { depth: 1, keys: 1, items: 1 }))).toBeDefined()
    expect(errorOf(() => parseJson('[1,2]', { depth: 1, keys: 1, items: 1 }))).toBeDefined()
  })

  test('reads a file of 50 MB in a string, plain or with escapes', () => {
    const content = 'QUJD'.repeat(17_000_000)
    expect((parseJson(`{"fileContent":"${content}"}`) as { fileContent: string }).fileContent.length).toBe(68_000_000)
    const escaped = 'QUJD\\u002b\\/'.repeat(1_000_000)
    expect((parseJson(`["${escaped}"]`) as string[])[0]).toBe('QUJD+/'.repeat(1_000_000))
  })

  test('reads all that the native parser writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'), (value, blanks) => {
        const text = JSON.stringify(value, null, blanks)
        if (errorOf(() => parseJson(text))) return /\\u|__proto__|\\[bfnrt]/.test(text)
        return JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text))
      }),
    )
  })

  test('takes nothing that the native parser refuses', () => {
    const part = fc.constantFrom(...'{}[]:,"\\u0041eE+-.019 \ntrue/', '"a"', 'null', '\\ud83d', '\u0001', '\ufeff')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        if (errorOf(() => parseJson(text))) return true
        return JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text.replace(/^\ufeff/, '')))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('decodeUtf8', () => {
  test.each([
    [[0x61, 0xc3, 0xa9], 'a\u00e9'],
    [[0xef, 0xbf, 0xbd], '\ufffd'],
    [[0xf0, 0x9f, 0x98, 0x80], '\ud83d\ude00'],
    [[], ''],
  ])('reads %j as %j', (bytes, text) => expect(decodeUtf8(Buffer.from(bytes))).toBe(text))

  test.each([
    [[0xff], 0],
    [[0x61, 0xc3], 1],
    [[0x61, 0xc3, 0x28], 1],
    [[0xc3, 0xa9, 0xef, 0xbf, 0xbd, 0x80], 5],
    [[0xed, 0xa0, 0xbd], 0],
    [[0xc0, 0x80], 0],
    [[0xfe, 0xff, 0x00, 0x7b], 0],
    [[0x7b, 0x00, 0xf0, 0x9f, 0x98], 2],
  ])('refuses %j at byte %d', (bytes, position) => {
    expect(errorOf(() => decodeUtf8(Buffer.from(bytes)))).toMatchObject({ position })
  })
})
