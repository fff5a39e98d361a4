import { expect, it } from 'vitest'
import type { TableIndex } from '../../model/document.ts'
import { type Condition, chooseIndex, type IndexQuery } from './choose-index.ts'

const KEY = ['company', 'no']
const INDEXES: readonly TableIndex[] = [
  { name: 'name', columns: ['company', 'name', 'no'] },
  { name: 'country', columns: ['company', 'country', 'no', 'group'] },
  { name: 'group', columns: ['company', 'group', 'no'] },
  { name: 'country_name', columns: ['company', 'country', 'name', 'no'] },
  { name: 'newest', columns: ['company', 'changed', 'no'], descending: ['changed'] },
  { name: 'alias', columns: ['company', 'alias', 'no'], without: { column: 'alias', value: '' } },
]

const company: Condition = { column: 'company', kind: 'equal', values: ['EN'] }
const on = (column: string, kind: Condition['kind'], ...values: unknown[]): Condition => ({ column, kind, values })

/** `order`: columns, with a minus for descending ones; the key is appended. */
function choose(conditions: readonly Condition[], order?: string, more: Partial<IndexQuery> = {}) {
  const wanted = order === undefined ? [] : [...order.split(',').filter(Boolean), 'no']
  const all = [company, ...conditions]
  const choice = chooseIndex(KEY, INDEXES, {
    conditions: all,
    order: wanted.map((name) => ({ column: name.replace('-', ''), isDescending: name.startsWith('-') })),
    columns: new Set([...all.map(({ column }) => column), ...wanted.map((name) => name.replace('-', '')), 'no']),
    ...more,
  })
  return { ...choice, name: choice.isPrimary ? 'primary' : choice.index.name, searched: choice.search.size }
}

it('finds one record by its key, whatever other conditions there are', () => {
  const conditions = [on('no', 'equal', 7), on('country', 'equal', 'NO'), on('group', 'equal', 'G')]
  expect(choose(conditions, '-changed')).toMatchObject({ name: 'primary', isUnique: true, isInOrder: true })
})

it('prefers the index with more columns compared for equality', () => {
  expect(choose([on('country', 'equal', 'NO')], '')).toMatchObject({ name: 'country', isInOrder: true, searched: 2 })
  expect(choose([on('country', 'list', 'NO', 'SE')], '').name).toBe('country')
})

it('prefers, among equal ones, the index in the order of the answer', () => {
  expect(choose([on('country', 'equal', 'NO')], 'name')).toMatchObject({ name: 'country_name', isInOrder: true })
  expect(choose([on('name', 'lower', 'A')], '')).toMatchObject({ name: 'primary', isInOrder: true, searched: 1 })
  expect(choose([], 'name').name).toBe('name')
})

it('prefers a two-sided range to the order, and the order to a one-sided range', () => {
  expect(choose([on('name', 'both', 'A')], '')).toMatchObject({ name: 'name', isInOrder: false, searched: 2 })
  const between = [on('name', 'lower', 'A'), on('name', 'upper', 'B')]
  expect(choose(between, '')).toMatchObject({ name: 'name', searched: 3 })
  expect(choose(between.slice(1), 'name')).toMatchObject({ name: 'name', isInOrder: true, searched: 2 })
})

it('walks an index backwards, and one with a descending column', () => {
  expect(choose([], '-changed')).toMatchObject({ name: 'newest', isInOrder: true })
  const reversed = { order: [...'changed,no'.split(',')].map((column, at) => ({ column, isDescending: at === 1 })) }
  expect(choose([], 'changed', reversed)).toMatchObject({ name: 'newest', isInOrder: true })
  // The rest of the order has the other direction: rows are sorted only within equal names.
  const walked = { column: 'name', isDescending: true }
  expect(choose([], '-name')).toMatchObject({ name: 'name', isInOrder: false, walked })
})

it('checks the remaining conditions in the index where it can', () => {
  const both = [on('country', 'equal', 'NO'), on('group', 'equal', 'G')]
  expect(choose(both, '')).toMatchObject({ name: 'country', isCovering: true, searched: 2 })
  expect(choose([], undefined)).toMatchObject({ name: 'name', isCovering: true })
  expect(choose([], undefined, { columns: undefined })).toMatchObject({ name: 'primary', isCovering: false })
})

it('uses a partial index only when the missing rows are not requested', () => {
  expect(choose([on('alias', 'equal', 'A')], '').name).toBe('alias')
  expect(choose([on('alias', 'both', 'A')], '').name).toBe('alias')
  expect(choose([on('alias', 'lower', 'A')], 'alias').name).toBe('alias')
  for (const condition of [on('alias', 'equal', ''), on('alias', 'list', 'A', ''), on('alias', 'upper', 'B')]) {
    expect(choose([condition], '').name).toBe('primary')
  }
})

it('uses no index for a condition that most rows meet', () => {
  const states: Condition = { column: 'country', kind: 'list', values: ['NO', 'SE'], isWeak: true }
  expect(choose([states], '').name).toBe('primary')
  expect(choose([{ ...states, kind: 'equal', values: [0] }, on('group', 'equal', 'G')], '').name).toBe('group')
})
