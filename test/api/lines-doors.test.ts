// Orders with their lines through the other doors: the typed client, the tools of agents, and tables for spreadsheets
// and data frames.
import { beforeAll, expect, it } from 'vitest'
import { ValidationProblem } from '#client'
import { companyTypes } from '../../src/cli/actions/service/company-types.ts'
import { clientOf } from '../client/world-client.ts'
import { agentToken, callAgentTool } from '../support/mcp.ts'
import { readParquet } from '../support/parquet-file.ts'
import { onEachStore, startWorld } from '../support/world.ts'

/** As text: a double has no such number. */
const LARGE = '12345678901234.5678'

interface Order {
  readonly orderNo: string
  readonly text: string
  readonly lines: readonly { readonly lineNo: number; readonly quantity: number }[]
}

onEachStore(
  'Lines through the other doors',
  (world) => {
    const ask = (url: string, accept?: string) =>
      world().send({ as: 'integration', url, ...(accept ? { headers: { accept } } : {}) })
    const tool = async (name: string, args: Record<string, unknown>) => {
      const result = await callAgentTool(world(), await agentToken(world(), 'integration', 'mcp:write'), name, args)
      return result.structuredContent ?? JSON.parse(result.content[0].text)
    }
    const orders = () => clientOf(world()).records<Order>('purchase-orders')

    beforeAll(async () => {
      const supplier = { supplierId: 'S1', supplierName: 'Nordic Paper' }
      await world().send({ as: 'integration', method: 'POST', url: '/v1/suppliers', body: supplier })
      const lines = [
        `{ "lineNo": 2, "price": ${LARGE}, "delivery": { "date": "2026-03-01" }, "packages": [{ "weight": 1.5 }] }`,
        '{ "lineNo": 1, "costCentre": "100", "quantity": 2.5, "price": 7 }',
      ]
      for (const body of [
        `{ "orderNo": "D1", "supplierId": "S1", "text": "Ink; \\"blue\\"", "lines": [${lines}] }`,
        '{ "orderNo": "D2" }',
      ]) {
        const created = await world().send({ as: 'integration', method: 'POST', url: '/v1/purchase-orders', body })
        expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, ''])
      }
    })

    it('are created, read and patched by the client, which tells what is wrong with a line at its place', async () => {
      const lines = [{ lineNo: 1, quantity: 2.5 }, { lineNo: 2 }]
      const created = await orders().create({ orderNo: 'T1', text: 'Paper', lines })
      expect(created.record.lines.map(({ quantity }) => quantity)).toEqual([2.5, 0])
      const patched = await orders().patch(
        'T1',
        [
          { op: 'replace', path: '/lines/0/quantity', value: 4 },
          { op: 'add', path: '/lines/-', value: { lineNo: 3, quantity: 1 } },
        ],
        { ifMatch: created.etag },
      )
      expect(patched.record.lines.map(({ lineNo, quantity }) => [lineNo, quantity])).toEqual([
        [1, 4],
        [2, 0],
        [3, 1],
      ])
      expect(await orders().getIfChanged('T1', patched.etag ?? '')).toBeUndefined()
      const before = await orders().get('T1', { asOf: Number(created.etag?.replaceAll('"', '')) })
      expect(before.record).toEqual(created.record)
      const wrong = [...lines, { lineNo: 3 }, { lineNo: 4, quantity: -1, costCentre: '999' }]
      const problem = await orders()
        .create({ orderNo: 'T2', lines: wrong })
        .catch((thrown) => thrown)
      expect(problem).toBeInstanceOf(ValidationProblem)
      expect(problem.findings.map(({ path }: { path: string }) => path).sort()).toEqual([
        '/lines/3/costCentre',
        '/lines/3/quantity',
      ])
      const select = 'orderNo,lines(lineNo,quantity)'
      expect(await clientOf(world()).objects['purchase-orders']?.list({ select, filter: "orderNo eq 'T1'" })).toEqual([
        { orderNo: 'T1', lines: patched.record.lines.map(({ lineNo, quantity }) => ({ lineNo, quantity })) },
      ])
    })

    it('have types of their own in what the client writes of a company', async () => {
      const types = await companyTypes(clientOf(world()))
      const [, order = ''] = /export interface PurchaseOrders \{(.*?)\n\}/s.exec(types) ?? []
      expect(order).toMatch(/ lines: List<\{.* lineNo: Value<number>.* costCentre: Coded<string>.* packages: List<\{/s)
    })

    it('are followed by the client with their order, once for each request', async () => {
      const client = clientOf(world())
      const since = String((await ask('/v1/objects/purchase-orders')).headers['x-erp-change-number'])
      await orders().create({ orderNo: 'F1', lines: [{ lineNo: 1 }, { lineNo: 2 }] })
      await orders().patch('F1', [{ op: 'replace', path: '/lines/1/quantity', value: 3 }])
      await client.records('purchase-order-lines').delete(['F1', 1])
      const told = []
      for await (const { changes } of client.changes<Order>({ since, entities: ['purchase-orders'] }))
        told.push(...changes)
      expect(told.map(({ operation, changed }) => [operation, changed?.at(-1)])).toEqual([
        ['created', undefined],
        ['updated', '/lines'],
        ['updated', '/lines'],
      ])
      const { record, etag } = await orders().get('F1')
      expect([told.at(-1)?.record, told.at(-1)?.etag]).toEqual([record, etag])
    })

    it('are described to agents with their document, asked for, proposed and written with their order', async () => {
      const { properties } = await tool('describe', { document: 'purchase-orders' })
      const [described] = properties.filter(({ name }: { name: string }) => name === 'lines')
      expect(described).toMatchObject({ type: 'list', document: 'purchase-order-lines' })
      expect(described.items.map(({ name }: { name: string }) => name)).toContain('quantity')
      const record = { orderNo: 'A1', lines: [{ lineNo: 1, quantity: 2 }, { lineNo: 2 }, { lineNo: 3 }, { lineNo: 4 }] }
      const document = 'purchase-orders'
      const wrong = { ...record, lines: record.lines.with(3, { lineNo: 4, quantity: -1 }) }
      const refused = await tool('propose_change', { operation: 'create', document, record: wrong })
      expect(refused).toMatchObject({ changes: [], mistakes: [expect.stringContaining('/lines/3/quantity: ')] })
      const proposed = await tool('propose_change', { operation: 'create', document, record })
      expect(proposed.mistakes).toEqual([])
      expect(await tool('apply_change', { handle: proposed.handle })).toMatchObject({ status: 201 })
      const operations = [{ op: 'replace', path: '/lines/0/quantity', value: 5 }]
      const key = { orderNo: 'A1' }
      const change = await tool('propose_change', { operation: 'update', document, key, operations })
      expect(change.changes.map(({ path }: { path: string }) => path)).toEqual(['/lines'])
      expect(await tool('apply_change', { handle: change.handle })).toMatchObject({ status: 200 })
      const filter = "orderNo eq 'A1' and lines/any(l: l/quantity eq 5)"
      const { rows } = await tool('query', { document, select: 'orderNo,lines(lineNo,quantity)', filter })
      expect(rows).toMatchObject([{ orderNo: 'A1', lines: [{ lineNo: 1, quantity: 5 }, {}, {}, {}] }])
      const read = await tool('read', { document, key })
      expect(read.record.lines.map(({ lineNo }: { lineNo: number }) => lineNo)).toEqual([1, 2, 3, 4])
      expect((await tool('history', { document, key })).changes[0].changes).toEqual([{ path: '/lines' }])
    })

    it('are a column of their order in CSV and Parquet, or a table of their own with columns of the order', async () => {
      const whole =
        '/v1/objects/purchase-orders?filter=startswith(orderNo,%27D%27)&select=orderNo,lines(lineNo,price,delivery/date)'
      const lines = [
        '{"lineNo":1,"price":7,"delivery":{"date":"1900-01-01T00:00:00.000Z"}}',
        `{"lineNo":2,"price":${LARGE},"delivery":{"date":"2026-03-01T00:00:00.000Z"}}`,
      ]
      expect((await ask(whole, 'text/csv')).text).toBe(
        `orderNo,lines\r\nD1,"[${lines.join().replaceAll('"', '""')}]"\r\nD2,[]\r\n`,
      )
      const file = await readParquet((await ask(`${whole}&$format=parquet`)).bytes)
      expect(file.types).toEqual({ orderNo: 'VARCHAR', lines: 'JSON' })
      expect(file.rows).toHaveLength(2)
      const select = 'orderNo,lineNo,costCentre[C;T],quantity,price,delivery/date,order(text,supplier(supplierName))'
      const table = `/v1/objects/purchase-order-lines?filter=orderNo%20eq%20%27D1%27&select=${encodeURIComponent(select)}`
      expect((await ask(table, 'text/csv')).text).toBe(
        [
          'orderNo,lineNo,costCentre,costCentre(description),quantity,price,delivery.date,order.text,order.supplier.supplierName',
          'D1,1,100,Oslo,2.5,7,1900-01-01T00:00:00.000Z,"Ink; ""blue""",Nordic Paper',
          `D1,2,,,0,${LARGE},2026-03-01T00:00:00.000Z,"Ink; ""blue""",Nordic Paper`,
          '',
        ].join('\r\n'),
      )
      const rows = await readParquet((await ask(`${table}&$format=parquet`)).bytes)
      expect(rows.types).toMatchObject({
        lineNo: 'BIGINT',
        quantity: 'DECIMAL(18,3)',
        price: 'DECIMAL(18,4)',
        delivery_date: 'TIMESTAMP',
        order_supplier_supplierName: 'VARCHAR',
      })
      expect(rows.rows.map(({ price, order_text }) => [price, order_text])).toEqual([
        ['7.0000', 'Ink; "blue"'],
        [LARGE, 'Ink; "blue"'],
      ])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/order-lines.yaml'),
)
