import { describe, expect, it } from 'vitest'
import { valuePattern } from './value-pattern.ts'

/** Makes a backtracking engine explore exponentially many splits. */
const LONGEST = 'A'.repeat(255)

describe('a pattern of a setup', () => {
  it.each([
    '((A+))+B',
    '(A|A)*B',
    '(A|AA)+B',
    '((A)*)*B',
    '(A+){40}B',
    '(A?){60}B',
    'A*A*A*A*A*A*B',
    '(.*)*!',
    '(?:[A-Z]?){255}!',
  ])('%s takes next to no time on a value made for it', (pattern) => {
    const matches = valuePattern(pattern)
    const before = process.threadCpuUsage()
    for (let round = 0; round < 20; round++) expect(matches(LONGEST)).toBe(false)
    const { user } = process.threadCpuUsage(before)
    // In microseconds. A backtracking engine takes seconds for 30 letters of the first pattern, and years for 255.
    expect(user).toBeLessThan(1_000_000)
  })

  it.each([
    ['[A-Z0-9]+', ['SICK', 'A1'], ['', 'sick', 'A-1', 'A\n']],
    ['a|b', ['a', 'b'], ['ab', 'ba']],
    ['\\d{2}-[\\w.]+', ['12-a_b.c'], ['1-a', '12-\u00e6']],
    ['\\p{Lu}\\p{Script=Greek}*', ['\u00c6', 'A\u03b1\u03b2'], ['\u00e6', 'Ab']],
    ['[^\\s/]+', ['a-b'], ['a b', 'a\u00a0b', 'a/b']],
    ['a\\sb\\S', ['a bc', 'a\u2003bc'], ['abc', 'a b ']],
    ['\\u00e6\\u{1F600}\\/[\\]\\-a]', ['\u00e6\u{1f600}/]', '\u00e6\u{1f600}/-'], ['\u00e6/]']],
    ['(?<year>\\d{4})[^0]?', ['2026', '2026\u{1f600}'], ['20260']],
  ])('%s means what it means in JavaScript', (pattern, legal, illegal) => {
    const matches = valuePattern(pattern)
    const inJavaScript = new RegExp(`^(?:${pattern})$`, 'u')
    for (const value of [...legal, ...illegal]) {
      expect([value, matches(value)]).toEqual([value, legal.includes(value)])
      expect([value, inJavaScript.test(value)]).toEqual([value, legal.includes(value)])
    }
  })

  it.each(['(?=a)a', '(?!a)b', '(?<=a)b', '(a)\\1', '(?<n>a)\\k<n>', '[]a', 'a{1001}', '((a{100}){100}){100}'])(
    '%s is refused: it could take very long',
    (pattern) => expect(() => valuePattern(pattern)).toThrow('could take very long'),
  )

  it.each(['[', '(', 'a{2,1}', '\\_'])('%s is refused: it is none', (pattern) =>
    expect(() => valuePattern(pattern)).toThrow('is no regular expression'),
  )
})
