// Records of the setup under rules of rows and fields, repeated and tried writes, and references: as for customers.
import { expect, it } from 'vitest'
import { findingsIn } from '../support/scenario.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const SUPPLIERS = '/v1/suppliers'
const HIDDEN = { code: 3010, message: 'The record would be outside of what you may see.' }

const supplier = (changes: object = {}) => ({
  supplierName: 'Nordic Paper',
  countryCode: 'NO',
  contactPoints: [{ contactPointType: '1' }],
  ...changes,
})

onEachStore(
  'Rights on records of the setup',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const asNorwegian = (sent: Sent) => world().send({ as: 'norwegian', ...sent })
    const create = async (changes: object = {}) => {
      const answer = await send({ method: 'POST', url: SUPPLIERS, body: supplier(changes) })
      expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
      return answer
    }

    it('answers a record out of sight as one that does not exist, and without hidden members', async () => {
      const swedish = String((await create({ countryCode: 'SE' })).headers.location)
      const own = String((await create({ payment: { creditLimit: 12.5 } })).headers.location)
      for (const suffix of ['', '/history', '?asOf=2099-01-01']) {
        expect([suffix, (await asNorwegian({ url: swedish + suffix })).status]).toEqual([suffix, 404])
      }
      const read = await asNorwegian({ url: own })
      expect([read.status, 'creditLimit' in read.json.payment]).toEqual([200, false])
      expect((await send({ url: own })).json.payment.creditLimit).toBe(12.5)
      const body = [{ op: 'replace', path: '/payment', value: { status: 'P' } }]
      expect((await asNorwegian({ method: 'PATCH', url: own, body })).status).toBe(200)
      expect((await send({ url: own })).json.payment).toMatchObject({ status: 'P', creditLimit: 12.5 })
      expect((await asNorwegian({ method: 'DELETE', url: swedish })).status).toBe(404)
    })

    it('tells of a change of hidden members alone by lastUpdated alone, where that is selected', async () => {
      const url = String((await create()).headers.location)
      const number = (await send({ url: '/v1/objects/suppliers' })).headers['x-erp-change-number']
      const patch = (path: string, value: unknown) =>
        send({ method: 'PATCH', url, body: [{ op: 'replace', path, value }] })
      const told = async (select = '') => {
        const query = `entities=suppliers&since=${number}${select && `&$select=${select}`}`
        const { json } = await asNorwegian({ url: `/v1/changes?${query}` })
        return json.changes.map(({ changed }: { changed: string[] }) => changed)
      }
      expect((await patch('/payment/creditLimit', 7)).status).toBe(200)
      expect(await told()).toEqual([expect.arrayContaining(['/lastUpdated/updatedAt'])])
      expect(await told('supplierName,lastUpdated')).toEqual([expect.arrayContaining(['/lastUpdated/updatedAt'])])
      expect(await told('supplierName')).toEqual([])
      expect((await patch('/supplierName', 'Other')).status).toBe(200)
      expect(await told('supplierName')).toEqual([expect.arrayContaining(['/supplierName'])])
    })

    it('writes nothing that the caller could not read, and tells nothing of records out of sight', async () => {
      await create({ countryCode: 'SE', registrationNumber: '111111111' })
      const before = await world().dump()
      const post = (body: object) => asNorwegian({ method: 'POST', url: SUPPLIERS, body })
      for (const body of [supplier({ countryCode: 'SE' }), supplier({ registrationNumber: '111111111' })]) {
        const refused = await post(body)
        expect([refused.status, refused.json]).toEqual([422, HIDDEN])
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('refers only to records that are there and in sight', async () => {
      const swedish = (await create({ countryCode: 'SE' })).json.supplierId
      const norwegian = (await create()).json.supplierId
      const contract = (contractId: number, supplierId: string, as: string) =>
        send({ as, method: 'POST', url: '/v1/contracts', body: { contractId, supplierId } })
      expect((await contract(1, norwegian, 'norwegian')).status).toBe(201)
      expect((await contract(2, swedish, 'integration')).status).toBe(201)
      for (const [as, supplierId] of [
        ['norwegian', swedish],
        ['integration', '49999'],
      ] as const) {
        const refused = await contract(3, supplierId, as)
        const message = `There is no record ${supplierId} of suppliers.`
        expect([refused.status, findingsIn(refused.json)]).toEqual([422, { supplierId: [3010, message] }])
      }
      const url = "/v1/objects/contracts?select=contractId,supplier(supplierName)&filter=supplier/countryCode eq 'SE'"
      expect((await send({ url })).json).toEqual([{ contractId: 2, supplier: { supplierName: 'Nordic Paper' } }])
    })

    it('does a write once for each Idempotency-Key, and tries one without keeping anything', async () => {
      const sent = { method: 'POST', url: SUPPLIERS, body: supplier(), headers: { 'idempotency-key': 'once' } } as const
      const first = await send(sent)
      const again = await send(sent)
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true'])
      const before = await world().dump()
      const tried = await send({ method: 'POST', url: `${SUPPLIERS}?validateOnly=true`, body: supplier() })
      expect([tried.status, tried.headers.location, tried.headers.etag]).toEqual([200, undefined, undefined])
      const url = `${String(first.headers.location)}?validateOnly=true`
      expect((await send({ method: 'DELETE', url })).status).toBe(200)
      expect(await world().changesSince(before)).toEqual([])
    })

    it('keeps companies apart', async () => {
      const { supplierId } = (await create()).json
      expect((await world().send({ as: 'sv', url: `${SUPPLIERS}/${supplierId}` })).status).toBe(404)
      const own = await world().send({
        as: 'sv',
        method: 'POST',
        url: SUPPLIERS,
        body: supplier({ contactPoints: [], companyId: 'EN' }),
      })
      expect(own.status).toBe(403)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/own-records.yaml'),
)
