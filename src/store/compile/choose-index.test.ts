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

/** `order`: columns, with a minus for those that go down; the key stands at its end. */
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

it('finds one record by its key, whatever else is asked', () => {
  const conditions = [on('no', 'equal', 7), on('country', 'equal', 'NO'), on('group', 'equal', 'G')]
  expect(choose(conditions, '-changed')).toMatchObject({ name: 'primary', isUnique: true, isInOrder: true })
})

it('takes the index with more columns that are equal', () => {
  expect(choose([on('country', 'equal', 'NO')], '')).toMatchObject({ name: 'country', isInOrder: true, searched: 2 })
  expect(choose([on('country', 'list', 'NO', 'SE')], '').name).toBe('country')
})

it('of equals takes the one in whose order the answer is', () => {
  expect(choose([on('country', 'equal', 'NO')], 'name')).toMatchObject({ name: 'country_name', isInOrder: true })
  expect(choose([on('name', 'lower', 'A')], '')).toMatchObject({ name: 'primary', isInOrder: true, searched: 1 })
  expect(choose([], 'name').name).toBe('name')
})

it('prefers a range with both ends to the order, and the order to one end', () => {
  expect(choose([on('name', 'both', 'A')], '')).toMatchObject({ name: 'name', isInOrder: false, searched: 2 })
  const between = [on('name', 'lower', 'A'), on('name', 'upper', 'B')]
  expect(choose(between, '')).toMatchObject({ name: 'name', searched: 3 })
  expect(choose(between.slice(1), 'name')).toMatchObject({ name: 'name', isInOrder: true, searched: 2 })
})

it('walks an index from its end, and one with a column that goes down', () => {
  expect(choose([], '-changed')).toMatchObject({ name: 'newest', isInOrder: true })
  const reversed = { order: [...'changed,no'.split(',')].map((column, at) => ({ column, isDescending: at === 1 })) }
  expect(choose([], 'changed', reversed)).toMatchObject({ name: 'newest', isInOrder: true })
  // The rest of the order goes the other way: sorted within equal names alone.
  const walked = { column: 'name', isDescending: true }
  expect(choose([], '-name')).toMatchObject({ name: 'name', isInOrder: false, walked })
})

it('checks what is left in the index where it can', () => {
  const both = [on('country', 'equal', 'NO'), on('group', 'equal', 'G')]
  expect(choose(both, '')).toMatchObject({ name: 'country', isCovering: true, searched: 2 })
  expect(choose([], undefined)).toMatchObject({ name: 'name', isCovering: true })
  expect(choose([], undefined, { columns: undefined })).toMatchObject({ name: 'primary', isCovering: false })
})

it('takes an index without some rows only where those are not asked for', () => {
  expect(choose([on('alias', 'equal', 'A')], '').name).toBe('alias')
  expect(choose([on('alias', 'both', 'A')], '').name).toBe('alias')
  expect(choose([on('alias', 'lower', 'A')], 'alias').name).toBe('alias')
  for (const asked of [on('alias', 'equal', ''), on('alias', 'list', 'A', ''), on('alias', 'upper', 'B')]) {
    expect(choose([asked], '').name).toBe('primary')
  }
})

it('takes no index for what leaves most rows', () => {
  const states: Condition = { column: 'country', kind: 'list', values: ['NO', 'SE'], isWeak: true }
  expect(choose([states], '').name).toBe('primary')
  expect(choose([{ ...states, kind: 'equal', values: [0] }, on('group', 'equal', 'G')], '').name).toBe('group')
})
