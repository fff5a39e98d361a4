// The past of records of the setup: history, moments, and the feed of changes.
import { expect, it } from 'vitest'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const CONTRACTS = '/v1/contracts'

onEachStore(
  'The past of records of the setup',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const post = async (body: object) => {
      const answer = await send({ method: 'POST', url: CONTRACTS, body })
      expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
      return answer
    }
    const retitle = (contractId: number, value: string) =>
      send({
        method: 'PATCH',
        url: `${CONTRACTS}/${contractId}`,
        body: [{ op: 'replace', path: '/title', value }],
      })
    /** The changes of contracts since a number, without when and by whom. */
    const changesSince = async (since: number) => {
      const url = `/v1/changes?entities=contracts&since=${since}&payload=full`
      return (await send({ url })).json
    }
    const last = async () => Number((await send({ url: '/v1/objects/contracts' })).headers['x-erp-change-number'])

    it('tells who has changed what, and answers the record as it was', async () => {
      const created = await post({ contractId: 1, title: 'Cleaning' })
      const then = await last()
      await retitle(1, 'Windows')
      const removed = await send({ method: 'DELETE', url: `${CONTRACTS}/1` })
      expect(removed.status).toBe(200)
      const { changes } = (await send({ url: `${CONTRACTS}/1/history` })).json
      expect(changes.map(({ operation }: { operation: string }) => operation)).toEqual([
        'deleted',
        'updated',
        'created',
      ])
      expect(changes[1].changes).toEqual([{ path: '/title', before: 'Cleaning', after: 'Windows' }])
      const past = await send({ url: `${CONTRACTS}/1?asOf=${then}` })
      expect([past.status, past.text]).toEqual([200, created.text])
      expect((await send({ url: `${CONTRACTS}/1?asOf=${then - 1}` })).status).toBe(404)
      const collection = await send({ url: `/v1/objects/contracts?asOf=${then}&select=contractId,title` })
      expect(collection.json).toContainEqual({ contractId: 1, title: 'Cleaning' })
      expect((await send({ url: '/v1/objects/contracts?select=contractId' })).json).not.toContainEqual({
        contractId: 1,
      })
    })

    it('has an entry in the feed for each change', async () => {
      const before = await last()
      const created = await post({ contractId: 2, title: 'Lift' })
      await retitle(2, 'Lifts')
      await retitle(2, 'Lifts')
      await send({ method: 'DELETE', url: `${CONTRACTS}/2` })
      const told = await changesSince(before)
      expect(told.changes).toMatchObject([
        { entity: 'contracts', key: { contractId: 2 }, operation: 'created' },
        { entity: 'contracts', key: { contractId: 2 }, operation: 'updated' },
        { entity: 'contracts', key: { contractId: 2 }, operation: 'deleted' },
      ])
      expect(JSON.stringify(told)).toContain(String(created.headers.etag).replaceAll('"', ''))
    })

    it('tells of records that do not begin with their company', async () => {
      const before = await last()
      const url = '/v1/exchange-rates/USD/2026-02-01'
      const body = { currencyCode: 'USD', rateDate: '2026-02-01', rate: 10 }
      const created = await send({ method: 'POST', url: '/v1/exchange-rates', body })
      const then = Number(created.headers['x-erp-change-number'] ?? (await last()))
      await send({ method: 'PATCH', url, body: [{ op: 'replace', path: '/rate', value: 11 }] })
      await send({ method: 'DELETE', url })
      expect((await send({ url: `${url}?asOf=${then}` })).json).toMatchObject({ rate: 10 })
      const past = await send({ url: `/v1/objects/exchange-rates?select=rate&asOf=${then}` })
      expect(past.json).toEqual([{ rate: 10 }])
      const feed = await send({ url: `/v1/changes?entities=exchange-rates&since=${before}&payload=full` })
      expect(feed.json.changes).toMatchObject([
        { key: { currencyCode: 'USD' }, operation: 'created', record: created.json },
        { key: { currencyCode: 'USD' }, operation: 'updated', changed: expect.arrayContaining(['/rate']) },
        { key: { currencyCode: 'USD' }, operation: 'deleted' },
      ])
      const { changes } = (await send({ url: `${url}/history` })).json
      expect(changes).toMatchObject([
        { operation: 'deleted' },
        { operation: 'updated', changes: [{ path: '/rate', before: 10, after: 11 }] },
        { operation: 'created' },
      ])
    })

    it('shows a change of its relations, whoever makes it', async () => {
      const body = {
        supplierName: 'Related',
        countryCode: 'NO',
        contactPoints: [{ contactPointType: '1' }],
        relatedValues: [{ relationId: 'REGION', relatedValue: 'N' }],
      }
      const created = await send({ method: 'POST', url: '/v1/suppliers', body })
      expect([created.status, created.json.relatedValues[0].relationName]).toEqual([201, 'Region'])
      const url = String(created.headers.location)
      const { supplierId } = created.json
      const before = await last()
      const relation = `/v1/attribute-relations/A6/${supplierId}/RE/N`
      const share = [{ op: 'replace', path: '/percentage', value: 40 }]
      expect((await send({ method: 'PATCH', url: relation, body: share })).status).toBe(200)
      const now = await send({ url })
      expect(now.json.relatedValues).toMatchObject([{ relatedValue: 'N', percentage: 40 }])
      expect(now.headers.etag).not.toBe(created.headers.etag)
      const feed = (await send({ url: `/v1/changes?entities=suppliers&since=${before}&payload=full` })).json
      expect(feed.changes).toMatchObject([{ key: { supplierId }, operation: 'updated' }])
      const { changes } = (await send({ url: `${url}/history` })).json
      expect(changes[0].changes).toMatchObject([{ path: '/relatedValues' }])
      expect((await send({ url: `${url}?asOf=${before}` })).text).toBe(created.text)
      const added = [{ op: 'add', path: '/relatedValues/-', value: { relationId: 'REGION', relatedValue: 'S' } }]
      const patched = await send({
        method: 'PATCH',
        url,
        body: added,
        headers: { 'if-match': String(now.headers.etag) },
      })
      expect([patched.status, patched.json.relatedValues.length]).toEqual([200, 2])
      const read = await send({ url })
      expect([read.text, read.headers.etag]).toEqual([patched.text, patched.headers.etag])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/own-records.yaml'),
)
