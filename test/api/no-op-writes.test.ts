// Writes without changes are not stored: no entry in the change log, no new tag, no new time.
import { describe, expect, it } from 'vitest'
import { objects } from '../support/object-records.ts'
import { recordsOf, replace } from '../support/resources/records.ts'
import { onEachStoreWith, RESOURCES } from '../support/resources/resource.ts'
import type { World } from '../support/world.ts'

const AS = 'integration'

async function entries(world: World): Promise<number> {
  const answer = await world.send({ as: AS, method: 'HEAD', url: objects('audit-entries', {}) })
  expect(answer.status).toBe(200)
  return Number(answer.headers['x-erp-total-count'])
}

/** Sends a patch; returns its answer and the number of new entries. */
async function patched(world: World, url: string, body: unknown) {
  const before = await entries(world)
  const { status, headers, json } = await world.send({ as: AS, method: 'PATCH', url, body })
  return { status, etag: headers.etag, json, entries: (await entries(world)) - before }
}

describe.each(RESOURCES)('$noun', (resource) => {
  const { urlOf, create } = recordsOf(resource)

  onEachStoreWith(resource, 'A PATCH without changes', (world) => {
    it.each([
      ['a value', '/v1/attribute-values/RE/N/0'],
      ['a customer', urlOf('SAME')],
    ])('answers %s as it is, and writes nothing', async (_name, url) => {
      if (url === urlOf('SAME')) await create(world(), 'SAME')
      const found = await world().send({ as: AS, url })
      expect(found.status).toBe(200)
      const same = Object.entries(found.json)
        .filter(([name]) =>
          [
            'description',
            'periodTo',
            'status',
            'customerName',
            'countryCode',
            'invoice',
            'payment',
            'customFieldGroups',
            'delivery',
            'contactPoints',
          ].includes(name),
        )
        .map(([name, value]) => replace(`/${name}`, value))
      expect(same.length).toBeGreaterThan(2)
      const unchanged = { status: 200, etag: found.headers.etag, json: found.json, entries: 0 }
      expect(await patched(world(), url, same)).toEqual(unchanged)
      expect(await patched(world(), url, [...same, ...same])).toEqual(unchanged)
      expect(await patched(world(), url, [])).toEqual(unchanged)
      expect((await world().send({ as: AS, url })).headers.etag).toBe(found.headers.etag)
    })

    it('takes related values without the names of their relations as the stored ones', async () => {
      await create(world(), 'RELATED')
      const given = { relationId: 'LEGALID', relatedValue: 'NO1' }
      const { status, entries } = await patched(world(), urlOf('RELATED'), [replace('/relatedValues', [given])])
      expect([status, entries]).toEqual([200, 0])
      const value = {
        attributeId: 'PR',
        attributeValue: 'P9',
        relatedValues: [{ relationId: 'PROJCUST', relatedValue: 'RELATED' }],
      }
      expect((await world().send({ as: AS, method: 'POST', url: '/v1/attribute-values', body: value })).status).toBe(
        201,
      )
      const same = await patched(world(), '/v1/attribute-values/PR/P9/0', [
        replace('/relatedValues', value.relatedValues),
      ])
      expect([same.status, same.entries]).toEqual([200, 0])
    })

    it('writes again as soon as anything changes', async () => {
      await create(world(), 'OTHER')
      const url = urlOf('OTHER')
      const changed = await patched(world(), url, [replace('/customerName', 'Another AS')])
      expect([changed.status, changed.entries > 0]).toEqual([200, true])
      expect(await patched(world(), url, [replace('/customerName', 'Another AS')])).toEqual({ ...changed, entries: 0 })
      // There and back in one patch is no change.
      const back = [replace('/customerName', 'X'), replace('/customerName', 'Another AS')]
      expect(await patched(world(), url, back)).toEqual({ ...changed, entries: 0 })
    })
  })
})
