import { describe, expect, test } from 'vitest'
import { cutAtWord, GatheredText, MAX_CHARACTERS } from './gathered-text.ts'

function gathered(...parts: string[]): string {
  const text = new GatheredText()
  for (const part of parts) text.add(part)
  return text.result()
}

describe('gathered text', () => {
  test.each([
    [['  a \t\r\n b\u00a0\u2003c\u0085d\u2028e  '], 'a b c d e'],
    [['a', 'b', ' ', ' ', 'c'], 'ab c'],
    [['a ', ' b'], 'a b'],
    [['a\u0000b\u0001 \u0002 c\u007f\u009fd'], 'ab cd'],
    [['\ud83d\ude00 \ud83d x \ude00\ud83d y'], '\ud83d\ude00 x y'],
    [['\ud83d', '\ude00'], '\ud83d\ude00'],
    [['\ufeffa\ufffe\uffff'], 'a'],
    [['Do\u00adku\u200bment \u202eabc\u202c'], 'Dokument abc'],
    [['u\u0308ber Cafe\u0301'], '\u00fcber Caf\u00e9'],
    [
      ['\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u65e5\u672c\u8a9e'],
      '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u65e5\u672c\u8a9e',
    ],
    [['Rechnungs-\nnummer'], 'Rechnungs- nummer Rechnungsnummer'],
    [['wel\u00ad \r\n  come'], 'wel come welcome'],
    [['on\u2010\u0085\u00fcber'], 'on\u2010 \u00fcber on\u00fcber'],
    [['Nord-\nNorge well- known 1-\na'], 'Nord- Norge well- known 1- a'],
    [[], ''],
    [['', '\u0000', ' '], ''],
  ])('of %j is %j', (parts, text) => expect(gathered(...parts)).toBe(text))

  test('keeps a pair of surrogates whole wherever it falls', () => {
    const text = gathered('x'.repeat(65_535), '\ud83d\ude00'.repeat(70_000))
    expect(text).toBe(`${'x'.repeat(65_535)}${'\ud83d\ude00'.repeat(70_000)}`)
  })

  test('joins a divided word wherever it falls', () => {
    for (let letters = 65_520; letters < 65_540; letters++) {
      const text = gathered(`${'x '.repeat(letters / 2)}wel-\ncome `, 'y '.repeat(70_000))
      expect(text.includes(' wel- come welcome y')).toBe(true)
    }
  })

  test('has one million characters and no more, cut between two words', () => {
    expect(gathered('w'.repeat(MAX_CHARACTERS))).toHaveLength(MAX_CHARACTERS)
    const text = gathered('words '.repeat(1_000_000))
    expect(text).toHaveLength(999_995)
    expect(text.endsWith('words words')).toBe(true)
  })

  test('is full when nothing more can come out, and takes no more', () => {
    const text = new GatheredText()
    text.add(' \u0000'.repeat(2_000_000))
    expect(text.isFull).toBe(false)
    text.add('abc '.repeat(1_000_000))
    expect(text.isFull).toBe(true)
    expect(text.result().length).toBeLessThanOrEqual(MAX_CHARACTERS)
  })

  test('is bounded also where characters grow when they are composed', () => {
    const text = gathered('\u0958'.repeat(MAX_CHARACTERS))
    expect(text).toHaveLength(MAX_CHARACTERS)
    expect(text.isWellFormed()).toBe(true)
  })

  test('is given up as a whole', () => {
    const text = new GatheredText()
    text.add('x'.repeat(100_000))
    text.discard()
    expect(text.result()).toBe('')
  })
})

test.each([
  ['one two', 7, 'one two'],
  ['one two', 6, 'one'],
  ['one two', 3, 'one'],
  ['one', 2, 'on'],
  ['\ud83d\ude00\ud83d\ude00', 3, '\ud83d\ude00'],
])('%j cut at %d is %j', (text, limit, cut) => expect(cutAtWord(text, limit)).toBe(cut))
