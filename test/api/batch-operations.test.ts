// POST /v1/{name}/batch and /v1/batch-operations: rows that are sent in one body and stored in the background.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ENCODINGS } from '../../src/transfer/rows/text-form.ts'
import { answerFaults } from '../support/api-fuzz/answer-faults.ts'
import { Description } from '../support/api-fuzz/description.ts'
import { longIt } from '../support/reliability-test.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { type Answer, onEachStore, type Sent, startWorld } from '../support/world.ts'

const CSV = { 'content-type': 'text/csv' }
const LINES = { 'content-type': 'application/x-ndjson' }
const COLLECTION = '/v1/batch-operations'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const HOUR_MS = 3_600_000
const SOON = { interval: 10, timeout: 120_000 }

const rows = (resource: string, body: unknown, sent: Partial<Sent> = {}): Sent => ({
  as: 'integration',
  method: 'POST',
  url: `/v1/${resource}/batch`,
  headers: CSV,
  body,
  ...sent,
})
const customers = (body: unknown, sent: Partial<Sent> = {}) => rows('customers', body, sent)
const linesOf = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** CSV of customers with all that is required: their ids, and further columns. */
function table(
  ids: readonly string[],
  more: Readonly<Record<string, string | readonly string[]>> = {},
  cells = ',',
): string {
  const columns = {
    customerId: ids,
    customerName: 'Name',
    customerGroupId: 'G',
    countryCode: 'NO',
    'contactPoints.1.contactPointType': '1',
    ...more,
  }
  const rows = ids.map((_id, at) => Object.values(columns).map((cell) => (typeof cell === 'string' ? cell : cell[at])))
  return [Object.keys(columns), ...rows].map((row) => `${row.join(cells)}\n`).join('')
}
const many = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}`)
const customer = (customerId: string, customerName: string) => ({
  customerId,
  customerName,
  customerGroupId: 'G',
  countryCode: 'NO',
  contactPoints: [{ contactPointType: '1' }],
})

const refused = (name: string, sent: Sent, status: number, code: number, message: string): Scenario => ({
  name: `batch operations: ${name}`,
  ...sent,
  status,
  json: { code, message },
})
const withQuery = (query: string): Sent => customers('customerId\n1\n', { url: `/v1/customers/batch?${query}` })
const expected = (option: string, value: string, names: string) =>
  `The value '${value}' is not valid for ${option}: expected ${names}.`

const refusals: Scenario[] = [
  refused(
    'refuses an empty body',
    customers(''),
    400,
    1010,
    'The request body is empty: expected a record in each line, or CSV with a line of names first.',
  ),
  {
    name: 'batch operations: refuses a body of another type',
    ...customers([{}], { headers: {} }),
    status: 415,
    code: 1010,
  },
  refused(
    'refuses a charset that it does not know',
    customers('a', { headers: { 'content-type': 'text/csv; charset=x-none' } }),
    415,
    1010,
    `The charset 'x-none' is not supported: expected ${Object.keys(ENCODINGS).join(', ')}.`,
  ),
  {
    name: 'batch operations: refuses a compressed body',
    ...customers('a', { headers: { ...CSV, 'content-encoding': 'gzip' } }),
    status: 415,
    code: 1010,
  },
  refused(
    'refuses a separator that is none',
    withQuery('separator=/'),
    400,
    1010,
    expected('separator', '/', ',, ;, |, tab'),
  ),
  refused(
    'refuses a misspelt decimal sign',
    withQuery('decimal=coma'),
    400,
    1010,
    `${expected('decimal', 'coma', 'comma, point')} Did you mean 'comma'?`,
  ),
  refused(
    'refuses an order of dates that is none',
    withQuery('dates=ymd'),
    400,
    1010,
    expected('dates', 'ymd', 'dd/mm/yyyy, mm/dd/yyyy'),
  ),
  refused(
    'refuses options of CSV for lines of JSON',
    { ...withQuery('separator=tab'), headers: LINES },
    400,
    1010,
    "The query option 'separator' is for a body of the type text/csv only.",
  ),
  { name: 'batch operations: refuses a misspelt option', ...withQuery('$upate=true'), status: 400, code: 1020 },
  refused(
    'refuses to update what cannot be updated',
    rows('attribute-values', 'attributeId\nC1\n', { url: '/v1/attribute-values/batch?update=true' }),
    400,
    1010,
    "The query option 'update' cannot be used: only customers and documents of the setup can be updated.",
  ),
  {
    name: 'batch operations: refuses updates without the permission to update',
    ...withQuery('update=true'),
    as: 'creator',
    status: 403,
    code: 2030,
  },
  {
    name: 'batch operations: refuses rows without the permission to create',
    ...customers('a', { as: 'reader' }),
    status: 403,
    code: 2030,
  },
  { name: 'batch operations: refuses another company', ...withQuery('companyId=SV'), status: 403, code: 2030 },
  { name: 'batch operations: refuses a resource that has none', ...rows('nothing', 'a'), status: 404, code: 1030 },
  {
    name: 'batch operations: names the key of one that is not there',
    url: `${COLLECTION}/${UNKNOWN}/status`,
    status: 404,
    code: 1040,
  },
  {
    name: 'batch operations: has no results of one that is not there',
    url: `${COLLECTION}/${UNKNOWN}/results`,
    status: 404,
    code: 1040,
  },
  {
    name: 'batch operations: cancels none that is not there',
    method: 'DELETE',
    url: `${COLLECTION}/${UNKNOWN}`,
    status: 404,
    code: 1040,
  },
]

let now = Date.parse('2026-11-23T12:00:00Z')
const clock = () => new Date(now)

onEachStore(
  'batch operations',
  (world) => {
    const read = (id: string, as = 'integration') => world().send({ as, url: `${COLLECTION}/${id}/status` })
    const results = async (id: string) =>
      (await world().send({ as: 'integration', url: `${COLLECTION}/${id}/results` })).json
    const ended = async (id: string, as?: string): Promise<Answer['json']> => {
      await expect.poll(async () => (await read(id, as)).json.status, SOON).not.toMatch(/[NW]/)
      return (await read(id, as)).json
    }
    /** Sends rows, and waits for the end. */
    const done = async (sent: Sent): Promise<Answer['json']> => {
      const answer = await world().send(sent)
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
      return ended(answer.json.id, sent.as)
    }
    /** Takes all of an operation back. */
    const takenBack = async (id: string, as = 'integration') => {
      const all = { removed: 0, restored: 0, kept: 0 }
      for (let from = 0, more = true; more; ) {
        const sent = { as, method: 'DELETE', url: `${COLLECTION}/${id}/records?from=${from}` } as const
        const { status, json } = await world().send(sent)
        expect(status).toBe(200)
        all.removed += json.removed
        all.restored += json.restored
        all.kept += json.kept
        from = json.from
        more = from > 0
      }
      return all
    }
    const names = async (like: string) =>
      (
        await world().query(
          `select customer_id, customer_name from customer where customer_id like '${like}' order by customer_id`,
        )
      ).map(({ customer_id, customer_name }) => `${customer_id} ${customer_name}`)

    runScenarios(world, refusals)

    it('answers 202 with the address of the status, which tells the end', async () => {
      const answer = await world().send(customers(table(['A1', 'A2'], { customerName: ['First', 'Second'] })))
      expect(answer.status).toBe(202)
      const { id } = answer.json
      expect(answer.headers.location).toBe(`${COLLECTION}/${id}/status`)
      expect(answer.json).toMatchObject({ status: 'N', document: 'customers', companyId: 'EN', written: 0, line: 0 })
      world().application.operations.start()
      expect(await ended(id)).toEqual({
        ...answer.json,
        status: 'C',
        written: 2,
        line: 3,
        readWith: { encoding: 'UTF-8', separator: ',', decimal: '', dates: '' },
        startedAt: clock().toISOString(),
        updatedAt: clock().toISOString(),
        endedAt: clock().toISOString(),
      })
      expect(await names('A%')).toEqual(['A1 First', 'A2 Second'])
      expect(await results(id)).toEqual([])
    })

    it('names the client and the request in the change log, an entry a row', async () => {
      const { requestId } = await done(customers(table(['B1', 'B2'])))
      const entries = await world().query(
        `select o.user_id, o.client_id from journal_entry e join journal_origin o on o.company_id = e.company_id and o.origin_no = e.origin_no
         where e.request_id = '${requestId}' and o.entity = 'customer'`,
      )
      expect(entries).toEqual([1, 2].map(() => ({ user_id: 'svc-all', client_id: 'integration' })))
    })

    it('tells each row that was rejected, with its key and what a POST would say', async () => {
      const body = table(['C1', 'C1', '"C"2', 'C3'], { 'invoice.creditLimit': ['1,5', '2', '3', 'lots'] }, ';')
      const { id, ...operation } = await done(customers(body))
      expect(operation).toMatchObject({ status: 'C', written: 1, rejected: 3, line: 5 })
      const posted = await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/customers',
        body: customer('C1', 'x'),
      })
      const [{ code, message }] = posted.json.notificationMessages.customerId
      expect(await results(id)).toEqual([
        { row: 3, key: { customerId: 'C1' }, findings: [{ code, field: 'customerId', message }] },
        {
          row: 4,
          key: {},
          findings: [
            {
              code: 0,
              field: '',
              message: expect.stringContaining('the cell goes on behind the quote that closes it in line 4'),
            },
          ],
        },
        {
          row: 5,
          key: { customerId: 'C3' },
          findings: [
            {
              code: expect.any(Number),
              field: 'invoice.creditLimit',
              message: 'The field invoice.creditLimit must be a number.',
            },
          ],
        },
      ])
      const german = await world().send({
        as: 'integration',
        url: `${COLLECTION}/${id}/results?from=4`,
        headers: { 'accept-language': 'de' },
      })
      expect(german.json[0].findings[0].message).toMatch(/^die Zelle geht hinter dem Anf.hrungszeichen weiter/)
      const limit = { field: 'invoice.creditLimit', message: 'Das Feld „Kreditlimit“ muss eine Zahl sein.' }
      expect(german.json[1].findings).toEqual([{ code: expect.any(Number), ...limit }])
      const page = await world().send({
        as: 'integration',
        url: `${COLLECTION}/${id}/results?from=4&limit=1`,
        headers: { accept: 'application/x-ndjson' },
      })
      expect(page.headers['content-type']).toContain('application/x-ndjson')
      expect(
        page.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).row),
      ).toEqual([4])
    })

    it('tells of a row with a cell that cannot be read all that is wrong with it, and never makes it', async () => {
      const wrong = { customerName: ['A', ''], countryCode: ['NO', ''], 'invoice.creditLimit': ['1,5', '2.25'] }
      const { id, ...operation } = await done(customers(table(['9A1', '9A2'], wrong, ';')))
      expect(operation).toMatchObject({ status: 'C', written: 1, rejected: 1 })
      const [{ row, findings }] = await results(id)
      expect(row).toBe(3)
      const fields = findings.map(({ field }: { field: string }) => field)
      expect(fields.toSorted()).toEqual(['countryCode', 'customerName', 'invoice.creditLimit'])
      expect(findings.find(({ field }: { field: string }) => field === 'invoice.creditLimit').message).toContain(
        'has no decimal comma',
      )
      // Alone it is told alone.
      const alone = await done(customers(table(['9A3', '9A4'], { 'invoice.creditLimit': ['1,5', '2.25'] }, ';')))
      expect((await results(alone.id)).map((one: { findings: unknown[] }) => one.findings.length)).toEqual([1])
      expect(await names('9A%')).toEqual(['9A1 A', '9A3 Name'])
    })

    it('reads CSV as people have it: found in the body, or as the options say', async () => {
      const danish = (day: string, amount: string) => ({
        customerName: 'B\u00e6kken',
        'payment.expiryDate': day,
        'invoice.creditLimit': amount,
      })
      const windows = Buffer.from(table(['D1'], danish('31.12.2026', '1.234,50'), ';'), 'latin1')
      const found = await done(customers(windows))
      expect(found.readWith).toEqual({
        encoding: 'Windows-1252',
        separator: ';',
        decimal: 'comma',
        dates: 'dd.mm.yyyy',
      })
      const given = `\ufeff${table(['D2'], danish('01/02/2026', '1,500'), '\t')}`
      const told = await done(
        customers(given, { url: '/v1/customers/batch?separator=tab&decimal=comma&dates=dd/mm/yyyy' }),
      )
      expect(told.readWith).toEqual({ encoding: 'UTF-8', separator: 'tab', decimal: 'comma', dates: 'dd/mm/yyyy' })
      for (const [id, day, amount] of [
        ['D1', '2026-12-31', 1234.5],
        ['D2', '2026-02-01', 1.5],
      ]) {
        const { json } = await world().send({ as: 'integration', url: `/v1/customers/${id}` })
        expect([json.customerName, json.payment.expiryDate, json.invoice.creditLimit]).toEqual([
          'B\u00e6kken',
          expect.stringContaining(String(day)),
          amount,
        ])
      }
    })

    it('ends with an error for a body that cannot be read, and stores nothing of it', async () => {
      for (const [body, headers, message] of [
        ['customerId,custmerName\nE1,x\n', CSV, "In the first line there is no property 'custmerName'"],
        ['customerId;invoice.creditLimit\nE1;1.234\n', CSV, 'has a decimal sign or grouped digits'],
        [Buffer.from([0x7b, 0xff, 0x7d]), LINES, 'Line 1 of the file is not UTF-8.'],
      ] as const) {
        const operation = await done(customers(body, { headers }))
        expect([operation.status, operation.message]).toEqual(['E', expect.stringContaining(message)])
      }
      // A quote that is not closed is the fault of its row alone.
      const unclosed = await done(customers('customerId\n"E1\n', { headers: CSV }))
      expect(unclosed).toMatchObject({ status: 'C', written: 0, rejected: 1 })
      expect(await names('E%')).toEqual([])
    })

    it('changes records that are there with update, and makes the others', async () => {
      const update = (body: string) => done(customers(body, { url: '/v1/customers/batch?update=true', headers: LINES }))
      expect(await update(linesOf([customer('F1', 'New'), customer('F2', 'Other')]))).toMatchObject({ written: 2 })
      expect(
        await update(
          linesOf([
            { customerId: 'F1', customerName: 'Changed' },
            { customerId: 'A1', customerName: 'First' },
          ]),
        ),
      ).toMatchObject({ status: 'C', update: true, written: 1, unchanged: 1, rejected: 0 })
      expect(await names('F%')).toEqual(['F1 Changed', 'F2 Other'])
    })

    it('stores attribute values and relations too', async () => {
      expect(
        await done(rows('attribute-values', 'attributeId,attributeValue,description\nC2,D7,Seven\nXX,1,None\n')),
      ).toMatchObject({ written: 1, rejected: 1 })
      const link = { attributeId: 'C1', attributeValue: 'CC1', relatedAttributeId: 'C2', relationValue: 'D7' }
      expect(await done(rows('attribute-relations', linesOf([link, link]), { headers: LINES }))).toMatchObject({
        written: 1,
        rejected: 1,
      })
    })

    it('stores records of a document of the setup', async () => {
      const body = 'supplierId;supplierName\nS1;One\nS2;\nS1;Again\n'
      const operation = await done(rows('suppliers', body))
      expect(operation).toMatchObject({ status: 'C', document: 'suppliers', written: 1, rejected: 2 })
      const found = await results(operation.id)
      expect(found.map(({ row, key }: { row: number; key: object }) => [row, key])).toEqual([
        [3, { supplierId: 'S2' }],
        [4, { supplierId: 'S1' }],
      ])
      const changed = rows('suppliers', 'supplierId;supplierName\nS1;Changed\n', {
        url: '/v1/suppliers/batch?update=true',
      })
      expect(await done(changed)).toMatchObject({ written: 1 })
      expect((await world().send({ as: 'integration', url: '/v1/suppliers/S1' })).json).toMatchObject({
        supplierName: 'Changed',
      })
      expect((await world().send(rows('suppliers', body, { as: 'creator' }))).status).toBe(403)
    })

    const preview = (body: unknown, query = '', sent: Partial<Sent> = {}) =>
      world().send(customers(body, { url: `/v1/customers/batch/preview${query}`, ...sent }))

    it('shows how rows would be read, and what their headings mean, before they are sent', async () => {
      const headings = 'Kundenr;Kundenavn;Kredittgrense;Merknad;Merknad'
      const body = Buffer.from(`sep=;\r\n${headings}\r\n1;B\u00e6kken;1.234,50;"a\nb";\r\n;;;;\r\n"2;x`, 'latin1')
      const { status, json } = await preview(body)
      expect([status, json.readWith, json.message]).toEqual([
        200,
        { encoding: 'Windows-1252', separator: ';', decimal: 'comma', dates: '' },
        '',
      ])
      expect(json.headings).toEqual(headings.split(';'))
      expect(json.rows).toEqual([['1', 'B\u00e6kken', '1.234,50', 'a\nb', ''], ['"2;x']])
      const found = json.columns.filter(({ heading }: { heading: string }) => heading !== '')
      expect(found).toEqual([
        { path: 'customerId', isRequired: false, heading: 'Kundenr' },
        { path: 'customerName', isRequired: true, heading: 'Kundenavn' },
        { path: 'invoice.creditLimit', isRequired: false, heading: 'Kredittgrense' },
      ])
      expect(json.addableCodes).toContain('C1')
      expect((await preview(table(['1']), '', { as: 'creator' })).json.addableCodes).toEqual([])
      const doubtful = await preview('customerId;invoice.creditLimit\nE1;1.234\n')
      expect([doubtful.status, doubtful.json.message]).toEqual([200, expect.stringContaining('decimal=comma')])
      const told = await preview('customerId;invoice.creditLimit\nE1;1.234\n', '?decimal=comma')
      expect([told.json.readWith.decimal, told.json.message]).toEqual(['comma', ''])
      const own = await world().send(rows('suppliers', 'supplierId\nS1\n', { url: '/v1/suppliers/batch/preview' }))
      expect([own.status, own.json.rows]).toEqual([200, [['S1']]])
    })

    it('previews no body that is no table, or larger than a person looks at', async () => {
      for (const [body, query, sent, status] of [
        ['', '', {}, 400],
        ['\n', '', {}, 400],
        [Buffer.from('PK\u0003\u0004'), '', {}, 400],
        ['customerId\n1\n', '?decimal=coma', {}, 400],
        ['customerId\n1\n', '', { as: 'reader' }, 403],
        ['{}', '', { headers: LINES }, 415],
        [`customerId\n${'1\n'.repeat(50_001)}`, '', {}, 400],
        [Buffer.alloc(8 * 1024 * 1024 + 1, 'x'), '', {}, 413],
      ] as const)
        expect([query, (await preview(body, query, sent)).status]).toEqual([query, status])
    })

    it('takes back what an operation has created, but for what was changed or is needed since', async () => {
      const { id } = await done(customers(table(['R1', 'R1', ...many('R2', 60), 'R3', 'R4'])))
      const taken = async (of = id, as = 'integration') =>
        world().send({ as, method: 'DELETE', url: `${COLLECTION}/${of}/records` })
      const changed = { as: 'integration', method: 'PATCH', url: '/v1/customers/R3' } as const
      const body = [{ op: 'replace', path: '/customerName', value: 'Other' }]
      expect((await world().send({ ...changed, body })).status).toBe(200)
      const link = { attributeId: 'C2', attributeValue: 'D1', relatedAttributeId: 'A4', relationValue: 'R4' }
      const post = { as: 'integration', method: 'POST', url: '/v1/attribute-relations', body: link } as const
      expect((await world().send(post)).status).toBe(201)
      expect((await taken(id, 'sv')).status).toBe(404)
      expect((await taken(id, 'creator')).status).toBe(403)
      expect(await takenBack(id)).toEqual({ removed: 61, restored: 0, kept: 2 })
      expect(await names('R%')).toEqual(['R3 Other', 'R4 Name'])
      expect(await done(customers(table(['R1'])))).toMatchObject({ written: 1 })
      const values = await done(rows('attribute-values', 'attributeId,attributeValue,description\nC2,R8,Eight\n'))
      expect((await taken(values.id)).status).toBe(400)
      const checked = await done(customers(table(['R5']), { url: '/v1/customers/batch?validateOnly=true' }))
      expect((await taken(checked.id)).json).toEqual({ removed: 0, restored: 0, kept: 0, from: 0 })
    })

    it('changes many records as PATCH does, but for those that have changed since, and takes it back', async () => {
      await done(customers(table(many('P', 4))))
      const listed = await world().send({ as: 'integration', url: '/v1/objects/customers?limit=1' })
      const since = listed.headers['x-erp-change-number']
      const changed = { as: 'integration', method: 'PATCH', url: '/v1/customers/P2' } as const
      const other = [{ op: 'replace', path: '/customerName', value: 'Other' }]
      expect((await world().send({ ...changed, body: other })).status).toBe(200)
      const change = (customerId: string, path: string, value: unknown, ...more: readonly object[]) => ({
        customerId,
        operations: [{ op: 'replace', path, value }, ...more],
      })
      const limit = { op: 'replace', path: '/invoice/creditLimit', value: 12.5 }
      const body = linesOf([
        change('P0', '/customerName', 'Renamed', limit),
        change('P1', '/customerName', 'Name'),
        change('P2', '/customerName', 'Renamed'),
        change('P3', '/countryCode', ''),
        change('P9', '/customerName', 'Renamed'),
        { ...change('P0', '/customerName', 'Renamed'), customerName: 'Renamed' },
        { operations: 'none' },
      ])
      const patches = (query = '', sent: Partial<Sent> = {}) =>
        customers(body, { url: `/v1/customers/batch/patches${query}`, headers: LINES, ...sent })
      const checked = await done(patches(`?unchangedSince=${since}&validateOnly=true`))
      const counts = { status: 'C', patch: true, update: false, written: 1, unchanged: 1, rejected: 5 }
      expect(checked).toMatchObject(counts)
      expect(await names('P%')).toEqual(['P0 Name', 'P1 Name', 'P2 Other', 'P3 Name'])
      const operation = await done(patches(`?unchangedSince=${since}`))
      expect(operation).toMatchObject(counts)
      expect(await names('P%')).toEqual(['P0 Renamed', 'P1 Name', 'P2 Other', 'P3 Name'])
      const told = (await results(operation.id)) as { row: number; findings: { field: string; message: string }[] }[]
      expect(told.map(({ row, findings: [first] }) => [row, first?.field, first?.message])).toEqual([
        [3, '', expect.stringContaining('The data was changed or deleted by another user')],
        [4, 'countryCode', 'The CountryCode field is required.'],
        [5, '', expect.stringContaining('P9')],
        [6, 'customerName', expect.any(String)],
        [7, 'customerId', expect.any(String)],
      ])
      expect((await world().send(patches('', { as: 'reader' }))).status).toBe(403)
      expect((await world().send(patches('', { headers: CSV }))).status).toBe(415)
      expect((await world().send(patches('?unchangedSince=now'))).status).toBe(400)
      expect((await world().send(patches('', { url: '/v1/attribute-relations/batch/patches' }))).status).toBe(404)
      const taken = { as: 'sv', method: 'DELETE', url: `${COLLECTION}/${operation.id}/records` } as const
      expect((await world().send(taken)).status).toBe(404)
      expect(await takenBack(operation.id)).toEqual({ removed: 0, restored: 1, kept: 0 })
      const back = (await world().send({ as: 'integration', url: '/v1/customers/P0' })).json
      expect([back.customerName, back.invoice?.creditLimit ?? 0]).toEqual(['Name', 0])
      expect(await takenBack(operation.id)).toMatchObject({ restored: 0, kept: 1 })
    })

    it('takes back an import that has changed records and created others', async () => {
      const known = many('T', 70)
      await done(customers(table(known, { aliasName: 'Before' })))
      // U1 and T3 are written twice, in parts of the operation that do not run together.
      const ids = ['U1', 'U2', ...known, 'U3', 'T3', 'U1']
      const customerName = ids.map((one, at) => (ids.indexOf(one) < at ? 'Newer' : 'New'))
      const body = table(ids, { customerName, aliasName: 'After' })
      const { id, written } = await done(customers(body, { url: '/v1/customers/batch?update=true' }))
      expect([written, await names('U%')]).toEqual([75, ['U1 Newer', 'U2 New', 'U3 New']])
      for (const changed of ['T1', 'U2']) {
        const rename = [{ op: 'replace', path: '/customerName', value: 'Other' }]
        const sent = { as: 'integration', method: 'PATCH', url: `/v1/customers/${changed}`, body: rename } as const
        expect((await world().send(sent)).status).toBe(200)
      }
      expect(await takenBack(id)).toEqual({ removed: 2, restored: 69, kept: 2 })
      expect(await names('U%')).toEqual(['U2 Other'])
      expect(await names('T%')).toEqual(known.map((one) => `${one} ${one === 'T1' ? 'Other' : 'Name'}`).toSorted())
      const aliases = await world().query("select customer_id from customer where alias_name = 'After' order by 1")
      expect(aliases).toEqual([{ customer_id: 'T1' }, { customer_id: 'U2' }])
      expect(await takenBack(id)).toEqual({ removed: 0, restored: 0, kept: 71 })
    })

    it('changes values of attributes, and only records that the caller sees', async () => {
      await done(rows('attribute-values', 'attributeId,attributeValue,periodFrom,description\nC2,V1,0,One\n'))
      const change = { attributeId: 'C2', attributeValue: 'V1', periodFrom: 0 }
      const operations = [{ op: 'replace', path: '/description', value: 'First' }]
      const patches = (resource: string, record: object, as: string) =>
        rows(resource, linesOf([record]), { as, url: `/v1/${resource}/batch/patches`, headers: LINES })
      expect(await done(patches('attribute-values', { ...change, operations }, 'integration'))).toMatchObject({
        written: 1,
        rejected: 0,
      })
      await done(customers(table(['W1', 'W2'], { countryCode: ['NO', 'SE'] })))
      const renamed = (path: string) => [{ op: 'replace', path, value: 'Renamed' }]
      const ofNorwegian = async (customerId: string, path: string) =>
        done(patches('customers', { customerId, operations: renamed(path) }, 'norwegian'))
      expect(await ofNorwegian('W2', '/customerName')).toMatchObject({ written: 0, rejected: 1 })
      expect(await ofNorwegian('W1', '/externalReference')).toMatchObject({ written: 0, rejected: 1 })
      const { id, written } = await ofNorwegian('W1', '/customerName')
      expect([written, await names('W%')]).toEqual([1, ['W1 Renamed', 'W2 Name']])
      expect(await takenBack(id, 'norwegian')).toMatchObject({ restored: 1, kept: 0 })
      expect(await names('W%')).toEqual(['W1 Name', 'W2 Name'])
    })

    it('checks every row with validateOnly, and stores none', async () => {
      const body = table([...many('G', 1_200), 'A1'])
      const operation = await done(customers(body, { url: '/v1/customers/batch?validateOnly=true' }))
      expect(operation).toMatchObject({ status: 'C', validateOnly: true, written: 1_200, rejected: 1, line: 1_202 })
      expect(await names('G%')).toEqual([])
    })

    it('keeps to the rules of the roles: nobody stores what they could not read', async () => {
      const body = table(['H1', 'H2'], { countryCode: ['NO', 'SE'] })
      const operation = await done(customers(body, { as: 'norwegian' }))
      expect(operation).toMatchObject({ status: 'C', written: 1, rejected: 1 })
      expect(await names('H%')).toEqual(['H1 Name'])
      // Results name records: who does not see all of them sees their own operations alone.
      const { id } = await done(customers(table(['H3'], { countryCode: 'SE' })))
      expect((await read(id, 'norwegian')).status).toBe(404)
      expect((await read(operation.id)).status).toBe(200)
    })

    it('shows nothing of them to another company, or without the permission', async () => {
      const { id } = await done(customers(table(['I1'])))
      for (const as of ['sv', 'reader']) {
        for (const sent of [
          { url: `${COLLECTION}/${id}/status` },
          { url: `${COLLECTION}/${id}/results` },
          { method: 'DELETE' as const, url: `${COLLECTION}/${id}` },
        ])
          expect((await world().send({ as, ...sent })).status).toBe(404)
        expect((await world().send({ as, url: COLLECTION })).json).toEqual([])
      }
      const [newest] = (await world().send({ as: 'integration', url: `${COLLECTION}?limit=1` })).json
      expect(newest).toMatchObject({ id, document: 'customers' })
    })

    it('answers the same operation for the same idempotency key', async () => {
      const sent = customers(table(['J1']), { headers: { ...CSV, 'idempotency-key': 'j-1' } })
      const [one, other] = [await world().send(sent), await world().send(sent)]
      expect([other.status, other.headers['idempotency-replayed'], other.json.id]).toEqual([202, 'true', one.json.id])
      expect((await world().send({ ...sent, body: table(['J2']) })).status).toBe(422)
      expect(await ended(one.json.id)).toMatchObject({ written: 1 })
    })

    it('is cancelled between two parts: nothing is added from then on', async () => {
      const body = table(many('K', 20_000))
      const { id } = (await world().send(customers(body))).json
      await expect.poll(async () => (await read(id)).json.written, SOON).toBeGreaterThan(0)
      const cancelled = await world().send({ as: 'integration', method: 'DELETE', url: `${COLLECTION}/${id}` })
      expect([cancelled.status, cancelled.json.status]).toEqual([200, 'K'])
      const { written } = cancelled.json
      expect(written).toBeLessThan(20_000)
      expect(await done(customers(table(['L1'])))).toMatchObject({ written: 1 })
      expect((await read(id)).json).toEqual(cancelled.json)
      expect(await names('K%')).toHaveLength(written)
      const ends = await Promise.all(
        ['DELETE', 'DELETE'].map(() =>
          world().send({ as: 'integration', method: 'DELETE', url: `${COLLECTION}/${id}` }),
        ),
      )
      expect(ends.map(({ status }) => status)).toEqual([200, 200])
      const [last] = (await world().send({ as: 'integration', url: `${COLLECTION}?limit=1` })).json
      expect(
        (await world().send({ as: 'integration', method: 'DELETE', url: `${COLLECTION}/${last.id}` })).status,
      ).toBe(409)
    })

    longIt('answers writes of others while it is done', async () => {
      const body = table(many('M', 5_000))
      const { id } = (await world().send(customers(body))).json
      let beside = 0
      for (let at = 0; (await read(id)).json.status !== 'C'; at++) {
        const sent = {
          as: 'integration',
          method: 'POST',
          url: '/v1/customers',
          body: customer(`N${at}`, 'Beside'),
        } as const
        expect((await world().send(sent)).status).toBe(201)
        beside += 1
      }
      expect((await read(id)).json).toMatchObject({ written: 5_000, rejected: 0 })
      expect(beside).toBeGreaterThan(10)
    })

    it('answers as the description says', async () => {
      const description = new Description((await world().send({ url: '/openapi.json' })).json)
      const faultsOf = async (id: string, sent: Sent) => {
        const answer = await world().send(sent)
        const { method = 'GET', url } = sent
        const operation = description.all.find((one) => one.id === id)
        const asked = { validateOnly: url.includes('validateOnly'), isPast: false }
        return [id, operation?.id, answer.status, answerFaults(description, operation, method, answer, asked)]
      }
      const { id } = await done(customers(table(['Q1', 'Q1'])))
      const of = (path = '', sent: Partial<Sent> = {}) => ({ as: 'integration', url: `${COLLECTION}${path}`, ...sent })
      const asked: readonly (readonly [string, Sent, number])[] = [
        ['sendCustomers', customers(table(['Q2'])), 202],
        ['sendCustomers', customers(''), 400],
        ['sendCustomers', customers(table(['Q3']), { as: 'reader' }), 403],
        ['listBatchOperations', of('?limit=2'), 200],
        ['listBatchOperations', of('?limit=0'), 400],
        ['readBatchOperation', of(`/${id}/status`), 200],
        ['readBatchOperation', of(`/${UNKNOWN}/status`), 404],
        ['listBatchOperationResults', of(`/${id}/results`), 200],
        ['listBatchOperationResults', of(`/${UNKNOWN}/results`), 404],
        ['cancelBatchOperation', of(`/${id}`, { method: 'DELETE' }), 409],
        ['takeBackBatchOperation', of(`/${id}/records`, { method: 'DELETE' }), 200],
        ['takeBackBatchOperation', of(`/${UNKNOWN}/records`, { method: 'DELETE' }), 404],
        ['previewCustomers', customers(table(['Q2']), { url: '/v1/customers/batch/preview' }), 200],
        ['patchCustomers', { ...customers(''), url: '/v1/customers/batch/patches', headers: LINES }, 400],
        ['previewCustomers', customers('', { url: '/v1/customers/batch/preview' }), 400],
      ]
      for (const [operation, sent, status] of asked) {
        expect(await faultsOf(operation, sent)).toEqual([operation, operation, status, []])
      }
    })

    it('removes bodies an hour after the end, and forgets the operations after a week', async () => {
      const { id } = await done(customers(table(['O1', 'O1'])))
      const bodies = () => world().query("select * from batch_operation where file_hash <> ''")
      const contents = () =>
        readdirSync(join(world().folder, 'files'), { recursive: true, withFileTypes: true }).filter(
          (entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name),
        )
      expect([(await bodies()).length > 0, contents().length > 0]).toEqual([true, true])
      now += 2 * HOUR_MS
      await world().application.operations.clean()
      expect([await bodies(), contents()]).toEqual([[], []])
      expect(await world().query(`select line from batch_operation_result where operation_id = '${id}'`)).toHaveLength(
        1,
      )
      now += 8 * 24 * HOUR_MS
      await world().application.operations.clean()
      for (const table of ['batch_operation', 'batch_operation_result', 'import_row']) {
        expect([table, await world().query(`select * from ${table}`)]).toEqual([table, []])
      }
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/batch-operations.yaml', '', { clock }),
)
