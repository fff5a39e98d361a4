// What may come next in a filter, at the end of what is typed: fields, operators, values, and what joins conditions.
import { filter } from '#client'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'

export interface Suggestion {
  /** As it is typed. */
  readonly text: string
  /** What it means. */
  readonly hint: string
}

export interface Next {
  /** What stays of the text, and what is typed of the next word. */
  readonly before: string
  readonly typed: string
  readonly expected: 'field' | 'operator' | 'value' | 'joint'
  /** The field whose value is expected. */
  readonly field?: FieldInfo
}

const operators = (): readonly Suggestion[] => [
  { text: 'eq', hint: t('equal') },
  { text: 'ne', hint: t('not equal') },
  { text: 'gt', hint: t('greater') },
  { text: 'ge', hint: t('greater or equal') },
  { text: 'lt', hint: t('less') },
  { text: 'le', hint: t('less or equal') },
  { text: 'in (', hint: t('one of a list') },
]
const functions = (): readonly Suggestion[] => [
  { text: 'contains(', hint: t('a text within a text') },
  { text: 'startswith(', hint: t('how a text begins') },
  { text: 'endswith(', hint: t('how a text ends') },
  { text: 'not (', hint: t('the opposite') },
]
const joints = (): readonly Suggestion[] => [
  { text: 'and', hint: t('both') },
  { text: 'or', hint: t('either') },
]
const MOST = 12

/** Strings with doubled quotes, words with paths and dates, and single signs. */
const TOKEN = /'(?:[^']|'')*'?|[\p{L}\p{N}_/.:+-]+|\S/gu
const IS_JOINT = /^(?:and|or|not)$/i
const IS_OPERATOR = /^(?:eq|ne|gt|ge|lt|le|in)$/i

/** Undefined within a string, where nothing is offered but its values. */
export function nextIn(text: string, { fields }: DocumentInfo): Next | undefined {
  const tokens = [...text.matchAll(TOKEN)]
  const last = tokens.at(-1)
  const isOpen = last !== undefined && last.index + last[0].length === text.length && /^['\p{L}\p{N}_/]/u.test(last[0])
  const typed = isOpen ? last[0] : ''
  const before = text.slice(0, text.length - typed.length)
  const words = (isOpen ? tokens.slice(0, -1) : tokens).map(([word]) => word)
  const previous = words.at(-1)
  const fieldAt = (place: number) => fields.find(({ path }) => path.toLowerCase() === words.at(place)?.toLowerCase())
  const value = valueExpected(words, fieldAt)
  if (value) return { before, typed, expected: 'value', field: value }
  if (typed.startsWith("'")) return undefined
  if (previous === undefined || previous === '(' || IS_JOINT.test(previous)) return { before, typed, expected: 'field' }
  if (fieldAt(-1) && words.at(-2) !== '(') return { before, typed, expected: 'operator' }
  return { before, typed, expected: 'joint' }
}

/** Behind `field eq`, `field in (` and its commas, and `contains(field,`. */
function valueExpected(
  words: readonly string[],
  fieldAt: (place: number) => FieldInfo | undefined,
): FieldInfo | undefined {
  const previous = words.at(-1) ?? ''
  if (IS_OPERATOR.test(previous)) return fieldAt(-2)
  const argument = previous === ',' && words.at(-3) === '(' ? fieldAt(-2) : undefined
  if (argument) return argument
  const list = words.findLastIndex((word) => /^in$/i.test(word))
  const isInList = list > 0 && !words.slice(list).includes(')') && (previous === '(' || previous === ',')
  return isInList ? fieldAt(list - 1 - words.length) : undefined
}

/** Those that begin as what is typed, and others that hold it. */
export function suggestionsFor({ expected, typed, field }: Next, { fields }: DocumentInfo): Suggestion[] {
  if (expected === 'operator') return beginning(operators(), typed)
  if (expected === 'joint') return beginning(joints(), typed)
  if (expected === 'value') return beginning(fixedValues(field), typed)
  const filterable = fields
    .filter(({ isFilterable }) => isFilterable)
    .map(({ path, titles }) => ({ text: path, hint: titles.join(' / ') }))
  const found = [...filterable, ...functions()].filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase()))
  const begins = ({ text }: Suggestion) => text.toLowerCase().startsWith(typed.toLowerCase())
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, MOST)
}

const beginning = (all: readonly Suggestion[], typed: string): Suggestion[] =>
  all.filter(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()))

function fixedValues(field: FieldInfo | undefined): readonly Suggestion[] {
  if (field?.kind !== 'boolean') return []
  return [
    { text: 'true', hint: t('yes') },
    { text: 'false', hint: t('no') },
  ]
}

/** A code as it is typed in a filter. */
export const codeSuggestion = (code: string, name: string): Suggestion => ({
  text: String(filter`${code}`),
  hint: name,
})

/** What is typed of a code, without its quote. */
export const typedCode = ({ typed }: Next): string => typed.replace(/^'/, '').replaceAll("''", "'")

/** The text with a suggestion at its end, ready for what comes behind it. */
export const completed = ({ before }: Next, { text }: Suggestion): string =>
  `${before}${text}${text.endsWith('(') ? '' : ' '}`
