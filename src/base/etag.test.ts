import { expect, it } from 'vitest'
import { earlierState, etagOf, holdsTag, isMatch, isNoneMatch } from './etag.ts'

it.each([
  ['"531"', true, true],
  ['*', true, true],
  [' "1", "531" ', true, true],
  ['W/"531"', true, false],
  ['"531-gzip"', true, false],
  ['W/"531-gzip"', true, false],
  ['"531--gzip"', true, false],
  ['"531;br"', true, false],
  ['"1", "531-zstd"', true, false],
  ['"531-x"', false, false],
  ['"531-gzip', false, false],
  ['"5310"', false, false],
  ['531', false, false],
  ['', false, false],
])('%s names the state 531 to If-None-Match: %j, to If-Match: %j', (header, isKnown, isPermitted) => {
  expect([isNoneMatch(header, 531), isMatch(header, 531)]).toEqual([isKnown, isPermitted])
})

it('permits a change, and knows no state, without a header', () => {
  expect([isMatch(undefined, 531), isNoneMatch(undefined, 531)]).toEqual([true, false])
})

it('knows the weak tag of a collection as a proxy returns it', () => {
  for (const tag of ['W/"abc"', '"abc"', 'W/"abc-gzip"', '"abc-br"']) expect(holdsTag(tag, 'W/"abc"')).toBe(true)
  expect(holdsTag('W/"abd"', 'W/"abc"')).toBe(false)
})

it.each(['abc-', 'ab--', 'abc-gzip', '-'])('knows the tag %s, whose end looks like that of a proxy', (own) => {
  for (const end of ['', '-gzip', '--gzip', ';gzip']) expect(holdsTag(`"${own}${end}"`, `"${own}"`)).toBe(true)
  for (const other of [`${own}x`, `${own}-x`, `x${own}`]) expect(holdsTag(`"${other}"`, `"${own}"`)).toBe(false)
})

it('finds earlier states among strong tags alone', () => {
  expect([earlierState('"5", "7"', 9), earlierState('W/"5", "7-gzip"', 9), earlierState(etagOf(9), 9)]).toEqual([
    7,
    undefined,
    undefined,
  ])
})
