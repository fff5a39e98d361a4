// Orders that are created with their lines in one request: all or nothing.
import { expect, it } from 'vitest'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ORDERS = '/v1/purchase-orders'
/** As text: a double has no such number. */
const LARGE = '12345678901234.5678'

onEachStore(
  'A new order with lines',
  (world) => {
    const post = (body: unknown, sent: Partial<Sent> = {}) =>
      world().send({ as: 'integration', method: 'POST', url: ORDERS, body, ...sent })
    const get = (url: string) => world().send({ as: 'integration', url })
    const refused = async (body: unknown, sent: Partial<Sent> = {}) => {
      const before = await world().dump()
      const answer = await post(body, sent)
      expect((await world().changesSince(before)).filter((row) => !row.startsWith('journal_counter'))).toEqual([])
      return answer
    }

    it('is there with them, which are records of their own document, each with its history', async () => {
      const number = (await get('/v1/objects/purchase-orders')).headers['x-erp-change-number']
      const lines = `[{ "lineNo": 2, "price": ${LARGE}, "packages": [{ "weight": 1.5 }] }, { "LineNo": 1, "quantity": "2.5" }]`
      const created = await post(`{ "orderNo": "N1", "text": "Paper", "lines": ${lines} }`)
      expect([created.status, created.headers.location]).toEqual([201, '/v1/purchase-orders/N1'])
      expect(created.json.lines).toMatchObject([{ lineNo: 1, quantity: 2.5 }, { lineNo: 2 }])
      expect(created.text).toContain(`"price":${LARGE}`)
      const read = await get(`${ORDERS}/N1`)
      expect([read.text, read.headers.etag]).toEqual([created.text, created.headers.etag])
      expect((await get('/v1/purchase-order-lines/N1/2')).json).toMatchObject({
        orderNo: 'N1',
        packages: [{ weight: 1.5 }],
      })
      expect((await get('/v1/purchase-order-lines/N1/1/history')).json.changes).toHaveLength(1)
      const { json } = await get(`/v1/changes?since=${number}`)
      expect(json.changes.map(({ entity, operation }: Record<string, unknown>) => [entity, operation]).sort()).toEqual([
        ['purchase-order-lines', 'created'],
        ['purchase-order-lines', 'created'],
        ['purchase-orders', 'created'],
      ])
      const [told] = json.changes.filter(({ entity }: { entity: string }) => entity === 'purchase-orders')
      expect([told.record, told.etag]).toEqual([read.json, read.headers.etag])
      const past = await get(`${ORDERS}/N1?asOf=${told.number}`)
      expect([past.text, past.headers.etag]).toEqual([read.text, read.headers.etag])
    })

    it('is refused with everything that is wrong, each at its place, and nothing is written', async () => {
      const lines = [
        { lineNo: 1, quantity: 2 },
        { lineNo: 0, quantity: -1 },
        { lineNo: 1, costCentre: '999' },
      ]
      const { status, json } = await refused({ orderNo: 'N2', supplierId: 'nobody', lines })
      expect(status).toBe(422)
      expect(Object.keys(json.notificationMessages)).toEqual(['supplierId'])
      expect(json.lines[0].notificationMessages).toBeUndefined()
      expect(Object.keys(json.lines[1].notificationMessages).sort()).toEqual(['lineNo', 'quantity'])
      expect(Object.keys(json.lines[2].notificationMessages).sort()).toEqual(['costCentre', 'lineNo'])
      expect(json.lines[2].notificationMessages.lineNo[0].message).toBe('1 is there twice')
      const unreadable = await refused({ orderNo: 'N2', lines: [{ lineNo: 'x' }, { lineNo: 2, quantity: 0.00001 }] })
      expect([unreadable.status, unreadable.text]).toEqual([
        400,
        expect.stringMatching(/lines\[0\]\.lineNo .*lines\[1\]\.quantity /),
      ])
      expect((await get(`${ORDERS}/N2`)).status).toBe(404)
    })

    it('is refused where one of its lines is out of sight, hidden, or not to be created', async () => {
      const outOfSight = await refused({ orderNo: 'N3', lines: [{ lineNo: 1, costCentre: '200' }] }, { as: 'oslo' })
      expect([outOfSight.status, outOfSight.json.message]).toEqual([
        422,
        'The record would be outside of what you may see.',
      ])
      const forbidden = await refused({ orderNo: 'N3', lines: [{ lineNo: 1 }] }, { as: 'heads' })
      expect(forbidden.status).toBe(403)
      const seen = await post({ orderNo: 'N3', lines: [{ lineNo: 1, costCentre: '100', price: 7 }] }, { as: 'oslo' })
      expect([seen.status, seen.json.lines.length]).toEqual([201, 1])
      expect(seen.json.lines[0]).not.toHaveProperty('price')
      expect((await get('/v1/purchase-order-lines/N3/1')).json.price).toBe(0)
      expect((await post({ orderNo: 'N4', lines: [] }, { as: 'heads' })).status).toBe(201)
    })

    it('may be closed already, as one from another system is', async () => {
      const body = { contractNo: 900, status: 'C', items: [{ itemNo: 1 }, { itemNo: 2 }] }
      const created = await post(body, { url: '/v1/contracts' })
      expect([created.status, created.json.status, created.json.items.length]).toEqual([201, 'C', 2])
      // Nothing is added to it later.
      const added = await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/contract-items',
        body: { contractNo: 900, itemNo: 3 },
      })
      expect([added.status, added.text]).toEqual([422, expect.stringContaining('is closed')])
    })

    it('is refused where some of many lines refer to what is not there, or is closed', async () => {
      for (const [placeId, status] of Object.entries({ P1: 'N', P2: 'N', P3: 'C' })) {
        expect((await post({ placeId, status }, { url: '/v1/places' })).status).toBe(201)
      }
      const notes = ['P1', 'P3', 'P2', 'P4', '', 'P1'].map((placeId, at) => ({
        noteDate: `2026-03-0${at + 1}`,
        placeId,
      }))
      const { status, json } = await refused({ contractNo: 901, notes }, { url: '/v1/contracts' })
      const messages = json.notes.map(({ notificationMessages: found }: { notificationMessages?: object }) =>
        JSON.stringify(found ?? ''),
      )
      expect([status, messages.map((text: string) => text !== '""')]).toEqual([
        422,
        [false, true, false, true, false, false],
      ])
      expect([messages[1], messages[3]]).toEqual([
        expect.stringContaining('The record P3 of places is closed.'),
        expect.stringContaining('There is no record P4 of places.'),
      ])
      const legal = notes.filter(({ placeId }) => !['P3', 'P4'].includes(placeId))
      expect((await post({ contractNo: 901, notes: legal }, { url: '/v1/contracts' })).json.notes).toHaveLength(4)
    })

    it('is tried without keeping anything, and made once for each Idempotency-Key', async () => {
      const body = { orderNo: 'N5', lines: [{ lineNo: 1 }, { lineNo: 2 }] }
      const before = await world().dump()
      const tried = await post(body, { url: `${ORDERS}?validateOnly=true` })
      expect([tried.status, tried.json.lines.length]).toEqual([200, 2])
      expect(await world().changesSince(before)).toEqual([])
      const headers = { 'idempotency-key': 'lines' }
      const first = await post(body, { headers })
      const again = await post(body, { headers })
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true'])
    })

    it('has a given number of lines at most, and the existing order wins', async () => {
      const lines = Array.from({ length: 1_001 }, (_one, at) => ({ lineNo: at + 1, costCentre: '100', quantity: at }))
      const many = await refused({ orderNo: 'N6', lines })
      expect([many.status, many.text]).toEqual([400, expect.stringContaining('array of at most 1000 items')])
      const created = await post({ orderNo: 'N6', lines: lines.slice(1) })
      expect([created.json.lines.length, created.json.lines[999]]).toMatchObject([
        1_000,
        { lineNo: 1_001, quantity: 1_000 },
      ])
      expect((await get(`${ORDERS}/N6`)).text).toBe(created.text)
      const taken = await refused({ orderNo: 'N6', lines: [{ lineNo: 1 }] })
      expect([taken.status, taken.text]).toEqual([400, expect.stringContaining('exists already')])
    })

    it('is imported with them, record by record', async () => {
      // A line of before it had to have an order.
      expect((await post({ orderNo: 'N9', lines: [{ lineNo: 1 }] })).status).toBe(201)
      await world().query("delete from own_purchase_orders where order_no = 'N9'")
      const rows = [
        { orderNo: 'N7', lines: [{ lineNo: 1, quantity: 3 }] },
        { orderNo: 'N8', lines: [{ lineNo: 1, quantity: -3 }] },
        { orderNo: 'N9', lines: [{ lineNo: 2 }, { lineNo: 1 }] },
      ]
      const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      const headers = { 'content-type': 'application/x-ndjson' }
      const started = await post(body, { url: `${ORDERS}/batch`, headers })
      expect([started.status, started.status === 202 ? '' : started.text]).toEqual([202, ''])
      world().application.operations.start()
      const url = `/v1/batch-operations/${started.json.id}/status`
      await expect.poll(async () => (await get(url)).json.status, { interval: 10 }).not.toMatch(/[NW]/)
      expect((await get(`${ORDERS}/N7`)).json.lines).toMatchObject([{ lineNo: 1, quantity: 3 }])
      expect((await get(`${ORDERS}/N8`)).status).toBe(404)
      expect((await get(`${ORDERS}/N9`)).status).toBe(404)
      expect((await get('/v1/purchase-order-lines/N8/1')).status).toBe(404)
    })

    it('is described with them', async () => {
      const { json } = await get('/openapi.json')
      const post = json.paths['/v1/purchase-orders'].post
      const schemaOf = (place: { content: Record<string, { schema: { $ref: string } }> }) => {
        const { $ref } = place.content['application/json']?.schema ?? { $ref: '' }
        return $ref
          .split('/')
          .slice(1)
          .reduce((part, name) => part[name], json)
      }
      for (const place of [post.requestBody, post.responses['201']]) {
        const { lines } = schemaOf(place).properties
        expect([lines.type, Object.keys(lines.items.properties)]).toEqual([
          'array',
          ['lineNo', 'costCentre', 'quantity', 'price', 'delivery', 'packages'],
        ])
      }
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/order-lines.yaml'),
)
