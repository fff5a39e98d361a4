// The log as it is read: what its newest change says of each record is what GET answers of it, whatever has been written.
import { expect, it } from 'vitest'
import { changeKinds } from '../../src/changes/kinds/change-kinds.ts'
import { readChanges } from '../../src/changes/log/read-changes.ts'
import { ALL_PARTS, type Position, type RecordChange } from '../../src/changes/record-change.ts'
import { bodyOf, onEachStoreWithCustomers } from '../support/customers.ts'
import type { World } from '../support/world.ts'

const AS = 'integration'
const WRITES = 150

/** All changes after a position, read in pages. */
async function changesAfter(world: World, from: Position, limit: number): Promise<RecordChange[]> {
  const { store, companies } = world.application.service
  const kinds = [...changeKinds([]).values()]
  const found: RecordChange[] = []
  for (let next = from; ; ) {
    const page = await readChanges(store, companies.require('EN'), next, limit, kinds)
    expect(page.changes.length).toBeLessThanOrEqual(limit)
    found.push(...page.changes)
    next = page.next
    if (page.isAtEnd) return found
  }
}

const START = { number: 0, part: ALL_PARTS }

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
  it('says in the newest change of each record what GET answers of it', { timeout: 60_000 }, async () => {
    const random = randomOf(16)
    let position: Position = START
    const newest = new Map<string, RecordChange>()
    for (let count = 0; count < WRITES; count++) {
      await writeSomething(world(), random)
      if (count % 10 !== 0) continue
      for (const change of await changesAfter(world(), position, 1 + random(7))) {
        const address = addressOf(change)
        const before = newest.get(address)
        expect({ address, text: change.before }).toEqual({ address, text: before?.after ?? change.before })
        newest.set(address, change)
        position = { number: change.number, part: change.part }
      }
      for (const [address, change] of newest) {
        const answer = await world().send({ as: AS, url: address })
        const { number } = change
        expect({ address, number, text: change.after }).toEqual({
          address,
          number,
          text: answer.status === 404 ? '' : answer.text,
        })
        if (change.after !== '') expect(answer.headers.etag).toBe(`"${change.etag}"`)
      }
    }
    expect(newest.size).toBeGreaterThan(20)
    // The same changes, whatever the pages.
    const one = await changesAfter(world(), START, 1)
    expect(one.filter(({ part }) => part > 0).length).toBeGreaterThan(20)
    expect(await changesAfter(world(), START, 1000)).toEqual(one)
    expect(await changesAfter(world(), START, 7)).toEqual(one)
  })
})
