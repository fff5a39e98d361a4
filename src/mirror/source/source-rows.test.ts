import { describe, expect, it } from 'vitest'
import { SourceFailure } from './source.ts'
import { rowsIn } from './source-rows.ts'

const bytesOf = (text: string) => Buffer.from(new TextEncoder().encode(text).buffer)
const read = (text: string, isLines = false) => [...rowsIn(bytesOf(text), isLines)]

describe('the rows of an answer', () => {
  it.each([
    ['[]', []],
    [' [ ] \n', []],
    ['[{"a":1}]', [{ a: 1 }]],
    ['\ufeff[{"a":1},\r\n\t{"b":[{"c":"}]{\\"\\\\"}]}]', [{ a: 1 }, { b: [{ c: '}]{"\\' }] }]],
    ['[{"name":"\u00e6 \u{1f600}"} , {}]', [{ name: '\u00e6 \u{1f600}' }, {}]],
  ])('of a list: %s', (text, rows) => {
    expect(read(text)).toEqual(rows)
  })

  it.each([
    ['', []],
    ['\n\n', []],
    ['{"a":1}\n{"b":"\\n"}', [{ a: 1 }, { b: '\n' }]],
    ['{"a":1}\r\n\r\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
  ])('of lines: %j', (text, rows) => {
    expect(read(text, true)).toEqual(rows)
  })

  it.each([
    '',
    '{"a":1}',
    '[',
    '[{"a":1}',
    '[{"a":1},',
    '[{"a":1},]',
    '[,{"a":1}]',
    '[{"a":1}{"b":2}]',
    '[{"a":"1}]',
    '[{"a":"\\"}]',
    '[{"a":1}] x',
    '[{"a":1}]]',
    '[1]',
    '[null]',
    '[[{"a":1}]]',
    '<html>',
  ])('of no list are none: %s', (text) => {
    expect(() => read(text)).toThrow(SourceFailure)
  })

  it.each(['{"a":1', '{"a":1}\n{"b', '[{"a":1}]', '{"a":1}\nnull'])('of no lines are none: %j', (text) => {
    expect(() => read(text, true)).toThrow(SourceFailure)
  })

  it('are told where one is no JSON, when it is looked at', () => {
    const rows = rowsIn(bytesOf('[{"a":1},{"b":},{"c":[}]'), false)
    expect(rows.at(0)).toEqual({ a: 1 })
    expect(() => rows.at(1)).toThrow(new SourceFailure(0, 'no list of records: {"b":}', { isOfSize: true }))
  })

  it('are as many as there are, and can be looked at again and in part', () => {
    const rows = rowsIn(bytesOf('[{"a":1},{"a":2},{"a":3}]'), false)
    expect([rows.length, rows.at(-1), rows.at(3), rows.at(-4)]).toEqual([3, { a: 3 }, undefined, undefined])
    expect([...rows.slice(1), ...rows.slice(0, 1)]).toEqual([{ a: 2 }, { a: 3 }, { a: 1 }])
    expect(rows.slice(1, 2).length).toBe(1)
  })

  it('keep numbers that are longer than a double', () => {
    expect(JSON.stringify(read('[{"a":12345678901234567890.10}]'))).toBe('[{"a":12345678901234567890.10}]')
  })

  it('give their bytes back', () => {
    const rows = rowsIn(bytesOf('[{"a":1}]'), false)
    rows.free()
    expect(() => rows.at(0)).toThrow(SourceFailure)
  })
})
