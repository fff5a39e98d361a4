import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { sentence } from './sentence.tsx'
import { languageOf, listText, startWords, t } from './words.ts'

it.each([
  ['de-AT,en;q=0.5', 'de'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['fr-FR, sv;q=0.8', 'sv'],
  ['fr', 'en'],
  ['', 'en'],
])('speaks the first language that a reader of %j names and it knows: %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language)
})

it.each([
  ['en', 'en-GB', '1,234,567 rows', '1 row', 'A, B and C'],
  ['nb', 'nb', '1\u00a0234\u00a0567 rader', '1 rad', 'A, B og C'],
  ['sv', 'sv', '1\u00a0234\u00a0567 rader', '1 rad', 'A, B och C'],
  ['de', 'de', '1.234.567 Zeilen', '1 Zeile', 'A, B und C'],
])('says numbers and lists as %s does', async (language, locale, many, one, list) => {
  expect(await startWords(language, locale)).toBe(language)
  expect(t('{{count}} rows', { count: 1_234_567 })).toBe(many)
  expect(t('{{count}} rows', { count: 1 })).toBe(one)
  expect(listText(['A', 'B', 'C'])).toBe(list)
})

it('tells one English word from another by its context', async () => {
  await startWords('de', 'de')
  expect(t('End', { context: 'session' })).toBe('Beenden')
  await startWords('en', 'en-GB')
  expect(t('End', { context: 'session' })).toBe('End')
})

const textOf = (node: ReactNode): string => {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (isValidElement(node)) return textOf((node as ReactElement<{ children?: ReactNode }>).props.children)
  return node === undefined || node === null || typeof node === 'boolean' ? '' : String(node)
}

it('puts elements where their names stand, in the order of the language', async () => {
  await startWords('de', 'de')
  const text = sentence('{{user}} changed {{count}} fields', { user: createElement('b', null, 'Anna'), count: 2 })
  expect(textOf(text)).toBe('Anna hat 2 Felder ge\u00e4ndert')
})

it.each(['{{user}}', '$t(Save)', '\u0000user\u0000', '<b>', '$&'])(
  'takes the value %j for what it is',
  async (value) => {
    await startWords('en', 'en-GB')
    expect(t('Sign in with {{name}}', { name: value })).toBe(`Sign in with ${value}`)
    expect(textOf(sentence('{{time}} by {{user}}', { time: value, user: createElement('i', null, 'Anna') }))).toBe(
      `${value} by Anna`,
    )
  },
)
