import { describe, expect, it } from 'vitest'
import { inLowerCase, searchTerms } from './search-terms.ts'

describe('searchTerms', () => {
  it.each([
    ['1250.50', ['1250.5', '-1250.5']],
    ['1 250,50', ['1250.5', '-1250.5']],
    ['1\u00a0250,50', ['1250.5', '-1250.5']],
    ['1.250,50', ['1250.5', '-1250.5']],
    ["1'250.50", ['1250.5', '-1250.5']],
    ['1,250.50', ['1250.5', '-1250.5']],
    ['1.250', ['1.25', '-1.25', '1250', '-1250']],
    ['1.250.000', ['1250000', '-1250000']],
    ['-12,5', ['-12.5']],
    ['\u221212,5', ['-12.5']],
    ['+12', ['12']],
    ['0012', ['12', '-12']],
    ['12,', []],
    ['1,2,3', []],
    ['1 2', []],
    ['12 kr', []],
    ['1'.repeat(19), []],
  ])('reads %s as amounts', (text, amounts) => {
    expect(searchTerms(text).amounts).toEqual(amounts)
  })

  it.each([
    ['2026-11-23', ['2026-11-23']],
    ['23.11.2026', ['2026-11-23']],
    ['3.1.26', ['2026-01-03']],
    ['3/1/2026', ['2026-01-03', '2026-03-01']],
    ['23/11/2026', ['2026-11-23']],
    ['30.2.2026', []],
    ['9999-12-31', []],
    ['23.11', []],
  ])('reads %s as days', (text, days) => {
    expect(searchTerms(text).days).toEqual(days)
  })

  it('has words without letter case, each once', () => {
    expect(searchTerms('  Solheim   SLAKTERI solheim ')).toMatchObject({
      whole: 'solheim slakteri solheim',
      words: ['solheim', 'slakteri'],
      joined: undefined,
      integer: undefined,
    })
    expect(searchTerms('987 654 321')).toMatchObject({ joined: '987654321', integer: '987654321' })
  })

  it('keeps the length of a text, so that ranges hold', () => {
    for (const text of ['\u0130stanbul', 'STRASSE', 'Stra\u00dfe', '\u00c5S \u00d8L', '\ud83d\ude00A'])
      expect(inLowerCase(text)).toHaveLength(text.length)
  })
})
