// The columns of an answer: what people call them, and how their values are read.
import { type DocumentInfo, type FieldInfo, isNumeric } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { t } from '../../words/words.ts'

export interface AnswerColumn {
  /** The member of a row, such as `accountingInformation/account`. */
  readonly name: string
  readonly title: string
  readonly field: FieldInfo | undefined
  /** Undefined for members of records and groups. */
  readonly aggregate: Aggregate | undefined
  readonly isNumber: boolean
}

export interface Aggregate {
  readonly name: string
  readonly function: string
  readonly path: string
}

export type FlatRow = ReadonlyMap<string, unknown>

/** What a code means stands beside it, under this name. */
export const meaningName = (name: string): string => `${name}(description)`

/** Members of groups by their path; lists stay whole. */
export function flattened(row: unknown, above = ''): FlatRow {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return new Map([[above || 'value', row]])
  return new Map(
    Object.entries(row).flatMap(([name, value]) => [...flattened(value, above === '' ? name : `${above}/${name}`)]),
  )
}

export function columnsOf(
  rows: readonly FlatRow[],
  document: DocumentInfo | undefined,
  question: Question,
): readonly AnswerColumn[] {
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const isMeaning = (name: string) => name.endsWith('(description)') && names.includes(name.slice(0, -13))
  const aggregates = aggregatesIn(question.aggregate ?? '')
  return names
    .filter((name) => !isMeaning(name))
    .map((name) => {
      const aggregate = aggregates.find((one) => one.name === name)
      const path = aggregate ? aggregate.path : name
      const field = document?.fields.find((one) => one.path.toLowerCase() === path.toLowerCase())
      const title = aggregate ? aggregateTitle(aggregate, field) : (field?.titles.at(-1) ?? name)
      return { name, title, field, aggregate, isNumber: isNumberColumn(aggregate, field) }
    })
}

function isNumberColumn(aggregate: Aggregate | undefined, field: FieldInfo | undefined): boolean {
  if (!aggregate) return field !== undefined && isNumeric(field)
  return COUNTS.includes(aggregate.function) || (field !== undefined && isNumeric(field))
}

const COUNTS = ['count', 'countdistinct']

/** `sum(amounts/amount) as total, count()`: what is computed, and what it is called. */
export function aggregatesIn(text: string): readonly Aggregate[] {
  return [...text.matchAll(/(\w+)\s*\(\s*([\w/]*)\s*\)(?:\s+as\s+(\w+))?/gi)].map(
    ([, called = '', path = '', alias]) => {
      const last = path.split('/').at(-1) ?? ''
      const name = alias ?? called + last.charAt(0).toUpperCase() + last.slice(1)
      return { name, function: called.toLowerCase(), path }
    },
  )
}

function aggregateTitle({ function: name, path }: Aggregate, field: FieldInfo | undefined): string {
  const member = field?.titles.at(-1) ?? path
  switch (name) {
    case 'count':
      return t('Count')
    case 'countdistinct':
      return t('Different values of {{field}}', { field: member })
    case 'sum':
      return t('Sum of {{field}}', { field: member })
    case 'min':
      return t('Least {{field}}', { field: member })
    case 'max':
      return t('Greatest {{field}}', { field: member })
    default:
      return t('Average of {{field}}', { field: member })
  }
}

/** Sums and counts of groups add up to those of all. */
export const isAdditive = ({ aggregate }: AnswerColumn): boolean =>
  aggregate?.function === 'sum' || aggregate?.function === 'count'

const DRAWN_FIRST = ['sum', 'average', 'avg', 'max', 'min']

/** The column whose numbers a plot shows: a sum rather than a count. */
export function plottedColumn(columns: readonly AnswerColumn[]): AnswerColumn | undefined {
  const numbers = columns.filter(({ aggregate, isNumber }) => aggregate !== undefined && isNumber)
  const ofKind = (kind: string) => numbers.find(({ aggregate }) => aggregate?.function === kind)
  return DRAWN_FIRST.map(ofKind).find((column) => column !== undefined) ?? numbers[0]
}

/** Numbers that JSON keeps as their digits are numbers too. */
export function numberIn(row: FlatRow, { name }: AnswerColumn): number | undefined {
  const value = row.get(name)
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
}
