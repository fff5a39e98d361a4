import { expect, it } from 'vitest'
import { type DocumentDefinition, value } from '../model/document.ts'
import type { Observation } from '../observe/observation.ts'
import { StoreMetrics } from '../observe/store-metrics.ts'
import { planCollection } from '../query/plan.ts'
import { SlowQueries } from './slow-queries.ts'

const names = Array.from({ length: 300 }, (_, at) => `p${at}`)
const definition: DocumentDefinition = {
  name: 'things',
  version: 1,
  description: '',
  table: 'thing',
  companyColumn: 'company_id',
  joins: {},
  key: ['id'],
  properties: Object.fromEntries(['id', ...names].map((name) => [name, value('string', name)])),
}

function started(thresholdMs: number) {
  const observed: Observation[] = []
  const slow = new SlowQueries({ thresholdMs, metrics: new StoreMetrics(), observe: (one) => observed.push(one) })
  const ask = (filter: string, work = async () => {}) => {
    const plan = planCollection(definition, { filter, select: undefined, orderBy: undefined, offset: 0, limit: 1 })
    return slow.timed({ ...plan, scope: [] }, false, work)
  }
  return { slow, observed, ask }
}

it('holds at most its limit of shapes, the ones that came last', async () => {
  const { slow, ask } = started(0)
  for (const name of names) await ask(`${name} eq 'x'`)
  const shapes = slow.take().map(({ question }) => question)
  expect(shapes).toHaveLength(200)
  expect(shapes).toContain('{"filter":"p299 eq ?string"}')
  expect(slow.take()).toEqual([])
})

it('records of a long filter only that it is long, and no quick queries', async () => {
  const { slow, ask } = started(0)
  await ask(
    names
      .slice(0, 120)
      .map((name) => `${name} eq 'xxx'`)
      .join(' or '),
  )
  expect(slow.take().map(({ question }) => question)).toEqual(['{"filter":"too long to be shown"}'])
  const quick = started(60_000)
  await quick.ask("p1 eq 'x'")
  expect([quick.slow.take(), quick.observed]).toEqual([[], []])
})

it('counts a query that fails, such as one stopped at its timeout', async () => {
  const { slow, ask, observed } = started(0)
  const failing = () => Promise.reject(new Error('stopped'))
  await expect(ask("p1 eq 'x'", failing)).rejects.toThrow('stopped')
  await expect(ask("p1 eq 'y'", failing)).rejects.toThrow('stopped')
  expect(slow.take()).toMatchObject([{ seen: 2 }])
  expect(observed).toHaveLength(1)
})
