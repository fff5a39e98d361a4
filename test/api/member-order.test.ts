import { expect, it } from 'vitest'
import { BUILT_IN_DOCUMENTS } from '../../src/setup/check/documents.ts'
import { create, onEachStoreWithCustomers, urlOf } from '../support/customers.ts'
import { ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

onEachStore(
  'The order of members in collections',
  (world) => {
    const get = (url: string, accept = 'application/json') =>
      world().send({ as: 'integration', url, headers: { accept } })
    const listOf = (document: string) =>
      document === 'general-ledger-transactions' ? ledger({ limit: 1 }) : objects(document, { limit: 1 })

    it.each(BUILT_IN_DOCUMENTS)(
      'answers the key of %s first, in its order, in JSON and CSV alike',
      async (document) => {
        const { json } = await get(listOf(document), 'application/schema+json')
        const names = Object.keys(json.items.properties)
        const key = json.items['x-erp-key'].keys.split(',')
        expect(names.slice(0, key.length).toSorted()).toEqual(key.toSorted())
        const csv = (await get(listOf(document), 'text/csv')).text.split('\r\n')[0] ?? ''
        expect([...new Set(csv.split(',').map((column) => column.split('.')[0]))]).toEqual(names)
        const [first] = (await get(listOf(document))).json
        expect(Object.keys(first ?? {})).toEqual(first ? names : [])
      },
    )
  },
  startObjects,
)

onEachStoreWithCustomers('The order of members of single records', (world) => {
  const get = async (url: string, accept = 'application/json') =>
    (await world().send({ as: 'integration', url, headers: { accept } })).json

  it('is that of the collection', async () => {
    await create(world(), 'ORDER')
    const single = Object.keys(await get(urlOf('ORDER')))
    const { properties } = (
      await get('/v1/objects/customers?select=*,contactPoints,relatedValues', 'application/schema+json')
    ).items
    const listed = Object.keys(properties)
    expect(single.filter((name) => listed.includes(name))).toEqual(listed)
    expect(single.slice(0, 3)).toEqual(['companyId', 'customerId', 'customerName'])
  })
})
