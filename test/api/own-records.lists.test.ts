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

    const parties = (...roles: string[]) => roles.map((role) => ({ role, share: { percent: 33.33 } }))
    const leased = (body: object | string) => send({ method: 'POST', url: '/v1/leases', body })
    const leases = (query: Record<string, string>) => send({ url: `/v1/objects/leases?${new URLSearchParams(query)}` })

    it('has at least and at most so many items, groups in them, and values that are there once', async () => {
      const before = await world().dump()
      const messages = async (given: object) => {
        const { status, json } = await leased({ leaseNo: 'L9', ...given })
        return [status, json.notificationMessages?.parties?.[0].message ?? json.message ?? json.parties]
      }
      expect(await messages({})).toEqual([422, 'The Parties field is required.'])
      expect(await messages({ parties: parties('a') })).toEqual([422, 'The field Parties must have at least 2 items.'])
      expect(await messages({ parties: parties('a', 'b', 'c', 'd') })).toEqual([
        400,
        'The field parties must be an array of at most 3 items.',
      ])
      const [first, second] = parties('a', 'a')
      const wrong = { ...first, share: { percent: 101, costCentre: '300' } }
      expect(await messages({ parties: [wrong, second] })).toMatchObject([
        422,
        [
          {
            share: {
              notificationMessages: {
                percent: [{ message: 'The field Percent must be at least 0 and at most 100.' }],
                costCentre: [{ message: 'Illegal value.' }],
              },
            },
          },
          { notificationMessages: { role: [{ message: 'a is there twice' }] } },
        ],
      ])
      expect(await world().changesSince(before)).toEqual([])
      const created = await leased({ leaseNo: 'L0', parties: parties('owner', 'tenant') })
      expect([created.status, created.json.parties[1]]).toEqual([
        201,
        { role: 'tenant', share: { percent: 33.33, from: '1900-01-01T00:00:00.000', costCentre: '100' } },
      ])
      const url = '/v1/leases/L0'
      const patch = async (...operations: object[]) => (await send({ method: 'PATCH', url, body: operations })).status
      expect(await patch({ op: 'add', path: '/parties/-', value: { role: 'owner' } })).toBe(422)
      expect(await patch({ op: 'remove', path: '/parties/0' })).toBe(422)
      expect(await patch({ op: 'replace', path: '/parties/0/share/percent', value: 0.1 })).toBe(200)
      expect(await patch({ op: 'add', path: '/parties/-', value: { role: 'bank' } })).toBe(200)
      expect(await patch({ op: 'add', path: '/parties/-', value: { role: 'other' } })).toBe(400)
      const { json } = await leases({
        filter: "parties/any(p: p/share/percent eq 0.1 and p/share/costCentre eq '100')",
        select: 'leaseNo,shares,parties(role,share(costCentre[T]))',
      })
      expect(json).toMatchObject([{ leaseNo: 'L0', shares: 33.43, parties: [{ role: 'owner' }, {}, {}] }])
      expect(json[0].parties[0].share).toEqual({ 'costCentre(description)': 'Oslo' })
    })

    it('is counted and added up: exactly, in filters, orders, sums and what is computed', async () => {
      const [many, two] = ['-99999999999.123456789', '0.1'].map(
        (amount) => `[{"amount":${amount},"number":2},{"amount":0.2,"rate":1.5}]`,
      )
      const body = (leaseNo: string, rest: string) =>
        `{"leaseNo":"${leaseNo}",${rest}"parties":${JSON.stringify(parties('a', 'b'))}}`
      expect((await leased(body('L1', `"instalments":${many},`))).status).toBe(400)
      const large = many?.replace('-99999999999', '-999999999')
      expect((await leased(body('L1', `"instalments":${large},"rent":0.5,`))).status).toBe(201)
      expect((await leased(body('L2', `"instalments":${two},"rent":0.3,`))).status).toBe(201)
      expect((await leased(body('L3', ''))).json).toMatchObject({ due: 0, instalmentCount: 0 })
      const ofThese = "leaseNo in ('L1','L2','L3')"
      const numbers = async (query: Record<string, string>) => {
        const { json, text } = await leases({ select: 'leaseNo', ...query })
        expect(text).not.toContain('"code"')
        return json.map(({ leaseNo }: { leaseNo: string }) => leaseNo)
      }
      expect(await numbers({ filter: `instalments/$count eq 2 and ${ofThese}` })).toEqual(['L1', 'L2'])
      expect(await numbers({ filter: `instalments/$COUNT eq instalmentCount and ${ofThese}` })).toHaveLength(3)
      expect(await numbers({ filter: `${ofThese} and due eq 0` })).toEqual(['L2', 'L3'])
      expect(await numbers({ filter: ofThese, orderby: 'instalments/$count,due desc' })).toEqual(['L3', 'L2', 'L1'])
      const summed = {
        aggregate: 'sum(instalments/amount) as total,sum(instalments/$count),sum(instalments/number) as n',
      }
      expect((await leases({ filter: ofThese, ...summed })).text).toBe(
        '[{"total":-999999998.623456789,"sumCount":4,"n":4}]',
      )
      const grouped = await leases({ filter: ofThese, groupby: 'rent', ...summed, having: 'sumCount gt 0' })
      expect(grouped.text).toBe(
        '[{"rent":0.3,"total":0.3,"sumCount":2,"n":2},{"rent":0.5,"total":-999999998.923456789,"sumCount":2,"n":2}]',
      )
      const set = '/odata/v4/EN/leases'
      const odata = await send({
        url: `${set}?$filter=instalments/$count eq 2&$orderby=instalments/$count desc`.replaceAll(' ', '%20'),
      })
      expect(odata.json.value.map(({ leaseNo }: { leaseNo: string }) => leaseNo)).toEqual(['L1', 'L2'])
      const applied = await send({
        url: `${set}?$apply=aggregate(instalments/amount with sum as total)`.replaceAll(' ', '%20'),
      })
      expect(applied.text).toContain('"total":-999999998.623456789')
      const refused = async (query: Record<string, string>) => (await leases(query)).json
      expect(await refused({ filter: 'instalments/any(i: i/$count eq 1)' })).toMatchObject({ code: 1020 })
      expect(await refused({ groupby: 'instalments/$count' })).toMatchObject({ code: 1020 })
      expect((await refused({ aggregate: 'sum(instalments/rate)' })).message).toContain("'rate'")
      expect((await refused({ aggregate: 'max(instalments/amount)' })).message).toContain("'instalments' is a list")
      const counts = Array.from({ length: 21 }, () => 'instalments/$count eq 2').join(' or ')
      expect((await refused({ filter: counts })).message).toContain('more than 20')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/orders.yaml'),
)
