import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchedWords, tokenize } from './words.ts'

describe('the words of a text', () => {
  it.each([
    ['Invoice 4711 of May', ['invoice', '4711', 'of', 'may']],
    ['R\u00e9sum\u00e9, RESUME; re\u0301sume\u0301', ['resume']],
    ['\u00c6r\u00f8 \u00c5s\u00e5 stra\u00dfe', ['\u00e6r\u00f8', 'asa', 'stra\u00dfe']],
    ['\u0130stanbul ISTANBUL', ['istanbul']],
    ['file_name-1.pdf', ['file', 'name', '1', 'pdf']],
    ["it's a/b@c:d", ['it', 's', 'a', 'b', 'c', 'd']],
    ['\ufb01nance \uff21\uff22\uff23 \u2460', ['finance', 'abc', '1']],
    ['\u8acb\u6c42\u66f8 \u0421\u0447\u0451\u0442', ['\u8acb\u6c42\u66f8', '\u0441\u0447\u0435\u0442']],
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
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]+$/u)
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
    ['a AND NEAR(b, 2) OR "c"', ['a', 'and', 'near', 'b', '2', 'or', 'c'].map(exact)],
    ["'; drop table x --", ['drop', 'table', 'x'].map(exact)],
    ['-- "" * ^ ()', []],
    ['', []],
  ])('%j are %j', (text, words) => {
    expect(searchedWords(text)).toEqual(words)
  })
})
