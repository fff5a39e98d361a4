// Lists of declared documents hold amounts and dates, as exact as everywhere else.
import { beforeAll, expect, it } from 'vitest'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

/** As text: a double has no such number. */
const LARGE = '12345678901234.5678'
const LINES = `[
  { "lineNo": 1, "costCentre": "100", "quantity": 2.500, "price": 0.1, "delivery": "2026-03-01" },
  { "lineNo": 2, "quantity": "3", "price": 0.2, "delivery": "2026-04-15T12:00:00+02:00" },
  { "lineNo": 3, "quantity": 1, "price": ${LARGE} }
]`
const ORDERS = '/v1/objects/purchase-orders'

onEachStore(
  'A list of amounts and dates',
  (world) => {
    const send = (sent: Omit<Sent, 'as'>) => world().send({ as: 'integration', ...sent })
    const asked = (query: Record<string, string>) => send({ url: `${ORDERS}?${new URLSearchParams(query)}` })
    const found = async (filter: string) => {
      const { status, json, text } = await asked({ filter, select: 'orderNo', orderby: 'orderNo' })
      expect([status, text]).toEqual([200, expect.any(String)])
      return json.map(({ orderNo }: { orderNo: string }) => orderNo)
    }

    beforeAll(async () => {
      const body = `{ "orderNo": "P1", "supplierName": "Nordic Paper", "lines": ${LINES} }`
      const created = await send({ method: 'POST', url: '/v1/purchase-orders', body })
      expect([created.status, created.text]).toEqual([201, expect.stringContaining('"orderNo":"P1"')])
      const other = { orderNo: 'P2', supplierName: 'Fjordblikk', lines: [{ lineNo: 1, quantity: 2.5, price: 7 }] }
      expect((await send({ method: 'POST', url: '/v1/purchase-orders', body: other })).status).toBe(201)
    })

    it('is answered with all its digits, in the same way after POST and by GET', async () => {
      const lines = [
        '{"lineNo":1,"costCentre":"100","quantity":2.5,"price":0.1,"delivery":"2026-03-01T00:00:00.000"}',
        '{"lineNo":2,"costCentre":"","quantity":3,"price":0.2,"delivery":"2026-04-15T10:00:00.000"}',
        `{"lineNo":3,"costCentre":"","quantity":1,"price":${LARGE},"delivery":"1900-01-01T00:00:00.000"}`,
      ]
      const { text, status } = await send({ url: '/v1/purchase-orders/P1' })
      expect([status, text]).toEqual([200, expect.stringContaining(`"lines":[${lines.join(',')}]`)])
      const checked = { method: 'POST', url: '/v1/purchase-orders?validateOnly=true' } as const
      const body = `{ "orderNo": "P3", "supplierName": "Nordic Paper", "lines": ${LINES} }`
      expect((await send({ ...checked, body })).text).toContain(`"lines":[${lines.join(',')}]`)
      for (const select of ['lines', 'lines(lineNo,costCentre,quantity,price,delivery)']) {
        const whole = await asked({ filter: "orderNo eq 'P1'", select })
        expect(whole.text).toBe(`[{"lines":[${lines.join(',').replaceAll('00.000"', '00.000Z"')}]}]`)
      }
      const listed = await asked({ filter: "orderNo eq 'P1'", select: 'lines(price,delivery)' })
      expect(listed.text).toBe(
        `[{"lines":[{"price":0.1,"delivery":"2026-03-01T00:00:00.000Z"},{"price":0.2,"delivery":"2026-04-15T10:00:00.000Z"},{"price":${LARGE},"delivery":"1900-01-01T00:00:00.000Z"}]}]`,
      )
    })

    it('is filtered by exact amounts and by dates', async () => {
      expect(await found('lines/any(l: l/quantity eq 2.5)')).toEqual(['P1', 'P2'])
      expect(await found('lines/any(l: l/quantity eq 2.5 and l/price lt 1)')).toEqual(['P1'])
      expect(await found(`lines/any(l: l/price eq ${LARGE})`)).toEqual(['P1'])
      expect(await found('lines/any(l: l/price eq 12345678901234.5679)')).toEqual([])
      expect(await found('lines/any(l: l/price gt 12345678901234.5677)')).toEqual(['P1'])
      expect(await found('lines/all(l: l/price ge 7)')).toEqual(['P2'])
      expect(await found('lines/any(l: l/price in (0.2, 9))')).toEqual(['P1'])
      expect(await found('lines/any(l: l/delivery ge 2026-04-15T10:00:00Z)')).toEqual(['P1'])
      expect(await found('lines/any(l: l/delivery gt 2026-04-15T10:00:00Z)')).toEqual([])
      expect(await found('lines/all(l: l/delivery lt 2026-01-01)')).toEqual(['P2'])
    })

    it('is patched item by item, and each finding names its place', async () => {
      const url = '/v1/purchase-orders/P2'
      const patch = [
        { op: 'replace', path: '/lines/0/price', value: '7.25' },
        { op: 'add', path: '/lines/-', value: { lineNo: 2, quantity: 0.125, delivery: '2026-05-01' } },
      ]
      const patched = await send({ method: 'PATCH', url, body: patch })
      expect([patched.status, patched.json.lines]).toMatchObject([
        200,
        [
          { lineNo: 1, price: 7.25 },
          { lineNo: 2, price: 0, delivery: '2026-05-01T00:00:00.000' },
        ],
      ])
      const before = await world().dump()
      const wrong = { orderNo: 'P4', supplierName: 'X', lines: [{ lineNo: 1, quantity: -1, price: 0.00001 }] }
      const refused = await send({ method: 'POST', url: '/v1/purchase-orders', body: wrong })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(await world().changesSince(before)).toEqual([])
      expect(refused.text).toContain('price')
      expect((await send({ url })).json).toEqual(patched.json)
    })

    it('has a past, and rows for OData and its sums', async () => {
      const { headers } = await send({ url: '/v1/purchase-orders/P2' })
      const number = Number(String(headers.etag).replaceAll('"', ''))
      const patch = [{ op: 'replace', path: '/lines/0/price', value: 9 }]
      expect((await send({ method: 'PATCH', url: '/v1/purchase-orders/P2', body: patch })).status).toBe(200)
      const past = await asked({ filter: "orderNo eq 'P2'", select: 'lines(price,delivery)', asOf: String(number) })
      expect(past.text).toBe(
        '[{"lines":[{"price":7.25,"delivery":"1900-01-01T00:00:00.000Z"},{"price":0,"delivery":"2026-05-01T00:00:00.000Z"}]}]',
      )
      const rows = '/odata/v4/EN/purchase_orders_lines'
      const priced = await send({
        url: `${rows}?$filter=price gt 1&$select=orderNo,position,price`.replaceAll(' ', '%20'),
      })
      expect(JSON.stringify(priced.json?.value ?? priced.text)).toContain('"price":9')
      const summed = await send({ url: `${rows}?$apply=aggregate(price with sum as total)`.replaceAll(' ', '%20') })
      expect(summed.text).toContain('12345678901243.8678')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/orders.yaml'),
)
