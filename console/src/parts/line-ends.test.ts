import { expect, it } from 'vitest'
import { lineEndsOf } from './line-ends.ts'

it.each([
  ['one', '\n'],
  ['one\ntwo', '\n'],
  ['one\r\ntwo\r\n', '\r\n'],
  ['one\rtwo', '\r'],
  ['one\r\ntwo\nthree', undefined],
])('the line end of %j is %j', (text, end) => {
  expect(lineEndsOf(text)).toBe(end)
})
