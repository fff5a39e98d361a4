// The words of the console in all of its languages: none is missing, none is left over, and nobody has written one beside.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { consoleWords, type UsedText } from './support/console-words.ts'

/** Names, and what is the same in all languages. */
const NAMES = [
  '/docs',
  'Ctrl K',
  'Ctrl S',
  'Ctrl Z',
  'CSV',
  'Enter',
  'Esc',
  'Excel',
  'NDJSON',
  'Parquet',
  'Tabularium',
  'TypeScript',
  'URL',
  'curl',
]
const LANGUAGES = ['nb', 'sv', 'de']

const { used, faults } = consoleWords(NAMES)

const wordsOf = (language: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../console/src/words/${language}.json`, import.meta.url), 'utf8'))

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted()

/** The keys of a text in the file of a language, by the forms that a number has there. */
function keysOf({ english, context, isPlural }: UsedText, language: string): string[] {
  const key = context === undefined ? english : `${english}_${context}`
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return isPlural ? pluralCategories.map((form) => `${key}_${form}`) : [key]
}

it('stand in t, wherever people read them', () => {
  expect(faults).toEqual([])
  expect(used.length).toBeGreaterThan(300)
})

it('are given the values that they name', () => {
  const others = used.filter(
    ({ english, values }) => values && String(placeholders(english)) !== String(values.toSorted()),
  )
  expect(others.map(({ place }) => place)).toEqual([])
})

it.each(LANGUAGES)('are all in %s, and no others', (language) => {
  const wanted = new Set(used.flatMap((text) => keysOf(text, language)))
  const there = Object.keys(wordsOf(language))
  expect([...wanted].filter((key) => !there.includes(key))).toEqual([])
  expect(there.filter((key) => !wanted.has(key))).toEqual([])
})

it('are in English where a number changes them', () => {
  const wanted = used.filter(({ isPlural }) => isPlural).flatMap((text) => keysOf(text, 'en'))
  expect(Object.keys(wordsOf('en'))).toEqual([...new Set(wanted)].toSorted())
})

it.each(['en', ...LANGUAGES])('have the same values in %s, and stand there in order', (language) => {
  const words = wordsOf(language)
  const others = Object.entries(words).filter(([key, text]) => {
    const [wanted, given] = [placeholders(key), placeholders(text)]
    // Where it is one thing, a word may say the number.
    const isOne = key.endsWith('_one') && String(wanted.filter((name) => name !== 'count')) === String(given)
    return text.trim() === '' || (String(wanted) !== String(given) && !isOne)
  })
  expect(others).toEqual([])
  expect(Object.keys(words)).toEqual(Object.keys(words).toSorted())
})
