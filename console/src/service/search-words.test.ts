import { expect, it } from 'vitest'
import { partsOf } from './search-words.ts'

const marked = (text: string, search: string) =>
  partsOf(text, search)
    .map((part) => (part.isHit ? `[${part.text}]` : part.text))
    .join('')

it('marks whole words in any letter case', () => {
  expect(marked('Pump and pumps, PUMP', 'pump')).toBe('[Pump] and pumps, [PUMP]')
})

it('marks all words that begin so', () => {
  expect(marked('Invoice 7, invoicing; reinvoice', 'invoi* 7')).toBe('[Invoice] [7], [invoicing]; reinvoice')
})

it('marks words of other scripts, and takes nothing of a search for a pattern', () => {
  expect(marked('Følgeseddel für Öl (a.b)', 'öl følgeseddel a.b')).toBe('[Følgeseddel] für [Öl] ([a].[b])')
  expect(marked('a+b', '.*')).toBe('a+b')
})

it('loses nothing of the text', () => {
  const text = '\u202eabc <b>abc</b> 𝒳 abc'
  expect(
    partsOf(text, 'abc')
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

it('marks letters as people type them, and words in scripts without blanks', () => {
  expect(marked('\u00d8kern, Stra\u00dfe; Zu\u0308rich', 'okern STRASSE z\u00fcrich')).toBe(
    '[\u00d8kern], [Stra\u00dfe]; [Zu\u0308rich]',
  )
  expect(marked('\u5fa1\u4e2d\u8acb\u6c42\u66f8 PDF\u8acb\u6c42', '\u8acb\u6c42')).toBe(
    '\u5fa1\u4e2d[\u8acb\u6c42]\u66f8 PDF[\u8acb\u6c42]',
  )
})
