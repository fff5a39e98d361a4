// The words of the console and of the service in all of their languages: none is missing, none of the console is left
// over, and nobody has written one beside.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sentenceOf } from '../src/errors/sentences.ts'
import { consoleWords, type UsedText } from './support/console-words.ts'
import { serviceSentences } from './support/service-words.ts'

/** Names, and what is the same in all languages. */
const NAMES = [
  '/docs',
  'Android',
  'Chrome',
  'Ctrl C',
  'Ctrl K',
  'Space',
  'Ctrl S',
  'Edge',
  'Firefox',
  'Linux',
  'Opera',
  'Safari',
  'Windows',
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
  'Word',
  'curl',
]
const LANGUAGES = ['nb', 'sv', 'de']

const { used, faults } = consoleWords(NAMES)

const wordsIn = (file: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

const wordsOf = (language: string) => wordsIn(`../console/src/words/${language}.json`)

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted()

const distinct = (text: string): string[] => [...new Set(placeholders(text))].toSorted()

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

/** What speaks to people, and to programs that people write. */
const SPEAKING = [
  ...['access', 'app', 'batch-operations', 'changes', 'databases', 'errors', 'files', 'http', 'model', 'objects'],
  ...['parquet', 'patch', 'process-pool', 'query', 'records', 'sessions', 'store', 'subscriptions', 'transfer'],
]

/** What is wrong with the map of columns that the command line takes. */
const OF_MAPS = /^src\/transfer\/(?:rows\/expression|read-map|item-properties)\.ts$/
/** The sources do not show of what these are put together: their sentences are those of other places. */
const COMPOSED = [
  'The field {} {}.',
  'Too many {} from this address.',
  "{} (cells end at '{}'; separator and --map say otherwise).",
]

/** Sentences that anything may be. */
const OF_ANYTHING = ['{{part1}}: {{part2}}', '{{value}} is no {{part}}', '{{value}} is there twice']
/** What only programmers are told, is the message of a rule elsewhere, or has one of two ends. */
const NO_FAULTS = [
  '{} type',
  'the pattern {}',
  "unknown key '{}'{}",
  'expected {}',
  '{} is no {}',
  '{}: {}',
  '{}: unique',
]

it('of faults of a setup are in all languages', () => {
  const said = serviceSentences(['setup/{apply,check,file,items,rules}']).filter(
    ({ text }) => !NO_FAULTS.includes(text),
  )
  expect(said.length).toBeGreaterThan(100)
  const isTold = (text: string) => {
    const sentence = sentenceOf(text.replaceAll('{}', 'x'))
    return sentence !== undefined && !OF_ANYTHING.includes(sentence)
  }
  // What was meant instead may stand at the end.
  const wordless = said.filter(({ text }) => !isTold(text) && !isTold(text.replace(/\{\}$/, '')))
  expect([...new Set(wordless.map(({ file, text }) => `${file}: ${text}`))].toSorted()).toEqual([])
})

it('of the service are in all languages', () => {
  const said = serviceSentences(SPEAKING).filter(({ file, text }) => !OF_MAPS.test(file) && !COMPOSED.includes(text))
  expect(said.length).toBeGreaterThan(300)
  const wordless = said.filter(({ text }) => sentenceOf(text.replaceAll('{}', 'x')) === undefined)
  expect([...new Set(wordless.map(({ file, text }) => `${file}: ${text}`))].toSorted()).toEqual([])
})

const OF_SERVICE = ['errors', 'model'].flatMap((part) => LANGUAGES.map((language) => [part, language] as const))

it.each(OF_SERVICE)('of %s of the service have the same values in %s, and stand there in order', (part, language) => {
  const words = wordsIn(`../src/${part}/words/${language}.json`)
  const others = Object.entries(words).filter(
    ([english, text]) => text.trim() === '' || String(distinct(english)) !== String(distinct(text)),
  )
  expect(others).toEqual([])
  expect(Object.keys(words)).toEqual(Object.keys(wordsIn(`../src/${part}/words/nb.json`)).toSorted())
})
