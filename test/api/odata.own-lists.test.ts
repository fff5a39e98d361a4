// The lists of documents of the setup as entity sets, and their items as they change.
import { expect, it } from 'vitest'
import { onEachStore, startWorld } from '../support/world.ts'

const ROOT = '/odata/v4/EN'

onEachStore(
  'OData and lists of own documents',
  (world) => {
    const get = async (path: string, as = 'integration') => world().send({ as, url: `${ROOT}/${encodeURI(path)}` })
    const bank = (iban: string) => ({ iban, currencyCode: 'NOK' })

    it('answers their items, also after a change of the record', async () => {
      const body = {
        supplierName: 'Nordic Paper',
        countryCode: 'NO',
        contactPoints: [{ contactPointType: '1', address: { place: 'Oslo' } }],
        bankAccounts: [bank('NO9386011117947'), bank('NO8330001234567')],
      }
      const send = (sent: object) => world().send({ as: 'integration', ...sent } as never)
      const created = await send({ method: 'POST', url: '/v1/suppliers', body })
      expect([created.status, created.text]).toMatchObject([201, expect.any(String)])
      const { supplierId } = created.json
      const ibans = async () => {
        const { json } = await get(
          `suppliers_bankAccounts?$filter=supplierId eq '${supplierId}'&$orderby=position desc`,
        )
        return json.value.map(({ position, iban }: Record<string, unknown>) => [position, iban])
      }
      expect(await ibans()).toEqual([
        [2, 'NO8330001234567'],
        [1, 'NO9386011117947'],
      ])
      const url = String(created.headers.location)
      const patch = [{ op: 'replace', path: '/bankAccounts', value: [bank('NO8330001234567')] }]
      expect((await send({ method: 'PATCH', url, body: patch })).status).toBe(200)
      expect(await ibans()).toEqual([[1, 'NO8330001234567']])
      expect((await get(`suppliers('${supplierId}')/contactPoints/$count`)).text).toBe('1')
      const places = await get(`suppliers('${supplierId}')/contactPoints?$select=address/place`)
      expect(places.json.value).toEqual([{ address: { place: 'Oslo' } }])
    })

    it('answers no items of records out of sight', async () => {
      const body = {
        supplierName: 'Papper',
        countryCode: 'SE',
        contactPoints: [{ contactPointType: '1' }],
        bankAccounts: [bank('SE9386011117947')],
      }
      const created = await world().send({ as: 'integration', method: 'POST', url: '/v1/suppliers', body })
      expect(created.status).toBe(201)
      const items = `suppliers_bankAccounts?$filter=iban eq 'SE9386011117947'`
      expect((await get(items)).json.value).toHaveLength(1)
      expect((await get(items, 'norwegian')).json.value).toEqual([])
      expect((await get(`suppliers('${created.json.supplierId}')/bankAccounts`, 'norwegian')).status).toBe(404)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/own-records.yaml'),
)
