import { describe, expect, test } from 'vitest'
import { anyOf, capitalised, compareCodePoints, isStorable, nearestName, shortened } from './text.ts'

test.each([
  ['customerName', 'CustomerName'],
  ['eMail', 'EMail'],
  ['', ''],
])('%j is written %j in messages', (name, written) => expect(capitalised(name)).toBe(written))

test.each([
  [['add'], 'add'],
  [['add', 'remove'], 'add or remove'],
  [['replace', 'add', 'remove'], 'replace, add or remove'],
])('any of %j is written %j', (names, written) => expect(anyOf(names)).toBe(written))

test.each([
  ['', true],
  ['Zo\u00eb \ud83d\ude00', true],
  ['a\u0000b', false],
  ['\ud83d', false],
  ['\ude00\ud83d', false],
])('%j can be kept: %j', (text, expected) => expect(isStorable(text)).toBe(expected))

test('texts are ordered by code point', () => {
  const ordered = ['', 'A', 'B', 'a', 'aa', 'b', '\u00e9', '\ufffd', '\ud83d\ude00', '\ud83d\ude01']
  expect(ordered.toReversed().sort(compareCodePoints)).toEqual(ordered)
  expect(compareCodePoints('same', 'same')).toBe(0)
})

test.each([
  ['short', 80, 'short'],
  ['abcdef', 3, 'abc...'],
  ['ab\ud83d\ude00cd', 3, 'ab\ufffd...'],
])('%j is shown in %d characters as %j', (text, limit, shown) => expect(shortened(text, limit)).toBe(shown))

describe('the nearest name', () => {
  const names = ['attributeId', 'attributeValue', 'status', 'id']
  test.each([
    ['atributeId', 'attributeId'],
    ['ATTRIBUTEVALU', 'attributeValue'],
    ['Status', 'status'],
    ['ix', 'id'],
    ['colour', undefined],
    ['', undefined],
    ['a'.repeat(65), undefined],
    ['__proto__', undefined],
  ])('to %j is %j', (given, nearest) => expect(nearestName(given, names)).toBe(nearest))

  test('of no names is none', () => expect(nearestName('a', [])).toBeUndefined())
})
