// Lines that are records of a document of their own, read with the record that they refer to.
import { beforeAll, expect, it } from 'vitest'
import { MAX_LINES } from '../../src/model/document.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ORDERS = '/v1/objects/purchase-orders'
/** As text: a double has no such number. */
const LARGE = '12345678901234.5678'

onEachStore(
  'Lines of an order',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const asked = (query: Record<string, string>, as = 'integration', url = ORDERS) =>
      send({ as, url: `${url}?${new URLSearchParams(query)}` })
    const create = async (name: string, body: unknown, as = 'integration') => {
      const { status, text } = await send({ as, method: 'POST', url: `/v1/${name}`, body })
      expect([status, status === 201 ? '' : text]).toEqual([201, ''])
    }
    const found = async (filter: string, as = 'integration') => {
      const { status, json, text } = await asked({ filter, select: 'orderNo' }, as)
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      return json.map(({ orderNo }: { orderNo: string }) => orderNo)
    }

    const lastNumber = async () => (await send({ url: ORDERS })).headers['x-erp-change-number']

    beforeAll(async () => {
      await create('suppliers', { supplierId: 'S1', supplierName: 'Nordic Paper' })
      await create('purchase-orders', { orderNo: 'P1', supplierId: 'S1', text: 'Paper' })
      await create('purchase-orders', { orderNo: 'P2', text: 'Ink' })
      await create('purchase-orders', { orderNo: 'P3' })
      const lines = [
        { orderNo: 'P1', lineNo: 10, costCentre: '200', quantity: 10, price: 7, packages: [{ weight: 1.25 }] },
        `{ "orderNo": "P1", "lineNo": 2, "costCentre": "100", "quantity": 2.5, "price": ${LARGE} }`,
        { orderNo: 'P1', lineNo: 1, costCentre: '100', quantity: 0, price: 0.1, delivery: { date: '2026-03-01' } },
        { orderNo: 'P2', lineNo: 1, costCentre: '200', quantity: 3, price: 2 },
      ]
      for (const line of lines) await create('purchase-order-lines', line)
      await create('purchase-orders', { orderNo: 'P1', text: 'Papper' }, 'sv')
      await create('purchase-order-lines', { orderNo: 'P1', lineNo: 7, quantity: 99, price: 1 }, 'sv')
    })

    it('are selected with the order, by their numbers and with all their digits', async () => {
      const { status, text } = await asked({ select: 'orderNo,lines(lineNo,quantity,price)' })
      const first = [
        '{"lineNo":1,"quantity":0,"price":0.1}',
        `{"lineNo":2,"quantity":2.5,"price":${LARGE}}`,
        '{"lineNo":10,"quantity":10,"price":7}',
      ]
      expect([status, text]).toEqual([
        200,
        `[{"orderNo":"P1","lines":[${first}]},{"orderNo":"P2","lines":[{"lineNo":1,"quantity":3,"price":2}]},{"orderNo":"P3","lines":[]}]`,
      ])
    })

    it('have their groups, their lists and what their codes mean', async () => {
      const select = 'lines(lineNo,costCentre[C;T],delivery(date),packages)'
      const { json } = await asked({ filter: "orderNo eq 'P1'", select })
      expect(json[0].lines[0]).toEqual({
        lineNo: 1,
        costCentre: '100',
        'costCentre(description)': 'Oslo',
        delivery: { date: '2026-03-01T00:00:00.000Z' },
        packages: [],
      })
      expect(json[0].lines[2].packages).toEqual([{ weight: 1.25 }])
      const whole = await asked({ filter: "orderNo eq 'P2'", select: 'lines' })
      expect(whole.json[0].lines).toEqual([
        {
          companyId: 'EN',
          orderNo: 'P2',
          lineNo: 1,
          costCentre: '200',
          quantity: 3,
          price: 2,
          delivery: { date: '1900-01-01T00:00:00.000Z' },
          lastUpdated: { updatedAt: expect.any(String), updatedBy: 'svc' },
        },
      ])
      expect((await asked({})).json[0]).not.toHaveProperty('lines')
    })

    it('are asked for by any and all, exactly', async () => {
      expect(await found('lines/any(l: l/quantity gt 0)')).toEqual(['P1', 'P2'])
      expect(await found('lines/all(l: l/quantity gt 0)')).toEqual(['P2', 'P3'])
      expect(await found('lines/any()')).toEqual(['P1', 'P2'])
      expect(await found('not lines/any()')).toEqual(['P3'])
      expect(await found(`lines/any(l: l/price eq ${LARGE})`)).toEqual(['P1'])
      expect(await found('lines/any(l: l/price eq 12345678901234.5679)')).toEqual([])
      expect(await found("lines/any(l: l/costCentre eq '100' and l/quantity gt 2.4)")).toEqual(['P1'])
      expect(await found("lines/any(l: l/costCentre eq '100' and l/quantity gt 2.5)")).toEqual([])
      expect(await found('lines/any(l: l/delivery/date ge 2026-03-01)')).toEqual(['P1'])
      expect(await found('lines/any(l: l/packages/any(p: p/weight eq 1.25))')).toEqual(['P1'])
      expect(await found("text ne 'Ink' and lines/any(l: l/lineNo in (1, 7))")).toEqual(['P1'])
    })

    it('are counted with their orders, in pages and in groups', async () => {
      const filter = 'lines/any(l: l/quantity gt 0)'
      const count = await send({ method: 'HEAD', url: `${ORDERS}?${new URLSearchParams({ filter })}` })
      expect([count.status, count.headers['x-erp-total-count']]).toEqual([200, '2'])
      const page = await asked({ select: 'orderNo,lines(lineNo)', offset: '1', limit: '1', orderby: 'text desc' })
      expect(page.json).toEqual([{ orderNo: 'P2', lines: [{ lineNo: 1 }] }])
      const grouped = await asked({ filter, aggregate: 'count() as number' })
      expect(grouped.json).toEqual([{ number: 2 }])
    })

    it('are there along a reference, and in tables of every format', async () => {
      const lines = '/v1/objects/purchase-order-lines'
      const query = { filter: 'lineNo eq 10', select: 'lineNo,order(text,lines(lineNo))' }
      expect((await asked(query, 'integration', lines)).json).toEqual([
        { lineNo: 10, order: { text: 'Paper', lines: [{ lineNo: 1 }, { lineNo: 2 }, { lineNo: 10 }] } },
      ])
      const csv = await asked({ filter: "orderNo eq 'P2'", select: 'orderNo,lines(lineNo,price)', $format: 'csv' })
      expect([csv.status, csv.text.trimEnd().split('\r\n').at(-1)]).toEqual([200, 'P2,"[{""lineNo"":1,""price"":2}]"'])
    })

    it('are those that the caller may see, without hidden members', async () => {
      const query = { select: 'orderNo,lines(lineNo)' }
      expect((await asked(query, 'oslo')).json).toEqual([
        { orderNo: 'P1', lines: [{ lineNo: 1 }, { lineNo: 2 }] },
        { orderNo: 'P2', lines: [] },
        { orderNo: 'P3', lines: [] },
      ])
      expect(await found('lines/any(l: l/quantity eq 10)', 'oslo')).toEqual([])
      expect(await found('lines/all(l: l/quantity lt 5)', 'oslo')).toEqual(['P1', 'P2', 'P3'])
      const whole = await asked({ filter: "orderNo eq 'P1'", select: 'lines' }, 'oslo')
      expect(whole.json[0].lines.map((line: object) => 'price' in line)).toEqual([false, false])
      const hiddenIn: Record<string, string>[] = [{ select: 'lines(price)' }, { filter: 'lines/any(l: l/price gt 0)' }]
      for (const hidden of hiddenIn) {
        const refused = await asked(hidden, 'oslo')
        expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('price')])
      }
      expect((await asked(query, 'heads')).json.map(({ lines }: { lines: unknown[] }) => lines)).toEqual([[], [], []])
      expect(await found('lines/any()', 'heads')).toEqual([])
    })

    it('may decide which orders a role shows, and companies never see those of another', async () => {
      expect((await asked({ select: 'orderNo' }, 'large')).json).toEqual([{ orderNo: 'P1' }])
      expect((await send({ as: 'large', url: '/v1/purchase-orders/P1' })).status).toBe(200)
      expect((await send({ as: 'large', url: '/v1/purchase-orders/P2' })).status).toBe(404)
      expect((await asked({ select: 'orderNo,text,lines(lineNo,quantity)' }, 'sv')).json).toEqual([
        { orderNo: 'P1', text: 'Papper', lines: [{ lineNo: 7, quantity: 99 }] },
      ])
    })

    it('are answered anew after one of them was changed', async () => {
      const query = { filter: "orderNo eq 'P3'", select: 'lines(lineNo)' }
      const before = await asked(query)
      expect(before.json).toEqual([{ lines: [] }])
      await create('purchase-order-lines', { orderNo: 'P3', lineNo: 4 })
      const url = `${ORDERS}?${new URLSearchParams(query)}`
      const after = await send({ url, headers: { 'if-none-match': String(before.headers.etag) } })
      expect([after.status, after.json]).toEqual([200, [{ lines: [{ lineNo: 4 }] }]])
      expect((await send({ method: 'DELETE', url: '/v1/purchase-order-lines/P3/4' })).status).toBe(200)
      expect((await asked(query)).json).toEqual([{ lines: [] }])
    })

    it('are those of then with asOf, whatever has become of them and of their order', async () => {
      await create('purchase-orders', { orderNo: 'T1', text: 'Then' })
      await create('purchase-orders', { orderNo: 'T2', text: 'Then' })
      await create('purchase-order-lines', { orderNo: 'T1', lineNo: 1, quantity: 20, costCentre: '100' })
      for (const lineNo of [2, 3]) await create('purchase-order-lines', { orderNo: 'T1', lineNo, quantity: 1 })
      const then = await lastNumber()
      const change = (method: 'PATCH' | 'DELETE', url: string, body?: unknown) => send({ method, url, body })
      const replaced = [{ op: 'replace', path: '/quantity', value: 1.5 }]
      await change('PATCH', '/v1/purchase-order-lines/T1/1', replaced)
      await change('DELETE', '/v1/purchase-order-lines/T1/2')
      await create('purchase-order-lines', { orderNo: 'T1', lineNo: 4 })
      await create('purchase-order-lines', { orderNo: 'T2', lineNo: 1, quantity: 30 })
      const select = 'orderNo,lines(lineNo,quantity)'
      const filter = "text eq 'Then'"
      const ofThen = [
        {
          orderNo: 'T1',
          lines: [
            { lineNo: 1, quantity: 20 },
            { lineNo: 2, quantity: 1 },
            { lineNo: 3, quantity: 1 },
          ],
        },
        { orderNo: 'T2', lines: [] },
      ]
      const past = (query: Record<string, string>, as?: string) => asked({ ...query, asOf: String(then) }, as)
      expect((await past({ filter, select })).json).toEqual(ofThen)
      const found = async (condition: string, as?: string) =>
        (await past({ filter: `${filter} and ${condition}`, select: 'orderNo' }, as)).json
      expect(await found('lines/any(l: l/quantity eq 20)')).toEqual([{ orderNo: 'T1' }])
      expect(await found('lines/any(l: l/quantity eq 30)')).toEqual([])
      expect(await found('lines/all(l: l/lineNo lt 4)')).toEqual([{ orderNo: 'T1' }, { orderNo: 'T2' }])
      // The rights of now, asked of what was then.
      expect((await past({ filter, select: 'orderNo' }, 'large')).json).toEqual([{ orderNo: 'T1' }])
      const single = (as: string, id: string) => send({ as, url: `/v1/purchase-orders/${id}?asOf=${then}` })
      expect((await single('large', 'T1')).json).toMatchObject({ orderNo: 'T1', text: 'Then' })
      expect((await single('large', 'T2')).status).toBe(404)
      expect((await send({ as: 'large', url: '/v1/purchase-orders/T2' })).status).toBe(200)
      expect((await past({ filter, select: 'lines(lineNo)' }, 'oslo')).json).toEqual([
        { lines: [{ lineNo: 1 }] },
        { lines: [] },
      ])
      await change('DELETE', '/v1/purchase-orders/T1')
      await change('PATCH', '/v1/purchase-orders/T2', [{ op: 'replace', path: '/text', value: 'Now' }])
      expect((await past({ filter, select })).json).toEqual(ofThen)
      const count = await send({
        method: 'HEAD',
        url: `${ORDERS}?${new URLSearchParams({ filter: `${filter} and lines/any()`, asOf: String(then) })}`,
      })
      expect(count.headers['x-erp-total-count']).toBe('1')
      for (const url of ['/v1/purchase-orders/T2', '/v1/purchase-order-lines/T2/1']) await change('DELETE', url)
    })

    it('of then decide what a role sees of the history of an order', async () => {
      const lines = [{ lineNo: 1, quantity: 20 }]
      await create('purchase-orders', { orderNo: 'H1', text: 'Large', lines })
      const url = '/v1/purchase-orders/H1'
      const patch = (path: string, value: unknown) =>
        send({ method: 'PATCH', url, body: [{ op: 'replace', path, value }] })
      await patch('/text', 'Still')
      await patch('/lines/0/quantity', 1)
      await patch('/text', 'Small')
      const both = [
        { op: 'replace', path: '/text', value: 'Again' },
        { op: 'replace', path: '/lines/0/quantity', value: 30 },
      ]
      expect((await send({ method: 'PATCH', url, body: both })).status).toBe(200)
      const told = async (as: string) => {
        const { json } = await send({ as, url: `${url}/history` })
        return json.changes.map((one: { operation: string; changes: { path: string; after?: { text: string } }[] }) => [
          one.operation,
          one.changes.map(({ path, after }) => (path === '' ? after?.text : path)).join(),
        ])
      }
      expect(await told('integration')).toEqual([
        ['updated', '/text,/lines'],
        ['updated', '/text'],
        ['updated', '/lines'],
        ['updated', '/text'],
        ['created', 'Large'],
      ])
      expect(await told('large')).toEqual([
        ['entered', 'Again'],
        ['left', ''],
        ['updated', '/text'],
        ['created', 'Large'],
      ])
      await send({ method: 'DELETE', url })
    })

    it('are asked for in words that the answer tells', async () => {
      for (const [query, words] of [
        [{ filter: 'lines gt 1' }, "'lines' is a list: ask with lines/any(x: ...) or lines/all(x: ...)"],
        [{ filter: 'lines/quantity gt 1' }, 'ask with lines/any(l: l/quantity gt 1)'],
        [{ select: 'lines(order)' }, "'order'"],
        [{ orderby: 'lines/quantity' }, "'lines' is a list"],
      ] as const) {
        const { status, text } = await asked(query)
        expect([status, text]).toEqual([400, expect.stringContaining(words)])
      }
      const feed = await send({ url: '/v1/changes?entities=purchase-orders&since=0&filter=lines/any()' })
      expect([feed.status, feed.text]).toEqual([400, expect.stringContaining('no feed tells when these change')])
    })

    it('are a collection to which OData leads, of the entity set of their own document', async () => {
      const odata = (path: string, as = 'integration') =>
        send({ as, url: `/odata/v4/EN/${path.replaceAll(' ', '%20')}`, headers: { accept: 'application/json' } })
      const { json: metadata } = await odata('$metadata?$format=json')
      expect(metadata.Tabularium.purchase_orders.lines).toMatchObject({
        $Kind: 'NavigationProperty',
        $Collection: true,
        $Type: 'Tabularium.purchase_order_lines',
      })
      expect(metadata.Tabularium.Container).not.toHaveProperty('purchase_orders_lines')
      expect((await odata('$metadata?$format=json', 'heads')).json.Tabularium.purchase_orders).not.toHaveProperty(
        'lines',
      )
      const expanded = await odata("purchase_orders?$filter=orderNo eq 'P2'&$expand=lines($select=lineNo,price)")
      expect(expanded.json.value).toMatchObject([{ orderNo: 'P2', lines: [{ lineNo: 1, price: 2 }] }])
      expect(Object.keys(expanded.json.value[0].lines[0])).toEqual(['lineNo', 'price'])
      const whole = await odata("purchase_orders('P2')?$expand=lines")
      expect(whole.json.lines[0]).toMatchObject({ orderNo: 'P2', lineNo: 1, delivery: {}, lastUpdated: {} })
      expect((await odata('purchase_orders/$count?$filter=lines/any(l:l/quantity gt 0)')).text).toBe('2')
      const behind = async (path: string, as?: string) => {
        const { status, json } = await odata(`purchase_orders(${path}`, as)
        return [status, json?.value?.map(({ orderNo, lineNo }: Record<string, unknown>) => [orderNo, lineNo])]
      }
      expect(await behind("'P1')/lines?$filter=quantity gt 0&$orderby=lineNo desc")).toEqual([
        200,
        [
          ['P1', 10],
          ['P1', 2],
        ],
      ])
      expect((await odata("purchase_orders('P1')/lines/$count")).text).toBe('3')
      expect(await behind("'P1')/lines?$select=orderNo,lineNo", 'oslo')).toEqual([
        200,
        [
          ['P1', 1],
          ['P1', 2],
        ],
      ])
      expect(await behind("'none')/lines")).toEqual([404, undefined])
      expect(await behind("'P1')/lines", 'heads')).toEqual([404, undefined])
      expect(await behind("'P1')/supplier")).toEqual([501, undefined])
      expect((await odata('purchase_orders?$expand=lines', 'oslo')).json.value[1].lines).toEqual([])
    })

    it('are described, with their titles', async () => {
      const headers = { accept: 'application/schema+json', 'accept-language': 'no' }
      const { json } = await send({ url: `${ORDERS}?select=lines(lineNo,price)`, headers })
      expect(json.items.properties.lines).toMatchObject({
        title: 'Ordrelinjer',
        type: 'array',
        items: { properties: { lineNo: { type: 'integer' }, price: { format: 'decimal' } } },
      })
    })

    it('are described to people with their document, its key, their bound, and what they refer to', async () => {
      const accept = { accept: 'application/schema+json' }
      const described = async (language: Record<string, string>) => {
        const { json } = await send({ url: ORDERS, headers: { ...accept, ...language } })
        return { ...json.items.properties, ...json.items['x-erp-onRequest'].properties }
      }
      const { supplierId, lines } = await described({ 'accept-language': 'en' })
      expect(supplierId['x-erp-reference']).toEqual({ document: 'suppliers', key: 'supplierId' })
      expect(lines).toMatchObject({
        'x-erp-document': 'purchase-order-lines',
        'x-erp-key': { keys: 'companyId,orderNo,lineNo' },
        maxItems: MAX_LINES,
        items: { properties: { orderNo: { 'x-erp-reference': { document: 'purchase-orders', key: 'orderNo' } } } },
      })
      expect(lines.items.properties.quantity).not.toHaveProperty('x-erp-reference')
      expect((await described({})).lines).not.toHaveProperty('x-erp-document')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/order-lines.yaml'),
)
