// Orders that are changed with their lines in one request: all or nothing.
import { expect, it } from 'vitest'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ORDERS = '/v1/purchase-orders'

interface Told {
  readonly number: number
  readonly key: { readonly orderNo: string }
  readonly operation: string
  readonly changed: readonly string[]
  readonly etag: string
  readonly record: { readonly lines: readonly { readonly lineNo: number }[] }
}

onEachStore(
  'A changed order with lines',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const get = (url: string, as = 'integration') => send({ as, url })
    const create = async (orderNo: string, ...lines: object[]) => {
      const created = await send({ method: 'POST', url: ORDERS, body: { orderNo, lines } })
      expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, ''])
      return created
    }
    const patch = (orderNo: string, operations: unknown[], sent: Partial<Sent> = {}) =>
      send({ method: 'PATCH', url: `${ORDERS}/${orderNo}`, body: operations, ...sent })
    const refused = async (orderNo: string, operations: unknown[], sent: Partial<Sent> = {}) => {
      const before = await world().dump()
      const answer = await patch(orderNo, operations, sent)
      expect((await world().changesSince(before)).filter((row) => !row.startsWith('journal_counter'))).toEqual([])
      return answer
    }
    /** The changes of orders alone, as a subscriber to these gets them. */
    const ordersTold = async (number: unknown, options = ''): Promise<Told[]> =>
      (await get(`/v1/changes?since=${number}&entities=purchase-orders${options}`)).json.changes
    const told = async (number: unknown) => {
      const { json } = await get(`/v1/changes?since=${number}`)
      return json.changes.map(({ entity, operation }: Record<string, string>) => `${entity} ${operation}`).sort()
    }

    it('adds, changes and removes lines in one commit, each in its own history', async () => {
      const created = await create('C1', { lineNo: 1, quantity: 1 }, { lineNo: 2, quantity: 2 }, { lineNo: 3 })
      const number = created.headers['x-erp-change-number']
      const answer = await patch('C1', [
        { op: 'replace', path: '/text', value: 'Paper' },
        { op: 'replace', path: '/lines/0/quantity', value: 12.5 },
        { op: 'replace', path: '/lines/0/delivery/date', value: '2026-03-01' },
        { op: 'remove', path: '/lines/1' },
        { op: 'add', path: '/lines/-', value: { lineNo: 9, price: 7, packages: [{ weight: 1 }] } },
      ])
      expect([answer.status, answer.json.text, answer.json.lines]).toMatchObject([
        200,
        'Paper',
        [
          { lineNo: 1, quantity: 12.5, delivery: { date: '2026-03-01T00:00:00.000' } },
          { lineNo: 3 },
          { lineNo: 9, price: 7, packages: [{ weight: 1 }] },
        ],
      ])
      const read = await get(`${ORDERS}/C1`)
      expect([read.text, read.headers.etag]).toEqual([answer.text, answer.headers.etag])
      expect(await told(number)).toEqual([
        'purchase-order-lines created',
        'purchase-order-lines deleted',
        'purchase-order-lines updated',
        'purchase-orders updated',
      ])
      const { json } = await get('/v1/purchase-order-lines/C1/1/history')
      expect(json.changes[0].changes.map(({ path }: { path: string }) => path).sort()).toEqual([
        '/delivery/date',
        '/quantity',
      ])
    })

    it('is told once, with its lines, when these alone change, and has another tag', async () => {
      const created = await create('C2', { lineNo: 1 })
      const number = created.headers['x-erp-change-number']
      const changed = await patch('C2', [{ op: 'replace', path: '/lines', value: [{ lineNo: 1, quantity: 3 }] }], {
        headers: { 'if-match': String(created.headers.etag) },
      })
      expect([changed.status, changed.json.lines[0].quantity]).toEqual([200, 3])
      expect(changed.headers.etag).not.toBe(created.headers.etag)
      expect(changed.json.lastUpdated.updatedAt > created.json.lastUpdated.updatedAt).toBe(true)
      expect(await told(number)).toEqual(['purchase-order-lines updated', 'purchase-orders updated'])
      const [order] = await ordersTold(number)
      expect([order?.changed, order?.record, order?.etag]).toEqual([
        ['/lastUpdated/updatedAt', '/lines'],
        changed.json,
        changed.headers.etag,
      ])
      const past = await get(`${ORDERS}/C2?asOf=${number}`)
      expect([past.text, past.headers.etag]).toEqual([created.text, created.headers.etag])
      const { json: history } = await get(`${ORDERS}/C2/history`)
      expect(history.changes[0]).toMatchObject({ number: order?.number, changes: [{ path: '/lines' }] })
      const late = await patch('C2', [{ op: 'remove', path: '/lines/0' }], {
        headers: { 'if-match': String(created.headers.etag) },
      })
      expect([late.status, late.text]).toEqual([409, expect.stringContaining('lines at')])
      const same = await patch('C2', [{ op: 'replace', path: '/lines/0/quantity', value: 3 }])
      expect([same.status, same.headers.etag]).toEqual([200, changed.headers.etag])
    })

    it('is told once for each request that writes one of its lines by itself', async () => {
      await create('C6', { lineNo: 1 })
      const lines = '/v1/purchase-order-lines'
      const requests: Sent[] = [
        { method: 'POST', url: lines, body: { orderNo: 'C6', lineNo: 2, quantity: 3 } },
        { method: 'PATCH', url: `${lines}/C6/2`, body: [{ op: 'replace', path: '/quantity', value: 4 }] },
        { method: 'DELETE', url: `${lines}/C6/1` },
      ]
      for (const request of requests) {
        const before = await get(`${ORDERS}/C6`)
        const number = (await get('/v1/objects/purchase-orders')).headers['x-erp-change-number']
        expect((await send(request)).status).toBeLessThan(300)
        const now = await get(`${ORDERS}/C6`)
        expect(now.json.lastUpdated.updatedAt > before.json.lastUpdated.updatedAt).toBe(true)
        const [order, ...others] = await ordersTold(number)
        expect([order?.operation, order?.changed.at(-1), others]).toEqual(['updated', '/lines', []])
        expect([order?.record, order?.etag]).toEqual([now.json, now.headers.etag])
        const past = await get(`${ORDERS}/C6?asOf=${number}`)
        expect([past.text, past.headers.etag]).toEqual([before.text, before.headers.etag])
      }
      // Nothing is told of what changes nothing, and of what is refused.
      const number = (await get('/v1/objects/purchase-orders')).headers['x-erp-change-number']
      expect((await send(requests[1] as Sent)).status).toBe(200)
      expect((await send(requests[0] as Sent)).status).toBe(400)
      expect(await told(number)).toEqual([])
    })

    it('is told once for an import of lines, with all of them', async () => {
      await create('C7')
      await create('C8')
      const number = (await get('/v1/objects/purchase-orders')).headers['x-erp-change-number']
      const rows = ['C7', 'C8', 'C7', 'C7'].map((orderNo, at) => ({
        orderNo,
        lineNo: at + 1,
        quantity: at === 3 ? -1 : 1,
      }))
      const started = await send({
        method: 'POST',
        url: '/v1/purchase-order-lines/batch',
        body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
        headers: { 'content-type': 'application/x-ndjson' },
      })
      expect([started.status, started.status === 202 ? '' : started.text]).toEqual([202, ''])
      world().application.operations.start()
      const url = `/v1/batch-operations/${started.json.id}/status`
      await expect.poll(async () => (await get(url)).json.status, { interval: 10 }).not.toMatch(/[NW]/)
      const orders = await ordersTold(number)
      expect(orders.map(({ key, record }) => [key.orderNo, record.lines.map(({ lineNo }) => lineNo)])).toEqual([
        ['C7', [1, 3]],
        ['C8', [2]],
      ])
      for (const { key, etag } of orders) expect((await get(`${ORDERS}/${key.orderNo}`)).headers.etag).toBe(etag)
    })

    it('is in a webhook once, whole, whatever of it was changed', async () => {
      const receiver = await WebhookReceiver.start()
      world().application.deliveries.start()
      const body = { name: 'Orders', url: receiver.url, entities: ['purchase-orders'], payload: 'full' }
      const subscribed = await send({ method: 'POST', url: '/v1/subscriptions', body })
      expect([subscribed.status, subscribed.status === 201 ? '' : subscribed.text]).toEqual([201, ''])
      await create('C9', { lineNo: 1 }, { lineNo: 2 })
      await patch('C9', [{ op: 'replace', path: '/lines/0/quantity', value: 3 }])
      await send({ method: 'DELETE', url: '/v1/purchase-order-lines/C9/2' })
      await expect.poll(() => receiver.received.length, { interval: 5, timeout: 120_000 }).toBe(3)
      const told = receiver.received.map(({ body: text }) => JSON.parse(text).data)
      const { json: now } = await get(`${ORDERS}/C9`)
      expect(told.map(({ operation, record }) => [operation, record.orderNo])).toEqual([
        ['created', 'C9'],
        ['updated', 'C9'],
        ['updated', 'C9'],
      ])
      expect(told.at(-1).record).toEqual(now)
      await send({ method: 'DELETE', url: `/v1/subscriptions/${subscribed.json.id}` })
      await world().application.deliveries.stop()
      await receiver.stop()
    })

    it('is told to who reads the newest states or selected members, and with the lines that each may see', async () => {
      const created = await create('D1', { lineNo: 1, costCentre: '100' })
      const number = created.headers['x-erp-change-number']
      await patch('D1', [{ op: 'replace', path: '/lines/0/quantity', value: 3 }])
      await patch('D1', [{ op: 'replace', path: '/text', value: 'Card' }])
      const [newest, ...others] = await ordersTold(number, '&latest=true')
      expect([newest?.changed, others]).toEqual([['/text', '/lastUpdated/updatedAt', '/lines'], []])
      const [first] = await ordersTold(number, '&select=orderNo,lines(quantity)')
      expect([first?.changed.at(-1), first?.record]).toEqual(['/lines', { orderNo: 'D1', lines: [{ quantity: 3 }] }])
      await create('D2', { lineNo: 1, costCentre: '100', price: 7 }, { lineNo: 2, costCentre: '200' })
      for (const as of ['oslo', 'heads']) {
        const { json } = await get(`/v1/changes?since=${number}&entities=purchase-orders&latest=true`, as)
        expect(json.changes.at(-1).record).toEqual((await get(`${ORDERS}/D2`, as)).json)
        expect(json.changes.at(-1).record.lines).toHaveLength(as === 'oslo' ? 1 : 0)
      }
    })

    it('is refused with everything that is wrong, each at its place, and nothing is written', async () => {
      await create('C3', { lineNo: 1 }, { lineNo: 2 })
      const { status, json } = await refused('C3', [
        { op: 'replace', path: '/supplierId', value: 'nobody' },
        { op: 'replace', path: '/lines/1/quantity', value: -1 },
        { op: 'add', path: '/lines/-', value: { lineNo: 0 } },
        { op: 'add', path: '/lines/-', value: { lineNo: 2 } },
      ])
      expect([status, Object.keys(json.notificationMessages)]).toEqual([422, ['supplierId']])
      const names = (at: number) => Object.keys(json.lines[at].notificationMessages ?? {})
      expect([names(0), names(1), names(2), names(3)]).toEqual([[], ['quantity'], ['lineNo'], ['lineNo']])
      for (const path of ['/lines/7', '/lines/0/orderNo', '/lines/0/price/x']) {
        expect([path, (await refused('C3', [{ op: 'replace', path, value: 1 }])).status]).toEqual([path, 400])
      }
    })

    it('is refused where a line lacks a number that it needs, be it new or changed', async () => {
      await create('C9', { lineNo: 1, packages: [{ weight: 2 }] })
      const { status, json } = await refused('C9', [
        { op: 'add', path: '/lines/0/packages/-', value: {} },
        { op: 'add', path: '/lines/-', value: { lineNo: 2, packages: [{}] } },
      ])
      const needed = [{ notificationMessages: { weight: [{ code: 1010, message: 'The Weight field is required.' }] } }]
      expect([status, json.lines.map(({ packages }: Record<string, unknown>) => packages)]).toMatchObject([
        422,
        [[{}, ...needed], needed],
      ])
    })

    it('keeps what the caller does not see of its lines, and lets it change no others', async () => {
      await create('C4', { lineNo: 1, costCentre: '100', price: 7 }, { lineNo: 2, costCentre: '200', price: 8 })
      const as = 'oslo'
      const changed = await patch('C4', [{ op: 'replace', path: '/lines/0/quantity', value: 5 }], { as })
      expect([changed.status, changed.json.lines]).toMatchObject([200, [{ lineNo: 1, quantity: 5 }]])
      const whole = [
        { lineNo: 1, quantity: 5, price: 7 },
        { lineNo: 2, price: 8 },
      ]
      expect((await get(`${ORDERS}/C4`)).json.lines).toMatchObject(whole)
      expect((await refused('C4', [{ op: 'replace', path: '/lines/0/price', value: 5 }], { as })).status).toBe(400)
      const moved = await refused('C4', [{ op: 'replace', path: '/lines/0/costCentre', value: '200' }], { as })
      expect([moved.status, moved.text]).toEqual([422, expect.stringContaining('outside of what you may see')])
      const taken = await refused('C4', [{ op: 'add', path: '/lines/-', value: { lineNo: 2, costCentre: '100' } }], {
        as,
      })
      expect([taken.status, taken.text]).toEqual([422, expect.stringContaining('outside of what you may see')])
      const emptied = await patch('C4', [{ op: 'replace', path: '/lines', value: [] }], { as })
      expect([emptied.status, emptied.json.lines]).toEqual([200, []])
      expect((await get(`${ORDERS}/C4`)).json.lines).toMatchObject([{ lineNo: 2, price: 8 }])
      const forbidden = await refused('C4', [{ op: 'add', path: '/lines/-', value: { lineNo: 5 } }], { as: 'heads' })
      expect(forbidden.status).toBe(403)
    })

    it('are up to a thousand, and of more none is changed with the order', async () => {
      await create('C5', ...Array.from({ length: 999 }, (_one, at) => ({ lineNo: at + 1 })))
      const add = { op: 'add', path: '/lines/-', value: { lineNo: 1_000, quantity: 2 } }
      const many = await refused('C5', [add, { ...add, value: { lineNo: 1_001 } }])
      expect([many.status, many.text]).toEqual([400, expect.stringContaining('1000')])
      const full = await patch('C5', [add, { op: 'replace', path: '/lines/998/quantity', value: 3 }])
      expect([full.status, full.json.lines.length, full.json.lines.at(-1)]).toMatchObject([200, 1_000, { quantity: 2 }])
      expect((await get('/v1/purchase-order-lines/C5/999')).json.quantity).toBe(3)
      const body = { orderNo: 'C5', lineNo: 1_001 }
      expect((await send({ method: 'POST', url: '/v1/purchase-order-lines', body })).status).toBe(201)
      const beyond = await refused('C5', [{ op: 'replace', path: '/lines', value: [] }])
      expect([beyond.status, beyond.text]).toEqual([422, expect.stringContaining('There are more than 1000 lines')])
    })

    it('takes over what is unique in lines that are gone, and in no others', async () => {
      const parcels = [1, 2, 3].map((parcelNo) => ({ parcelNo, code: `C${parcelNo}` }))
      const created = await send({ method: 'POST', url: '/v1/shipments', body: { parcels } })
      expect([created.status, created.text]).toEqual([201, expect.stringContaining('"code":"C3"')])
      const url = `/v1/shipments/${created.json.tag}`
      const change = (...body: object[]) => send({ method: 'PATCH', url, body })
      const replace = (path: string, value: unknown) => ({ op: 'replace', path: `/parcels/${path}`, value })
      const kept = await change(replace('2/parcelNo', 9), { op: 'remove', path: '/parcels/1' }, replace('0/code', 'C2'))
      expect([kept.status, kept.json.parcels]).toEqual([
        200,
        [
          { parcelNo: 1, code: 'C2' },
          { parcelNo: 9, code: 'C3' },
        ],
      ])
      expect(kept.headers.etag).not.toBe(created.headers.etag)
      for (const codes of [
        ['C3', 'C2'],
        ['X', 'X'],
      ]) {
        const refused = await change(...codes.map((code, at) => replace(`${at}/code`, code)))
        expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('"code":[{"code":3010')])
      }
    })

    it('closes the lines that are taken out where they cannot be removed', async () => {
      const body = { contractNo: 9, items: [{ itemNo: 1 }, { itemNo: 2 }] }
      expect((await send({ method: 'POST', url: '/v1/contracts', body })).status).toBe(201)
      const answer = await send({
        method: 'PATCH',
        url: '/v1/contracts/9',
        body: [{ op: 'remove', path: '/items/0' }],
      })
      expect([answer.status, answer.json.items]).toEqual([
        200,
        [
          { itemNo: 1, status: 'C' },
          { itemNo: 2, status: 'N' },
        ],
      ])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/order-lines.yaml'),
)
