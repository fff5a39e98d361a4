import { expect, it } from 'vitest'
import { postgresDialect } from '../../databases/postgres/dialect/dialect.ts'
import { sqliteDialect } from '../../databases/sqlite/dialect/dialect.ts'
import { type DocumentDefinition, group, value } from '../../model/document.ts'
import { readOptions } from '../../query/options.ts'
import { planCollection } from '../../query/plan.ts'
import { compileCollection, compileTotal } from './compile-query.ts'

const definition: DocumentDefinition = {
  name: 'lines',
  version: 1,
  description: '',
  table: 'line',
  companyColumn: 'company',
  joins: {},
  key: ['no'],
  indexes: [
    { name: 'state', columns: ['company', 'state', 'no'] },
    { name: 'account', columns: ['company', 'state', 'account', 'no'] },
    { name: 'sums', columns: ['company', 'state', 'account', 'amount', 'no'] },
  ],
  properties: {
    no: value('integer', 'no'),
    state: value('string', 'state'),
    accounting: group({ account: value('string', 'account') }),
    amount: value('decimal', 'amount', { scale: 2 }),
    hours: value('number', 'hours'),
    text: value('string', 'text'),
  },
}

const SCOPE = [
  ['company', 'EN'],
  ['state', 'posted'],
] as const

const planOf = (options: Record<string, string>) => planCollection(definition, readOptions(Object.entries(options)))
const compiled = (options: Record<string, string>) => compileCollection(planOf(options), SCOPE, sqliteDialect)
const indexOf = (options: Record<string, string>) => /indexed by "(\w+)"/.exec(compiled(options).text)?.[1]

it('finds groups in the order of an index that has all that is read', () => {
  const groupBy = 'accounting/account'
  expect(indexOf({ groupBy, aggregate: 'sum(amount)' })).toBe('sums')
  expect(compiled({ groupBy, aggregate: 'sum(amount)' }).scanEstimate?.plan).toMatchObject({
    isInOrder: true,
    isCovering: true,
  })
  expect(indexOf({ groupBy, aggregate: 'count()' })).toBe('account')
  expect(indexOf({ groupBy, aggregate: 'sum(hours)' })).toBe('account')
  expect(compiled({ groupBy, aggregate: 'sum(hours)' }).scanEstimate?.plan?.isCovering).toBe(false)
  expect(indexOf({ aggregate: 'max(no)' })).toBe('state')
})

it('expects to visit every row, however few groups are answered, with work for each function', () => {
  const estimate = (aggregate: string) => compiled({ groupBy: 'text', aggregate, limit: '1' }).scanEstimate
  expect(estimate('count()')?.most).toBe(Number.POSITIVE_INFINITY)
  expect(estimate('sum(amount),sum(hours) as more')?.work.visit).toBeGreaterThan(estimate('count()')?.work.visit ?? 0)
})

it('binds every value, in the order of the text', () => {
  const plan = planOf({
    filter: "text ne 'x'",
    groupBy: 'accounting/account',
    aggregate: 'sum(amount) as total',
    having: "total in (1, 2.5) and total lt 1e30 and accounting/account ne 'y'",
    offset: '3',
    limit: '7',
  })
  const { text, parameters } = compileCollection(plan, SCOPE, postgresDialect)
  const bound = ['EN', 'posted', 'x', '1e0', '25e-1', '1e30', 'y']
  expect(parameters).toEqual([...bound, 7, 3])
  expect(text.match(/\$\d+/g)).toEqual(parameters.map((_one, at) => `$${at + 1}`))
  expect(compileTotal(plan, SCOPE, postgresDialect).parameters).toEqual(bound)
})
