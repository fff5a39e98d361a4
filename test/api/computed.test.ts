// Properties that the database computes of others whenever they are read.
import { beforeAll, expect, it } from 'vitest'
import { readParquet } from '../support/parquet-file.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ORDERS = '/v1/objects/orders'
const LINES = '/v1/objects/order-lines'

onEachStore(
  'What is computed',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const asked = (query: Record<string, string>, url = ORDERS, as = 'integration') =>
      send({ as, url: `${url}?${new URLSearchParams(query)}` })
    const post = (name: string, body: unknown, as = 'integration') =>
      send({ as, method: 'POST', url: `/v1/${name}`, body })
    const create = async (name: string, body: unknown, as = 'integration') => {
      const { status, text } = await post(name, body, as)
      expect([status, status === 201 ? '' : text]).toEqual([201, ''])
    }
    const found = async (filter: string, url = ORDERS) => {
      const { status, json, text } = await asked({ filter }, url)
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      return json.map(({ orderNo, lineNo }: Record<string, unknown>) =>
        url === LINES ? `${orderNo}/${lineNo}` : orderNo,
      )
    }

    beforeAll(async () => {
      const lines = [
        { lineNo: 1, quantity: 2.5, price: 10.01, pieces: 3 },
        { lineNo: 2, quantity: -1, price: 0.005 },
        '{ "lineNo": 3, "quantity": 999999999999999.999, "price": 99999999999999.9999, "pieces": -9007199254740991 }',
      ].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      const term = '"term": { "from": "2026-02-27", "until": "2026-03-01T23:59:00Z" }'
      await create(
        'orders',
        `{ "orderNo": "P1", "text": " Paper ", "discount": 0.5, ${term}, "lines": [${lines.join()}] }`,
      )
      await create('orders', { orderNo: 'P2', text: 'Ink', lines: [{ lineNo: 1, quantity: 3, price: 50 }] })
      await create('orders', { orderNo: 'P3', parentNo: 'P2', term: { until: '2026-01-01' } })
      await create('orders', { orderNo: 'P2', lines: [{ lineNo: 7, quantity: 9, price: 1 }] }, 'sv')
    })

    it('is exact, whatever its size, and what is absent counts as empty', async () => {
      const { status, text } = await asked({ select: 'orderNo,label,days,yearOfStart,total,lineCount,net,average' })
      // 1e15 less 0.001, times 1e14 less 0.0001, and 25.03 and -0.01: halves are rounded away from zero.
      const first = `"total":99999999999999999800000000025.02,"lineCount":3,"net":99999999999999999800000000024.52,"average":33333333333333333266666666675.007`
      const zero = '"total":0,"lineCount":0,"net":0,"average":0'
      const records = [
        `{"orderNo":"P1","label":"P1 PAPER's","days":2,"yearOfStart":2026,${first}}`,
        `{"orderNo":"P2","label":"P2 INK's","days":0,"yearOfStart":1900,"total":150,"lineCount":1,"net":150,"average":150}`,
        `{"orderNo":"P3","label":"P3 's","days":0,"yearOfStart":1900,${zero}}`,
      ]
      expect([status, text]).toEqual([200, `[${records.join()}]`])
      const lines = await asked({ filter: "orderNo eq 'P1'", select: 'lineNo,amount,exactAmount,rest' }, LINES)
      expect(lines.text).toBe(
        '[{"lineNo":1,"amount":25.03,"exactAmount":25.025,"rest":-3},{"lineNo":2,"amount":-0.01,"exactAmount":-0.005,"rest":3},{"lineNo":3,"amount":99999999999999999800000000000,"exactAmount":99999999999999999800000000000.0000001,"rest":18014398509481985}]',
      )
      const other = await asked({ select: 'total,lineCount' }, ORDERS, 'sv')
      expect(other.json).toEqual([{ total: 9, lineCount: 1 }])
    })

    it('is in filters, orders, groups and sums', async () => {
      expect(await found('total gt 150')).toEqual(['P1'])
      expect(await found('total eq 99999999999999999800000000025.02')).toEqual(['P1'])
      expect(await found('total in (150, 0)')).toEqual(['P2', 'P3'])
      expect(await found('net lt total')).toEqual(['P1'])
      expect(await found('net le total and lineCount ge 1')).toEqual(['P1', 'P2'])
      expect(await found('total gt discount')).toEqual(['P1', 'P2'])
      expect(await found("startswith(label, 'P2')")).toEqual(['P2'])
      expect(await found("length(label) gt 6 and contains(label, 'INK')")).toEqual(['P2'])
      expect(await found('days eq 2')).toEqual(['P1'])
      expect(await found('amount ne exactAmount', LINES)).toEqual(['P1/1', 'P1/2', 'P1/3'])
      expect(await found('lines/any(l: l/amount eq 150)')).toEqual(['P2'])
      expect(await found('lines/all(l: l/amount gt 0)')).toEqual(['P2', 'P3'])
      expect(await found('order/total eq 150', LINES)).toEqual(['P2/1'])
      expect(await found('parent/lineCount eq 1')).toEqual(['P3'])
      const ordered = await asked({ orderby: 'total desc', select: 'orderNo', limit: '2' })
      expect(ordered.json).toEqual([{ orderNo: 'P1' }, { orderNo: 'P2' }])
      const page = await asked({ orderby: 'label desc', select: 'orderNo', limit: '1', offset: '1' })
      expect(page.json).toEqual([{ orderNo: 'P2' }])
      const groups = await asked({
        groupby: 'lineCount',
        aggregate:
          'sum(total) as sum,max(total) as most,min(net) as least,average(days) as mean,countDistinct(label) as labels',
        orderby: 'lineCount',
      })
      const [none, one, three] = [
        '{"lineCount":0,"sum":0,"most":0,"least":0,"mean":0,"labels":1}',
        '{"lineCount":1,"sum":150,"most":150,"least":150,"mean":0,"labels":1}',
        '{"lineCount":3,"sum":99999999999999999800000000025.02,"most":99999999999999999800000000025.02,"least":99999999999999999800000000024.52,"mean":2,"labels":1}',
      ]
      expect(groups.text).toBe(`[${none},${one},${three}]`)
      const empty = { aggregate: 'max(total) as most,min(label) as first,sum(net) as sum,average(net) as mean' }
      const all = await asked({ ...empty, filter: "orderNo eq 'none'" })
      expect(all.text).toBe('[{"most":0,"first":"","sum":0,"mean":0}]')
      const byTotal = await asked({
        groupby: 'total',
        aggregate: 'count() as n',
        filter: 'total le 150',
        orderby: 'total desc',
      })
      expect(byTotal.json).toEqual([
        { total: 150, n: 1 },
        { total: 0, n: 1 },
      ])
    })

    it('is empty along a reference to nothing, and answered along one', async () => {
      const { text } = await asked({ select: 'orderNo,parent(label,days,total,lineCount)', orderby: 'orderNo desc' })
      const nothing = '{"label":"","days":0,"total":0,"lineCount":0}'
      expect(text).toBe(
        `[{"orderNo":"P3","parent":{"label":"P2 INK's","days":0,"total":150,"lineCount":1}},{"orderNo":"P2","parent":${nothing}},{"orderNo":"P1","parent":${nothing}}]`,
      )
    })

    it('is in single records and in their lines, and a changed line changes the tag of its order', async () => {
      const before = await send({ url: '/v1/orders/P2' })
      expect(before.json).toMatchObject({ label: "P2 INK's", total: 150, lineCount: 1, net: 150, days: 0 })
      expect(before.json.lines).toMatchObject([{ lineNo: 1, amount: 150, rest: 3 }])
      expect((await send({ url: '/v1/order-lines/P2/1' })).json).toMatchObject({ amount: 150, exactAmount: 150 })
      const body = [{ op: 'replace', path: '/lines/0/price', value: 20 }]
      const patched = await send({ method: 'PATCH', url: '/v1/orders/P2', body })
      expect([patched.status, patched.json.total, patched.json.lines[0].amount]).toEqual([200, 60, 60])
      const after = await send({ url: '/v1/orders/P2' })
      expect([after.text, after.headers.etag === before.headers.etag]).toEqual([patched.text, false])
      const back = [{ op: 'replace', path: '/price', value: 50 }]
      expect((await send({ method: 'PATCH', url: '/v1/order-lines/P2/1', body: back })).json.amount).toBe(150)
      expect((await send({ url: '/v1/orders/P2' })).json.total).toBe(150)
      expect((await asked({ filter: "orderNo eq 'P2'", select: 'total' })).json).toEqual([{ total: 150 }])
      const created = await post('orders', { orderNo: 'P4', lines: [{ lineNo: 1, quantity: 2, price: 3 }] })
      expect([created.status, created.json.total, created.json.label]).toEqual([201, 6, "P4 's"])
      expect((await send({ url: '/v1/orders/P4' })).text).toBe(created.text)
      expect((await send({ method: 'DELETE', url: '/v1/orders/P4' })).status).toBe(200)
    })

    it('is written by nobody', async () => {
      const before = await world().dump()
      const given = await post('orders', { orderNo: 'P5', Total: 5, lines: [{ lineNo: 1 }, { lineNo: 2, amount: 5 }] })
      expect(given.status).toBe(422)
      const message = (name: string) => [{ code: 3010, message: `The field ${name} is computed and cannot be given.` }]
      expect(given.json.notificationMessages).toEqual({ total: message('Total') })
      expect(given.json.lines[1].notificationMessages).toEqual({ amount: message('Amount') })
      const body = [{ op: 'replace', path: '/total', value: 5 }]
      const patched = await send({ method: 'PATCH', url: '/v1/orders/P1', body })
      expect([patched.status, patched.json.code]).toEqual([400, 4020])
      expect((await world().changesSince(before)).filter((row) => !row.startsWith('journal_counter'))).toEqual([])
    })

    it('is hidden from who does not see all that it is computed of', async () => {
      const select = { filter: "orderNo eq 'P2'" }
      const whole = (await asked(select)).json[0]
      expect(whole).toMatchObject({ total: 150, lineCount: 1 })
      for (const [as, hidden] of [
        ['no-prices', ['total', 'net', 'average', 'lineCount']],
        ['unpriced', ['total', 'net', 'average']],
        ['heads', ['total', 'net', 'average', 'lineCount']],
      ] as const) {
        const answers = [(await asked(select, ORDERS, as)).json[0], (await send({ as, url: '/v1/orders/P2' })).json]
        for (const one of answers) {
          expect(
            Object.keys(whole)
              .filter((name) => !(name in one))
              .sort(),
          ).toEqual([...hidden].sort())
        }
        expect((await asked({ filter: 'total gt 1' }, ORDERS, as)).status).toBe(400)
        const metadata = (await send({ as, url: '/odata/v4/EN/$metadata?$format=json' })).json.Tabularium.orders
        expect(metadata).not.toHaveProperty('total')
      }
      const lines = (await send({ as: 'unpriced', url: '/v1/orders/P2' })).json.lines[0]
      expect(lines).not.toHaveProperty('amount')
      expect(lines).toHaveProperty('rest')
      expect((await post('orders', { orderNo: 'P6', total: 1 }, 'heads')).status).toBe(201)
      expect((await asked({ select: 'orderNo' }, ORDERS, 'large')).json).toEqual([{ orderNo: 'P1' }, { orderNo: 'P2' }])
      expect((await send({ as: 'large', url: '/v1/orders/P3' })).status).toBe(404)
      await send({ method: 'DELETE', url: '/v1/orders/P6' })
    })

    it('is in tables of every format, and in OData', async () => {
      const select = 'orderNo,label,total,days'
      const csv = await send({ url: `${ORDERS}?select=${select}`, headers: { accept: 'text/csv' } })
      expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
        'orderNo,label,total,days',
        "P1,P1 PAPER's,99999999999999999800000000025.02,2",
      ])
      const lines = await send({ url: `${ORDERS}?select=${select}`, headers: { accept: 'application/x-ndjson' } })
      expect(lines.text.split('\n')[1]).toBe(`{"orderNo":"P2","label":"P2 INK's","days":0,"total":150}`)
      const odata = await send({
        url: '/odata/v4/EN/orders?$select=orderNo,total&$filter=total%20gt%20100&$orderby=total&$expand=lines($select=amount)',
      })
      expect(odata.json.value).toMatchObject([
        { orderNo: 'P2', total: 150, lines: [{ amount: 150 }] },
        { orderNo: 'P1' },
      ])
      const paged = { as: 'integration', headers: { prefer: 'odata.maxpagesize=1' } }
      const totals: unknown[] = []
      for (let url = '/odata/v4/EN/orders?$select=orderNo,total&$orderby=total%20desc'; url !== ''; ) {
        const page = (await send({ ...paged, url })).json
        totals.push(...page.value.map(({ orderNo }: { orderNo: string }) => orderNo))
        url = String(page['@odata.nextLink'] ?? '').replace(/^.*\/odata\/v4\/EN/, '/odata/v4/EN')
      }
      expect(totals).toEqual(['P1', 'P2', 'P3'])
      const parquet = await send({
        url: `${ORDERS}?select=${select}`,
        headers: { accept: 'application/vnd.apache.parquet' },
      })
      const { types, rows } = await readParquet(parquet.bytes)
      expect(types).toEqual({ orderNo: 'VARCHAR', label: 'VARCHAR', total: 'DECIMAL(38,2)', days: 'BIGINT' })
      expect(rows[0]).toMatchObject({ total: '99999999999999999800000000025.02' })
      const metadata = (await send({ url: '/odata/v4/EN/$metadata?$format=json' })).json.Tabularium
      expect(metadata.orders).toMatchObject({
        total: { $Type: 'Edm.Decimal', '@Org.OData.Core.V1.Computed': true },
        label: {},
        days: { $Type: 'Edm.Int64' },
      })
    })

    it('is described as read only', async () => {
      const headers = { accept: 'application/schema+json' }
      const { json } = await send({ url: ORDERS, headers })
      const titled = await send({ url: ORDERS, headers: { ...headers, 'accept-language': 'en' } })
      expect(titled.json.items.properties.total).toMatchObject({ title: 'Total amount', readOnly: true })
      expect(json.items.properties).toMatchObject({
        total: { type: 'number', readOnly: true },
        days: { type: 'integer', readOnly: true },
        label: { type: 'string', readOnly: true },
      })
      const { components } = (await send({ url: '/openapi.json' })).json
      expect(components.schemas.OrdersRecord.properties).toMatchObject({
        total: { type: 'number', readOnly: true },
        lineCount: { type: 'integer', readOnly: true },
      })
      expect(components.schemas.OrdersRecord.properties.text).not.toHaveProperty('readOnly')
    })

    it('is as it was, with asOf and in the feed', async () => {
      const number = (await send({ url: ORDERS })).headers['x-erp-change-number']
      const body = [{ op: 'replace', path: '/quantity', value: 4 }]
      expect((await send({ method: 'PATCH', url: '/v1/order-lines/P2/1', body })).status).toBe(200)
      const text = [{ op: 'replace', path: '/text', value: 'Blue' }]
      expect((await send({ method: 'PATCH', url: '/v1/orders/P2', body: text })).status).toBe(200)
      const query = { filter: "orderNo eq 'P2'", select: 'label,total' }
      expect((await asked(query)).json).toEqual([{ label: "P2 BLUE's", total: 200 }])
      const then = { ...query, asof: String(number) }
      expect((await asked(then)).json).toEqual([{ label: "P2 INK's", total: 150 }])
      const grouped = { aggregate: 'sum(total) as sum', filter: "orderNo ne 'P1'", asof: String(number) }
      expect((await asked(grouped)).json).toEqual([{ sum: 150 }])
      const feed = await asked({ since: String(number), entities: 'orders', select: 'orderNo,label' }, '/v1/changes')
      // What has changed of the line, and then of the order.
      expect(feed.json.changes).toMatchObject([
        { changed: ['/lastUpdated/updatedAt', '/lines'], record: { orderNo: 'P2', label: "P2 INK's" } },
        { record: { orderNo: 'P2', label: "P2 BLUE's" } },
      ])
    })

    it('is in records of the feed as a GET answers them, where the reader sees it', async () => {
      const number = (await send({ url: ORDERS })).headers['x-erp-change-number']
      const lines = [{ lineNo: 1, quantity: 0.1, price: 0.3, pieces: 2 }]
      await create('orders', { orderNo: 'P5', text: 'Glue', term: { from: '2026-01-01', until: '2026-01-03' }, lines })
      const toldTo = async (as: string) => {
        const { json } = await asked({ since: String(number), entities: 'orders,order-lines' }, '/v1/changes', as)
        return json.changes.map(({ record }: { record: object }) => record)
      }
      for (const as of ['integration', 'unpriced']) {
        const order = await send({ as, url: '/v1/orders/P5' })
        const line = await send({ as, url: '/v1/order-lines/P5/1' })
        expect(await toldTo(as)).toEqual([order.json, line.json])
      }
      expect((await toldTo('integration'))[0]).toMatchObject({ label: "P5 GLUE's", days: 2, total: 0.03 })
      expect((await toldTo('unpriced'))[0]).not.toHaveProperty('total')
    })

    it('is as it was in a single record, of the lines of then', async () => {
      const url = '/v1/orders/P1'
      const line = '/v1/order-lines/P1/1'
      const read = async (as: string, one: string, asOf = '') => {
        const { status, text } = await send({ as, url: `${one}${asOf}` })
        return [status, text]
      }
      const callers = ['integration', 'unpriced', 'no-prices']
      const before = []
      for (const as of callers) before.push([await read(as, url), await read(as, line)])
      const asOf = `?asOf=${(await send({ url: ORDERS })).headers['x-erp-change-number']}`
      await create('order-lines', { orderNo: 'P1', lineNo: 4, quantity: 7, price: 3 })
      expect((await send({ method: 'DELETE', url: '/v1/order-lines/P1/3' })).status).toBe(200)
      for (const value of [8, 9]) {
        const body = [{ op: 'replace', path: '/quantity', value }]
        expect((await send({ method: 'PATCH', url: line, body })).status).toBe(200)
      }
      const text = [{ op: 'replace', path: '/text', value: 'Card' }]
      expect((await send({ method: 'PATCH', url, body: text })).status).toBe(200)
      expect((await send({ url })).json).toMatchObject({ label: "P1 CARD's", total: 111.08, lineCount: 3 })
      for (const [at, as] of callers.entries())
        expect([await read(as, url, asOf), await read(as, line, asOf)]).toEqual(before[at])
      expect((await send({ url: `${url}${asOf}` })).text).toContain('"total":99999999999999999800000000025.02,')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/computed.yaml'),
)
