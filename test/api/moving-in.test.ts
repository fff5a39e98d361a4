// POST /v1/{name}/batch as a company moves in: a form with a map and files of lists, ids that are kept, codes that are
// added, and who may do it.
import { expect, it } from 'vitest'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const COLLECTION = '/v1/batch-operations'
const SOON = { interval: 10, timeout: 120_000 }

interface File {
  readonly text: string | Buffer
  readonly type?: string
}

function form(files: Readonly<Record<string, string | File>>): Pick<Sent, 'headers' | 'body'> {
  const parts = Object.entries(files).flatMap(([name, given]) => {
    const { text, type = 'text/csv' } = typeof given === 'string' ? { text: given } : given
    const head = `--edge\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\nContent-Type: ${type}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(text as string), Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...parts, Buffer.from('--edge--\r\n')])
  return { headers: { 'content-type': 'multipart/form-data; boundary=edge' }, body }
}

const MAP = `
Ordrenr: orderNo
Dato: orderDate
Merknad:
text: "= concat('Order ', [Ordrenr])"
lines:
  Ordre: orderNo
  Linje: lineNo
  Sted: costCentre
  Antall: quantity
  price: = 1.5
`
const ORDERS = 'Ordrenr;Dato;Merknad\n1001;31.01.2026;x\n1002;01.02.2026;\n1003;02.02.2026;\n'
const LINES =
  'Ordre;Linje;Sted;Antall\n1002;1;100;2,5\n1001;2;300;1\n1001;1;200;4\n9;1;100;1\n1003;1;100;-2\n1003;2;100;many\n'
const CUSTOMER = {
  customerName: 'Nordic',
  countryCode: 'NO',
  customerGroupId: '10',
  contactPoints: [{ contactPointType: '1' }],
}
const lines = (...records: readonly object[]): Pick<Sent, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/x-ndjson' },
  body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
})

onEachStore(
  'A company that moves in by requests',
  (world) => {
    const send = (path: string, sent: Partial<Sent>) =>
      world().send({ as: 'integration', method: 'POST', url: `/v1/${path}`, ...sent })
    const get = async (url: string) => (await world().send({ as: 'integration', url })).json
    const done = async (path: string, sent: Partial<Sent>) => {
      const answer = await send(path, sent)
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
      const { id } = answer.json
      const as = sent.as ?? 'integration'
      const read = async () => (await world().send({ as, url: `${COLLECTION}/${id}/status` })).json
      await expect.poll(async () => (await read()).status, SOON).not.toMatch(/[NW]/)
      const results = (await world().send({ as, url: `${COLLECTION}/${id}/results` })).json
      return { ...(await read()), results }
    }
    const counted = async (table: string) => Number((await world().query(`select count(*) as n from ${table}`))[0]?.n)

    it('sends orders with a file of their lines and one map: an order is stored with its lines, or not at all', async () => {
      const sent = form({ rows: ORDERS, lines: LINES, map: { text: MAP, type: 'application/yaml' } })
      const dry = await done('purchase-orders/batch?validateOnly=true&addCodes=C1', sent)
      expect(dry).toMatchObject({ status: 'C', written: 2, rejected: 2, addCodes: ['C1'] })
      expect(dry.codes).toEqual([{ attributeId: 'C1', count: 1, values: ['300'] }])
      expect([await counted('own_purchase_orders'), await counted('own_purchase_order_lines')]).toEqual([0, 0])
      expect((await get('/v1/attribute-values/C1/300/0')).code).toBe(1040)

      const without = await done('purchase-orders/batch', sent)
      expect(without).toMatchObject({ status: 'C', written: 1, rejected: 3, codes: [], keepIds: false })
      expect(without.results).toEqual([
        {
          row: 2,
          key: { orderNo: '1001' },
          findings: [{ code: 3010, field: 'Sted', message: 'line 3 of lines: Illegal value.' }],
        },
        {
          row: 4,
          key: { orderNo: '1003' },
          findings: [
            { code: 3010, field: 'Antall', message: 'line 6 of lines: The field Quantity must be at least 0.' },
            { code: 1010, field: 'Antall', message: 'line 7 of lines: The field lines[1].quantity must be a number.' },
          ],
        },
        {
          row: 9,
          key: {},
          findings: [
            {
              code: 0,
              field: 'orderNo',
              message: 'line 5 of lines: no row of the records that can be read has the orderNo 9',
            },
          ],
        },
      ])
      const again = await done('purchase-orders/batch?addCodes=C1', sent)
      expect(again).toMatchObject({ status: 'C', written: 1, rejected: 3, codes: dry.codes })
      expect(await get('/v1/purchase-orders/1001')).toMatchObject({
        text: 'Order 1001',
        orderDate: '2026-01-31T00:00:00.000',
        lines: [
          { lineNo: 1, costCentre: '200', quantity: 4, price: 1.5 },
          { lineNo: 2, costCentre: '300', quantity: 1, price: 1.5 },
        ],
      })
      expect(await get('/v1/attribute-values/C1/300/0')).toMatchObject({ description: '300', status: 'N' })
      expect(await counted('own_purchase_order_lines')).toBe(3)
    })

    it('takes back what an export has written: a file of the orders and one of their lines', async () => {
      const bodies = [1, 2].map((no) => ({
        orderNo: `X${no}`,
        text: `a;"${no}"`,
        lines: [{ lineNo: no, price: 0.25 }, { lineNo: 7 }],
      }))
      for (const body of bodies) expect((await send('purchase-orders', { body })).status).toBe(201)
      const whole = async () => {
        const read = await Promise.all(bodies.map(({ orderNo }) => get(`/v1/purchase-orders/${orderNo}`)))
        return read.map(({ lastUpdated: _stamp, ...order }) => order)
      }
      const before = await whole()
      const exported = async (name: string, select: string) => {
        const query = new URLSearchParams({ filter: "startswith(orderNo, 'X')", select })
        const url = `/v1/objects/${name}?${query}`
        return (await world().send({ as: 'integration', url, headers: { accept: 'text/csv' } })).text
      }
      const rows = await exported('purchase-orders', 'orderNo,orderDate,text')
      const items = await exported('purchase-order-lines', 'orderNo,lineNo,costCentre,quantity,price')
      for (const { orderNo } of bodies) {
        expect((await send(`purchase-orders/${orderNo}`, { method: 'DELETE' })).status).toBe(200)
      }
      const ends = await done('purchase-orders/batch', form({ rows, lines: items }))
      expect(ends).toMatchObject({ status: 'C', written: 2, rejected: 0 })
      expect(await whole()).toEqual(before)
      // Nobody has changed them since: an operation that is taken back removes them with their lines.
      const taken = { as: 'integration', method: 'DELETE', url: `${COLLECTION}/${ends.id}/records` } as const
      expect((await world().send(taken)).json).toMatchObject({ removed: 2, kept: 0 })
      expect((await exported('purchase-order-lines', 'orderNo')).trim()).toBe('orderNo')
    })

    it('takes files of either format, and lists that are no documents', async () => {
      const rows = { text: '{"orderNo":"T1"}\n{"orderNo":"T2"}\n', type: 'application/x-ndjson' }
      const ends = await done('purchase-orders/batch', form({ rows, tags: 'orderNo,tag\nT1,new\nT1,old\n' }))
      expect(ends).toMatchObject({ status: 'C', written: 2, rejected: 0 })
      expect((await get('/v1/purchase-orders/T1')).tags).toEqual([{ tag: 'new' }, { tag: 'old' }])
      const items = { text: '{"orderNo":"T3","tag":"a","tagg":"b"}\n{"tag":"c"}\n', type: 'application/x-ndjson' }
      const wrong = await done('purchase-orders/batch', form({ rows: 'orderNo\nT3\n', tags: items }))
      expect(wrong.results.map(({ row, findings }: { row: number; findings: object[] }) => [row, findings[0]])).toEqual(
        [
          [2, { code: 0, field: 'tagg', message: "line 1 of tags: there is no such property; did you mean 'tag'?" }],
          [4, { code: 0, field: 'orderNo', message: 'line 2 of tags: the orderNo of its record is missing' }],
        ],
      )
    })

    it.each([
      [form({ lines: LINES }), "The form has no file 'rows'."],
      [form({ rows: 'orderNo\n1\n', line: LINES }), "Purchase-orders have no list 'line'; did you mean 'lines'?"],
      [
        form({ rows: 'orderNo,tags.1.tag\n1,x\n', tags: 'orderNo,tag\n' }),
        "The list 'tags' has a file of its own, and the column 'tags.1.tag' beside it.",
      ],
      [form({ rows: 'orderNo\n1\n', map: 'a: [' }), /^Line 1 of the map: /],
      [
        form({ rows: 'orderNo\n1\n', map: 'text: = upper([orderNo])' }),
        /^Line 1 of the map, text: there is no function/,
      ],
      [form({ rows: 'orderNo\n1\n', map: 'text: = [Nr]' }), /^The map takes \[Nr\], which is no heading of the file/],
      [form({ rows: 'orderNo,text\n1,x\n', map: "text: = 'a'" }), /the property 'text' stands twice/],
      [form({ rows: 'orderNo\n1\n', map: 'line: { Nr: lineNo }' }), /^Line 1 of the map, line: expected the path/],
      [form({ rows: 'orderNo\n1\n', map: `# ${'x'.repeat(1_100_000)}` }), /^The map is larger than 1048576 bytes/],
    ])('ends a form that cannot be read with an error, and stores nothing of it (%#)', async (sent, message) => {
      const before = await counted('own_purchase_orders')
      const ended = await done('purchase-orders/batch', sent as Partial<Sent>)
      expect([ended.status, ended.message]).toEqual([
        'E',
        typeof message === 'string' ? message : expect.stringMatching(message),
      ])
      expect(await counted('own_purchase_orders')).toBe(before)
    })

    it('keeps ids of a series for an administrator who sees all such records, and for nobody else', async () => {
      const sent = lines({ ...CUSTOMER, customerId: '51234' }, CUSTOMER)
      for (const as of ['integration', 'some', 'orders']) {
        const refused = await send('customers/batch?keepIds=true', { ...sent, as })
        expect([as, refused.status, refused.json.code]).toEqual([as, 403, 2030])
      }
      const plain = await done('customers/batch?validateOnly=true', { ...sent, as: 'administrator' })
      expect(plain).toMatchObject({ written: 1, rejected: 1 })
      const kept = await done('customers/batch?keepIds=true', { ...sent, as: 'administrator' })
      expect(kept).toMatchObject({ status: 'C', written: 2, rejected: 0, keepIds: true })
      for (const id of ['51234', '51235']) expect(await get(`/v1/customers/${id}`)).toMatchObject({ customerId: id })
      const changed = await done('customers/batch?keepIds=true&update=true', {
        ...lines({ customerId: '51234', customerName: 'Changed' }, { ...CUSTOMER, customerId: '51300' }),
        as: 'administrator',
      })
      expect(changed).toMatchObject({ written: 2, rejected: 0 })
      expect((await send('customers', { body: CUSTOMER })).json.customerId).toBe('51301')
    })

    it('adds codes by the rules of their attribute, once, and leaves the rows whose code breaks one', async () => {
      const rows = ['900', '901', '900', 'abc'].map((costCentre, at) => ({
        orderNo: `C${at}`,
        lines: [{ lineNo: 1, costCentre }],
      }))
      const ended = await done('purchase-orders/batch?addCodes=C1', lines(...rows))
      expect(ended).toMatchObject({ written: 3, rejected: 1 })
      expect(ended.codes).toEqual([{ attributeId: 'C1', count: 2, values: ['900', '901'] }])
      expect(ended.results).toEqual([
        {
          row: 4,
          key: { orderNo: 'C3' },
          findings: [{ code: 3010, field: 'lines[0].costCentre', message: 'Illegal value.' }],
        },
      ])
      const history = await get('/v1/attribute-values/C1/900/0/history')
      expect(history.changes).toMatchObject([{ operation: 'created' }])
      const groups = await done('customers/batch?addCodes=CG,C1', lines({ ...CUSTOMER, customerGroupId: '77' }))
      expect(groups).toMatchObject({ written: 1, codes: [{ attributeId: 'CG', count: 1, values: ['77'] }] })
    })

    it('refuses an order with two lines of a value that is unique, and stores those around it', async () => {
      const order = (orderNo: string, ...serials: string[]) => ({
        orderNo,
        lines: serials.map((serialNo, at) => ({ lineNo: at + 1, serialNo })),
      })
      const ended = await done(
        'purchase-orders/batch',
        lines(order('U1', 'A'), order('U2', 'B', 'B'), order('U3', 'C')),
      )
      expect(ended).toMatchObject({ status: 'C', written: 2, rejected: 1 })
      expect(ended.results[0].findings).toEqual([
        { code: 3010, field: 'lines[1].serialNo', message: 'B is there twice' },
      ])
      const stored = await done('purchase-orders/batch', lines(order('U4', 'D', 'A')))
      expect(stored.results[0].findings[0]).toMatchObject({ field: 'lines[1].serialNo' })
    })

    it.each([
      ['purchase-orders/batch?addCodes=C1', 'orders', 403, /not authorised/],
      ['customers/batch?addCodes=CG', 'some', 403, /not authorised/],
      ['customers/batch?addCodes=C9', 'integration', 400, /EN has no attribute 'C9'; did you mean 'C1'\?/],
      ['customers/batch?addCodes=A4', 'integration', 400, /the values of A4 are those of records, or are kept by/],
      ['customers/batch?addCodes=C5', 'integration', 400, /the values of C5 get their numbers by a series/],
      ['customers/batch?addCodes=CG&update=true', 'integration', 400, /cannot be used together with update/],
      ['attribute-values/batch?addCodes=C1', 'integration', 400, /cannot be used but for customers and documents/],
      ['customers/batch?addCodes=,', 'integration', 400, /takes 1 to 50 attributes with commas between them/],
      ['customers/batch?keepIds=perhaps', 'integration', 400, /is not valid for keepids/],
      ['customers/batch?separator=tab', 'integration', 400, /for a body of the type text\/csv only/],
    ])('%s of %s answers %i', async (path, as, status, message) => {
      const refused = await send(path, { as, ...lines(CUSTOMER) })
      expect([refused.status, refused.json.message ?? refused.text]).toEqual([status, expect.stringMatching(message)])
    })

    it('takes orders back with their lines, but for what was changed since', async () => {
      const order = (orderNo: string, ...quantities: number[]) => ({
        orderNo,
        lines: quantities.map((quantity, at) => ({ lineNo: at + 1, quantity })),
      })
      const created = [order('B1', 1, 2), order('B2', 1), order('B3', 1), { orderNo: 'B4' }]
      const { id } = await done('purchase-orders/batch', lines(...created))
      const patch = async (url: string, path: string, value: unknown) =>
        (await send(url, { method: 'PATCH', body: [{ op: 'replace', path, value }] })).status
      expect(await patch('purchase-orders/B2', '/text', 'Kept')).toBe(200)
      expect(await patch('purchase-order-lines/B3/1', '/quantity', 7)).toBe(200)
      const update = 'purchase-orders/batch?update=true'
      const changed = await done(update, lines({ orderNo: 'B4', text: 'Changed' }, { ...order('B3', 8), text: '' }))
      const taken = async (of: string) =>
        (await world().send({ as: 'integration', method: 'DELETE', url: `${COLLECTION}/${of}/records` })).json
      expect(await taken(changed.id)).toEqual({ removed: 0, restored: 1, kept: 1, from: 0 })
      expect((await get('/v1/purchase-orders/B4')).text).toBe('')
      expect(await taken(id)).toEqual({ removed: 1, restored: 0, kept: 3, from: 0 })
      for (const gone of ['purchase-orders/B1', 'purchase-order-lines/B1/1'])
        expect((await get(`/v1/${gone}`)).code).toBe(1040)
      expect((await get('/v1/purchase-orders/B2')).lines).toHaveLength(1)
    })

    it('refuses a form without a boundary, and lines of whoever may not create them', async () => {
      const without = await send('customers/batch', { ...form({}), headers: { 'content-type': 'multipart/form-data' } })
      expect([without.status, without.json.message]).toEqual([400, expect.stringContaining('its boundary must have')])
      const none = await send('customers/batch', { ...form({}), body: 'no form' })
      expect([none.status, none.json.message]).toEqual([400, 'The form cannot be read: it is not sent to its end.'])
      const sent = form({ rows: 'orderNo\nH1\nH2\n', lines: 'orderNo,lineNo\nH1,1\n' })
      const ended = await done('purchase-orders/batch', { ...sent, as: 'heads' })
      expect(ended).toMatchObject({ written: 1, rejected: 1 })
      expect(ended.results[0].key).toEqual({ orderNo: 'H1' })
    })
  },
  async (kind) => {
    const world = await startWorld(kind, 'test/fixtures/moving-in.yaml')
    world.application.operations.start()
    return world
  },
)
