// Single records that are answered, tagged, closed and removed with their lines.
import { expect, it } from 'vitest'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ORDERS = '/v1/purchase-orders'
/** As text: a double has no such number. */
const LARGE = '12345678901234.5678'

onEachStore(
  'An order with lines',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const create = async (name: string, ...bodies: unknown[]) => {
      for (const body of bodies) {
        const { status, text } = await send({ method: 'POST', url: `/v1/${name}`, body })
        expect([status, status === 201 ? '' : text]).toEqual([201, ''])
      }
    }
    const line = (orderNo: string, lineNo: number, more: object = {}) => ({ orderNo, lineNo, ...more })
    const patch = (url: string, path: string, value: unknown, headers = {}) =>
      send({ method: 'PATCH', url, body: [{ op: 'replace', path, value }], headers })
    /** Since a number, what the change log tells of. */
    const toldSince = async (number: unknown) => {
      const { json } = await send({ url: `/v1/changes?since=${number}` })
      return json.changes.map(({ entity, operation, key }: Record<string, unknown>) => [entity, operation, key])
    }
    const lastNumber = async () => (await send({ url: '/v1/objects/purchase-orders' })).headers['x-erp-change-number']

    it('is answered with them, by their numbers, without what they have of it', async () => {
      await create('purchase-orders', { orderNo: 'A1', text: 'Paper' })
      await create(
        'purchase-order-lines',
        line('A1', 10, { costCentre: '200', quantity: 10, packages: [{ weight: 1.25 }] }),
        `{ "orderNo": "A1", "lineNo": 2, "costCentre": "100", "price": ${LARGE}, "delivery": { "date": "2026-03-01" } }`,
      )
      const { status, text } = await send({ url: `${ORDERS}/A1` })
      const lines = [
        `{"lineNo":2,"costCentre":"100","quantity":0,"price":${LARGE},"delivery":{"date":"2026-03-01T00:00:00.000"},"packages":[]}`,
        '{"lineNo":10,"costCentre":"200","quantity":10,"price":0,"delivery":{"date":"1900-01-01T00:00:00.000"},"packages":[{"weight":1.25}]}',
      ]
      expect([status, text]).toEqual([200, expect.stringMatching(/^\{"companyId":"EN","orderNo":"A1",.*\}$/)])
      expect(text).toContain(`,"lines":[${lines}]}`)
      const created = await send({ method: 'POST', url: ORDERS, body: { orderNo: 'A2' } })
      expect([created.status, created.json.lines]).toEqual([201, []])
      const patched = await patch(`${ORDERS}/A1`, '/text', 'Card')
      expect([patched.status, patched.json.text, patched.text]).toEqual([
        200,
        'Card',
        expect.stringContaining(`,"lines":[${lines}]}`),
      ])
      expect((await send({ url: `${ORDERS}/A1` })).text).toBe(patched.text)
    })

    it('shows those that the caller may see, without hidden members', async () => {
      const seen = await send({ as: 'oslo', url: `${ORDERS}/A1` })
      expect([seen.status, seen.json.lines]).toEqual([
        200,
        [{ lineNo: 2, costCentre: '100', quantity: 0, delivery: { date: '2026-03-01T00:00:00.000' }, packages: [] }],
      ])
      expect((await send({ as: 'heads', url: `${ORDERS}/A1` })).json.lines).toEqual([])
      expect((await send({ as: 'large', url: `${ORDERS}/A1` })).json.lines).toEqual([])
      expect((await patch(`${ORDERS}/A1`, '/text', 'Paper')).json.lines).toHaveLength(2)
      await world().send({ as: 'sv', method: 'POST', url: ORDERS, body: { orderNo: 'A1' } })
      expect((await world().send({ as: 'sv', url: `${ORDERS}/A1` })).json.lines).toEqual([])
    })

    it('has another tag after each change of a line, and who holds an older one is told', async () => {
      await create('purchase-orders', { orderNo: 'B1' }, { orderNo: 'B2' })
      const url = `${ORDERS}/B1`
      const other = await send({ url: `${ORDERS}/B2` })
      const tags = [(await send({ url })).headers.etag]
      const isChanged = async () => {
        const answer = await send({ url, headers: { 'if-none-match': String(tags.at(-1)) } })
        tags.push(answer.headers.etag)
        return answer.status === 200
      }
      await create('purchase-order-lines', line('B1', 1))
      expect(await isChanged()).toBe(true)
      expect((await patch('/v1/purchase-order-lines/B1/1', '/quantity', 2)).status).toBe(200)
      expect(await isChanged()).toBe(true)
      expect(await isChanged()).toBe(false)
      const refused = await patch(url, '/text', 'X', { 'if-match': String(tags[0]) })
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('svc changed')])
      expect((await send({ method: 'DELETE', url: '/v1/purchase-order-lines/B1/1' })).status).toBe(200)
      expect(await isChanged()).toBe(true)
      expect(new Set(tags).size).toBe(4)
      expect((await patch(url, '/text', 'X', { 'if-match': String(tags.at(-1)) })).status).toBe(200)
      const untouched = await send({ url: `${ORDERS}/B2` })
      expect([untouched.headers.etag, untouched.text]).toEqual([other.headers.etag, other.text])
    })

    it('is removed with them in one commit, those out of sight too', async () => {
      await create('purchase-orders', { orderNo: 'C1' }, { orderNo: 'C2' })
      await create('purchase-order-lines', line('C1', 1, { costCentre: '200' }), line('C1', 2), line('C2', 1))
      const before = await world().dump()
      const url = `${ORDERS}/C1`
      const tried = await send({ as: 'oslo', method: 'DELETE', url: `${url}?validateOnly=true` })
      expect([tried.status, await world().changesSince(before)]).toEqual([200, []])
      const number = await lastNumber()
      expect((await send({ as: 'oslo', method: 'DELETE', url })).status).toBe(200)
      expect((await send({ url })).status).toBe(404)
      for (const no of [1, 2]) expect((await send({ url: `/v1/purchase-order-lines/C1/${no}` })).status).toBe(404)
      expect((await send({ url: '/v1/purchase-order-lines/C2/1' })).status).toBe(200)
      const told = await toldSince(number)
      expect(told).toHaveLength(3)
      expect(told).toEqual(
        expect.arrayContaining([
          ['purchase-orders', 'deleted', { orderNo: 'C1' }],
          ['purchase-order-lines', 'deleted', { orderNo: 'C1', lineNo: 1 }],
          ['purchase-order-lines', 'deleted', { orderNo: 'C1', lineNo: 2 }],
        ]),
      )
    })

    it('stays where it restricts, until they are gone', async () => {
      await create('projects', { projectId: 'D1' })
      await create('project-tasks', { projectId: 'D1', taskId: 'a' })
      const before = await world().dump()
      const refused = await send({ method: 'DELETE', url: '/v1/projects/D1' })
      expect([refused.status, refused.json]).toEqual([
        409,
        { code: 3090, message: 'projects D1 has tasks: remove them first.' },
      ])
      expect(await world().changesSince(before)).toEqual([])
      expect((await send({ method: 'DELETE', url: '/v1/project-tasks/D1/a' })).status).toBe(200)
      expect((await send({ method: 'DELETE', url: '/v1/projects/D1' })).status).toBe(200)
    })

    it('is closed with those that can be closed; others stay with it, and none is added', async () => {
      await create('contracts', { contractNo: 1 })
      await create('contract-items', { contractNo: 1, itemNo: 1 }, { contractNo: 1, itemNo: 2 })
      await create('contract-notes', { contractNo: 1, noteDate: '2026-02-01', text: 'signed' })
      expect((await send({ method: 'DELETE', url: '/v1/contract-items/1/2' })).status).toBe(200)
      const number = await lastNumber()
      expect((await send({ method: 'DELETE', url: '/v1/contracts/1' })).status).toBe(200)
      expect((await send({ url: '/v1/contracts/1' })).json).toMatchObject({
        status: 'C',
        items: [
          { itemNo: 1, status: 'C' },
          { itemNo: 2, status: 'C' },
        ],
        notes: [{ noteDate: '2026-02-01T00:00:00.000', text: 'signed' }],
      })
      expect(await toldSince(number)).toHaveLength(2)
      const late = await send({ method: 'POST', url: '/v1/contract-items', body: { contractNo: 1, itemNo: 3 } })
      expect([late.status, late.text]).toEqual([422, expect.stringContaining('is closed')])
      const closed = await send({ url: '/v1/contracts/1' })
      expect((await send({ method: 'DELETE', url: '/v1/contracts/1' })).status).toBe(200)
      const again = await send({ url: '/v1/contracts/1' })
      expect([again.text, again.headers.etag]).toEqual([closed.text, closed.headers.etag])
      expect(await toldSince(number)).toHaveLength(2)
    })

    it('is answered with a thousand of them, and removed with no more', async () => {
      await create('purchase-orders', { orderNo: 'E1' })
      await create('purchase-order-lines', line('E1', 1))
      const columns =
        'company_id, order_no, cost_centre, quantity, price, delivery_date, packages, updated_at, updated_by, _change_no'
      await world().query(`insert into own_purchase_order_lines (line_no, ${columns})
        with recursive n (i) as (select 2 union all select i + 1 from n where i < 1001)
        select n.i, ${columns} from own_purchase_order_lines, n where company_id = 'EN' and order_no = 'E1' and line_no = 1`)
      const { json } = await send({ url: `${ORDERS}/E1?` })
      expect([json.lines.length, json.lines.at(-1).lineNo]).toEqual([1000, 1000])
      const before = await world().dump()
      const refused = await send({ method: 'DELETE', url: `${ORDERS}/E1` })
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('more than 1000 lines')])
      expect(await world().changesSince(before)).toEqual([])
      expect((await send({ method: 'DELETE', url: '/v1/purchase-order-lines/E1/1' })).status).toBe(200)
      expect((await send({ method: 'DELETE', url: `${ORDERS}/E1` })).status).toBe(200)
      expect((await send({ url: '/v1/purchase-order-lines/E1/500' })).status).toBe(404)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/order-lines.yaml'),
)
