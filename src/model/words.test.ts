import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded } from './word-parts.ts'
import { searchedWords, tokenize } from './words.ts'

describe('the words of a text', () => {
  it.each([
    ['Invoice 4711 of May', ['invoice', '4711', 'of', 'may']],
    ['R\u00e9sum\u00e9, RESUME; re\u0301sume\u0301', ['resume']],
    [
      '\u00c6r\u00f8 \u00c5s\u00e5 Stra\u00dfe \u0141\u00f3d\u017a \u0110or\u0111e \u0153uvre \u00deing',
      ['aero', 'asa', 'strasse', 'lodz', 'dorde', 'oeuvre', 'thing'],
    ],
    ['\u0130stanbul ISTANBUL', ['istanbul']],
    ['file_name-1.pdf', ['file', 'name', '1', 'pdf']],
    ["it's a/b@c:d", ['it', 's', 'a', 'b', 'c', 'd']],
    ['\ufb01nance \uff21\uff22\uff23 \u2460', ['finance', 'abc', '1']],
    ['\u0421\u0447\u0451\u0442', ['\u0441\u0447\u0435\u0442']],
    ['PDF\u8acb\u6c42\u66f8 2', ['pdf', '\u8acb', '\u8acb\u6c42', '\u6c42', '\u6c42\u66f8', '\u66f8', '2']],
    ['\u304b\u304b\u3099', ['\u304b', '\u304b\u304c', '\u304c']],
    [
      '\u0939\u093f\u0928\u094d\u0926\u0940 \u0939\u0928\u094d\u0926\u093e',
      ['\u0939\u093f\u0928\u094d\u0926\u0940', '\u0939\u0928\u094d\u0926\u093e'],
    ],
    ['\u0e1a\u0e34\u0e25', ['\u0e1a\u0e34', '\u0e1a\u0e34\u0e25', '\u0e25']],
    ['\uacc4\uc57d', ['\uacc4', '\uacc4\uc57d', '\uc57d']],
    [
      '\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd \u0645\u064f\u062d\u0645\u062f',
      ['\u05e9\u05dc\u05d5\u05dd', '\u0645\u062d\u0645\u062f'],
    ],
    [' \n\t ... -- "" \u00a7 \ud83d\ude00', []],
    ['', []],
  ])('%j are %j', (text, words) => {
    expect(tokenize(text)).toEqual(words)
  })

  it('come from all texts, in their order, each once', () => {
    expect(tokenize('b a', 'A c', 'b')).toEqual(['b', 'a', 'c'])
  })

  it('are at most so many', () => {
    const text = Array.from({ length: 20_001 }, (_one, at) => `w${at}`).join(' ')
    const words = tokenize('first', text)
    expect([words.length, words[0], words.at(-1)]).toEqual([20_000, 'first', 'w19998'])
  })

  it('take at most a megabyte together', () => {
    const text = Array.from({ length: 15_000 }, (_one, at) => `${'\u0436'.repeat(55)}${at + 10_000}`).join(' ')
    const bytes = Buffer.byteLength(tokenize(text).join(''))
    expect(bytes).toBeLessThanOrEqual(1_000_000)
    expect(bytes).toBeGreaterThan(990_000)
  })

  it('are known by their beginning when they are long, in texts as in questions', () => {
    const long = 'x'.repeat(63)
    expect(tokenize(`${long}yz ${long}ya`)).toEqual([`${long}y`])
    expect(searchedWords(`${long}yz`)).toEqual([{ word: `${long}y`, isPrefix: false }])
    // Never half of a surrogate pair.
    expect(tokenize(`${long}\u{10400}z`)).toEqual([long])
  })

  it('are the same however often they are taken', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = tokenize(text)
        expect(tokenize(words.join(' '))).toEqual(words)
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are found by the text that they stand in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = new Set(tokenize(text))
        for (const { word, isPrefix } of searchedWords(text)) if (!isPrefix) expect(words).toContain(word)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the words of a question', () => {
  const exact = (word: string) => ({ word, isPrefix: false })
  const prefix = (word: string) => ({ word, isPrefix: true })

  it.each([
    ['rent may', [exact('rent'), exact('may')]],
    ['Invoi*', [prefix('invoi')]],
    ['in*voice', [prefix('in'), exact('voice')]],
    ['rent *', [exact('rent')]],
    ['*rent', [exact('rent')]],
    ['rent** may', [prefix('rent'), exact('may')]],
    ['R\u00c9*', [prefix('re')]],
    ['\u8acb\u6c42\u66f8', [exact('\u8acb\u6c42'), exact('\u6c42\u66f8')]],
    ['\u8acb*', [exact('\u8acb')]],
    ['STRA\u00dfE \u00f8l*', [exact('strasse'), prefix('ol')]],
    ['a AND NEAR(b, 2) OR "c"', ['a', 'and', 'near', 'b', '2', 'or', 'c'].map(exact)],
    ["'; drop table x --", ['drop', 'table', 'x'].map(exact)],
    ['-- "" * ^ ()', []],
    ['', []],
  ])('%j are %j', (text, words) => {
    expect(searchedWords(text)).toEqual(words)
  })
})

describe('the key of a text', () => {
  const keys = (...texts: readonly string[]) => new Set(texts.map(folded)).size

  it('is the same however its letters are composed and typed', () => {
    expect(keys('Z\u00fcrich', 'Zu\u0308rich', 'ZURICH')).toBe(1)
    expect(keys('stra\u00dfe', 'STRASSE', 'STRA\u1e9eE')).toBe(1)
    expect(keys('S\u00f8r', 'sor', 's\u00f6r')).toBe(1)
    expect(keys('\u039f\u0394\u039f\u03a3', '\u03bf\u03b4\u03cc\u03c2')).toBe(1)
    expect(keys('\u304b', '\u304c')).toBe(2)
  })

  it('is the same of itself, and that of a beginning is a beginning', () => {
    const latin = fc.string({ unit: fc.constantFrom(...'aA\u00e6\u00df\u00f8\u03a3\u03c2\u03c3\u0130 .-\u00fc') })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), latin, latin, (text, start, end) => {
        expect(folded(folded(text))).toBe(folded(text))
        expect(folded(start + end).startsWith(folded(start))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
