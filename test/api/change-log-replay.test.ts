// Any past state of a record can be rebuilt from the change log: what GET answered after a change is what its entry
// says.
import { expect, it } from 'vitest'
import { bodyOf, onEachStoreWithCustomers } from '../support/customers.ts'
import { objects } from '../support/object-records.ts'
import type { World } from '../support/world.ts'

const AS = 'integration'
const CHANGES = 40

/** The last change log entry of a record, with its texts resolved. */
async function lastEntry(world: World, entity: string, key: readonly unknown[]) {
  const filter = `entity eq '${entity}' and recordKey eq '${JSON.stringify(key)}'`
  const answer = await world.send({
    as: AS,
    url: objects('audit-entries', { filter, orderBy: 'entryNo desc', limit: '1' }),
  })
  expect(answer.status).toBe(200)
  const [entry] = answer.json
  return { entryNo: entry.entryNo as number, before: read(entry.before), after: read(entry.after) }
}

const read = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

const get = async (world: World, url: string): Promise<unknown> => {
  const answer = await world.send({ as: AS, url })
  return answer.status === 404 ? undefined : answer.json
}

const change = async (world: World, method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
  const answer = await world.send({ as: AS, method, url, ...(body === undefined ? {} : { body }) })
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
}

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

onEachStoreWithCustomers('past states', (world) => {
  it('are those that were answered, also when a relation was changed separately', async () => {
    const url = '/v1/customers/PAST'
    const relation = '/v1/attribute-relations'
    await change(world(), 'POST', '/v1/customers', bodyOf('PAST'))
    const states = new Map<number, unknown>()
    const remember = async () => {
      const { entryNo, after } = await lastEntry(world(), 'customer', ['PAST'])
      expect(after).toEqual(await get(world(), url))
      states.set(entryNo, after)
    }
    await remember()
    for (let count = 0; count < CHANGES; count++) {
      const region = { attributeId: 'A4', attributeValue: 'PAST', relatedAttributeId: 'RE', relationValue: 'N' }
      // Changes of a relation alone create no entry for the customer, although it shows its relations.
      if (count % 4 === 1)
        await change(world(), 'POST', relation, { ...region, relationId: 'REGION', percentage: count })
      if (count % 4 === 2)
        await change(world(), 'PATCH', `${relation}/A4/PAST/RE/N`, replace('/percentage', 50 + count / 4))
      if (count % 4 === 3) await change(world(), 'DELETE', `${relation}/A4/PAST/RE/N`)
      const before = await get(world(), url)
      await change(world(), 'PATCH', url, replace('/customerName', `Past \u00c5 ${count} ${'x'.repeat(count % 30)}`))
      expect((await lastEntry(world(), 'customer', ['PAST'])).before).toEqual(before)
      await remember()
    }
    const before = await get(world(), url)
    await change(world(), 'DELETE', url)
    expect(await lastEntry(world(), 'customer', ['PAST'])).toMatchObject({ before, after: expect.anything() })
    const filter = `entity eq 'customer' and recordKey eq '["PAST"]'`
    const { json } = await world().send({ as: AS, url: objects('audit-entries', { filter }) })
    const found = new Map((json as { entryNo: number; after: string }[]).map((e) => [e.entryNo, read(e.after)]))
    for (const [entryNo, state] of states) expect(found.get(entryNo)).toEqual(state)
  })

  it('of values are those that were answered', async () => {
    const url = '/v1/attribute-values/PR/PAST/0'
    const body = { attributeId: 'PR', attributeValue: 'PAST', description: 'First' }
    await change(world(), 'POST', '/v1/attribute-values', body)
    for (let count = 0; count < CHANGES; count++) {
      const before = await get(world(), url)
      await change(world(), 'PATCH', url, replace('/description', `${'Bridge '.repeat(count % 5)}${count}`))
      const { before: old, after } = await lastEntry(world(), 'attribute-value', ['PR', 'PAST', 0])
      expect({ old, after }).toEqual({ old: before, after: await get(world(), url) })
    }
  })

  it('of relations say in which order a value lists them', async () => {
    const url = '/v1/attribute-relations'
    const key = { attributeId: 'A4', attributeValue: 'LISTED', relatedAttributeId: 'RE', relationValue: 'N' }
    await change(world(), 'POST', '/v1/customers', bodyOf('LISTED'))
    await change(world(), 'POST', url, { ...key, relationId: 'REGION', percentage: 10 })
    const created = await lastEntry(world(), 'attribute-relation', Object.values(key))
    expect(created.after).toMatchObject({ createdNo: created.entryNo })
    await change(world(), 'PATCH', `${url}/A4/LISTED/RE/N`, replace('/percentage', 20))
    const patched = await lastEntry(world(), 'attribute-relation', Object.values(key))
    expect(patched).toMatchObject({ before: created.after, after: { createdNo: created.entryNo, percentage: 20 } })
    await change(world(), 'DELETE', `${url}/A4/LISTED/RE/N`)
    expect((await lastEntry(world(), 'attribute-relation', Object.values(key))).before).toEqual(patched.after)
  })
})
