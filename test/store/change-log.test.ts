// The log as it is read: what its newest change says of each record is what GET answers of it, whatever has been written.
import { expect, it } from 'vitest'
import type { Position, RecordChange } from '../../src/changes/record-change.ts'
import { valueKind } from '../../src/records/kinds/attribute-values.ts'
import { ENGINE_KINDS } from '../../src/records/kinds/engine-records.ts'
import { BEGINNING, changesAfter, purgeAll } from '../support/change-log.ts'
import { bodyOf, onEachStoreWithCustomers } from '../support/customers.ts'
import type { World } from '../support/world.ts'

const AS = 'integration'
const WRITES = 150

const addressOf = ({ kind, key }: RecordChange) =>
  `/v1/${kind.name}/${key.map((part) => encodeURIComponent(part)).join('/')}`

/** A generator of numbers below `count`, the same in each run. */
function randomOf(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}

const REGIONS = ['N', 'S', 'W']
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

/** One write of any kind; many are refused, which must leave no trace. */
async function writeSomething(world: World, random: (count: number) => number): Promise<void> {
  const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) =>
    world.send({ as: AS, method, url, ...(body === undefined ? {} : { body }) })
  const one = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const customer = `C${random(4)}`
  const region = one(REGIONS)
  const legal = { relationId: 'LEGALID', relatedValue: one(['NO1', 'NO2']), percentage: random(100) / 8 }
  const regions = REGIONS.slice(random(3)).map((relatedValue) => ({ relationId: 'REGION', relatedValue }))
  const relation = `/v1/attribute-relations/A4/${customer}/RE/${region}`
  const project = `/v1/attribute-values/PR/P${random(3)}/${one([0, 202401])}`
  const customers = [`C${random(4)}`, `C${random(4)}`].map((relatedValue) => ({ relationId: 'PROJCUST', relatedValue }))
  const value = { attributeId: 'PR', attributeValue: `P${random(3)}`, description: `Bridge ${random(50)}` }
  const writes = [
    () => send('POST', '/v1/customers', bodyOf(customer, { relatedValues: [legal, ...regions] })),
    () => send('PATCH', `/v1/customers/${customer}`, [replace('/customerName', `Name \u00c5 ${random(50)}`)]),
    () => send('PATCH', `/v1/customers/${customer}`, [replace('/relatedValues', [...regions, legal])]),
    () =>
      send('PATCH', `/v1/customers/${customer}`, [
        replace('/relatedValues', [legal, ...regions]),
        replace('/customerName', `Both ${random(50)}`),
      ]),
    () => send('DELETE', `/v1/customers/${customer}`),
    () =>
      send('POST', '/v1/attribute-relations', {
        attributeId: 'A4',
        attributeValue: customer,
        relatedAttributeId: 'RE',
        relationValue: region,
        percentage: random(99),
      }),
    () => send('PATCH', relation, [replace('/percentage', random(100))]),
    () => send('PATCH', relation, [replace('/relationValue', one(REGIONS))]),
    () => send('DELETE', relation),
    () => send('POST', '/v1/attribute-values', { ...value, periodFrom: 0, periodTo: 202312, relatedValues: customers }),
    () => send('POST', '/v1/attribute-values', { ...value, periodFrom: 202401, relatedValues: customers.slice(1) }),
    () => send('PATCH', project, [replace('/description', `Tunnel ${random(50)}`)]),
    () => send('PATCH', project, [replace('/relatedValues', customers)]),
    () => send('DELETE', project),
  ]
  const answer = await one(writes)()
  expect(answer.status).toBeLessThan(500)
}

onEachStoreWithCustomers('the change log', (world) => {
  it('says in the newest change of each record what GET answers of it', async () => {
    const random = randomOf(16)
    let position: Position = BEGINNING
    const newest = new Map<string, RecordChange>()
    const follow = async () => {
      for (const change of await changesAfter(world(), position, 1 + random(7))) {
        const address = addressOf(change)
        const before = newest.get(address)?.after ?? ''
        expect({ address, number: change.number, text: change.before }).toEqual({
          address,
          number: change.number,
          text: before,
        })
        newest.set(address, change)
        position = { number: change.number, part: change.part }
      }
      for (const [address, { number, after, etag }] of newest) {
        const answer = await world().send({ as: AS, url: address })
        const now = answer.status === 404 ? '' : answer.text
        expect({ address, number, text: after }).toEqual({ address, number, text: now })
        if (after !== '') expect(answer.headers.etag).toBe(`"${etag}"`)
      }
    }
    for (let count = 0; count < WRITES; count++) {
      await writeSomething(world(), random)
      if (count % 10 === 0) await follow()
    }
    await follow()
    for (const { key, kind } of newest.values()) {
      if (kind.name === 'customers') await world().send({ as: AS, method: 'DELETE', url: `/v1/customers/${key}` })
    }
    expect(await purgeAll(world(), { kind: valueKind, filter: `attributeId eq 'PR' and status eq 'C'` })).toContain(
      'removed',
    )
    const [customerKind] = ENGINE_KINDS.filter(({ name }) => name === 'customers')
    expect(await purgeAll(world(), { kind: customerKind!, filter: `payment/status eq 'C'` })).toContain('removed')
    await follow()
    expect(newest.values().some(({ after, kind }) => after === '' && kind.name === 'customers')).toBe(true)
    expect(newest.size).toBeGreaterThan(20)
    // The same changes, whatever the pages.
    const one = await changesAfter(world(), BEGINNING, 1)
    expect(one.filter(({ part }) => part > 0).length).toBeGreaterThan(20)
    expect(await changesAfter(world(), BEGINNING, 1000)).toEqual(one)
    expect(await changesAfter(world(), BEGINNING, 7)).toEqual(one)
  })
})
