// Media types of answers: JSON, NDJSON, CSV and JSON Schema by Accept. Decision 6, export and schema+json; decision 0.
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { injectInto } from '../support/inject.ts'
import { insertRows, ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore, type World } from '../support/world.ts'

const ask = (world: World, accept: string, url: string) => world.send({ as: 'integration', url, headers: { accept } })

/** A strict RFC 4180 parser: the fields of each line. */
function parseCsv(text: string): string[][] {
  expect(text.endsWith('\r\n')).toBe(true)
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}

const HOSTILE = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\uff1d1',
  '\uff0b1',
  '\uff0d1',
  '\uff20A1',
  "'=1",
  ' =1',
  '"quoted"',
  'a,b',
  'two\r\nlines',
  '',
]

onEachStore(
  'Formats of the object endpoints',
  (world) => {
    it('answers NDJSON: the objects of the JSON answer, one a line, each ended (decision 6)', async () => {
      const url = objects('customers', { select: '*,contactPoints,relatedValues,customFieldGroups' })
      const json = await ask(world(), 'application/json', url)
      const lines = await ask(world(), 'application/x-ndjson', url)
      expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
      expect(lines.text.endsWith('\n')).toBe(true)
      const rows = lines.text.trimEnd().split('\n')
      expect(rows).toHaveLength(4)
      expect(`[${rows.join(',')}]`).toBe(json.text)
    })

    it('answers nothing for an empty NDJSON, and the line of names alone for an empty CSV', async () => {
      const url = objects('customers', { select: 'customerId,invoice(creditLimit)', filter: "customerId eq ''" })
      expect((await ask(world(), 'application/x-ndjson', url)).text).toBe('')
      expect((await ask(world(), 'text/csv', url)).text).toBe('customerId,invoice.creditLimit\r\n')
    })

    it('answers CSV with names group.property, lists as JSON text, and quotes (RFC 4180; decision 6)', async () => {
      const url = objects('customers', {
        select:
          'customerId,customerName,invoice(creditLimit,hasFixedCurrency),countryCode[C;T],contactPoints(sortOrder,address/streetAddress)',
        filter: "customerId in ('1001','1003')",
      })
      const answer = await ask(world(), 'text/csv', url)
      expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
      const points = [
        { address: { streetAddress: 'Road 1, "Oslo"' }, sortOrder: 1 },
        { address: { streetAddress: 'Road 1, "Bergen"' }, sortOrder: 2 },
      ]
      expect(parseCsv(answer.text)).toEqual([
        [
          'customerId',
          'customerName',
          'invoice.creditLimit',
          'invoice.hasFixedCurrency',
          'countryCode',
          'countryCode(description)',
          'contactPoints',
        ],
        ['1001', 'Nordlys AS', '50000.5', 'true', 'NO', 'Norway', JSON.stringify(points)],
        ['1003', "O'Brien Ltd", '0', 'false', 'GB', '', '[]'],
      ])
    })

    it('answers CSV of dates, numbers and associations as JSON answers them', async () => {
      const url = ledger({
        select: 'transactionNumber,transactionDate,amounts(amount),customer(customerName,payment/expiryDate)',
        filter: 'sequenceNumber eq 1',
      })
      expect((await ask(world(), 'text/csv', url)).text).toBe(
        [
          'transactionNumber,transactionDate,amounts.amount,customer.customerName,customer.payment.expiryDate',
          '1,2026-01-15T00:00:00.000Z,-1000,Nordlys AS,2099-12-31T00:00:00.000Z',
          '2,2026-02-01T12:30:00.500Z,250.75,,1900-01-01T00:00:00.000Z',
          '3,2026-01-15T00:00:00.000Z,0.1,,1900-01-01T00:00:00.000Z',
          '4,2019-12-31T23:59:59.999Z,12345678901234.56,Åse & Søn,2099-12-31T00:00:00.000Z',
          '',
        ].join('\r\n'),
      )
    })

    it('keeps texts in CSV for a spreadsheet from being formulas, and numbers numbers (formula injection)', async () => {
      await insertRows(
        world(),
        'own_work_orders',
        HOSTILE.map((description, at) => ({ company_id: 'EN', work_order_id: `H${10 + at}`, description, stage: -at })),
      )
      const query = { select: 'description,stage', orderBy: 'workOrderId' }
      const excel = objects('work-orders', { ...query, $format: 'excel' })
      const [, ...rows] = parseCsv((await ask(world(), '', excel)).text)
      // Texts that start with apostrophes get one too, so that removing one always restores the text.
      expect(rows).toEqual(
        HOSTILE.map((text, at) => [
          /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text,
          String(-at),
        ]),
      )
      const url = objects('work-orders', query)
      const json = await ask(world(), 'application/json', url)
      expect(json.json.map((row: { description: string }) => row.description)).toEqual(HOSTILE)
      // For programs only what `import` would take for a protected text is changed.
      const [, ...plain] = parseCsv((await ask(world(), 'text/csv', url)).text)
      expect(plain.map(([text]) => text)).toEqual(HOSTILE.map((text) => (text === "'=1" ? "''=1" : text)))
    })

    it('has the columns of CSV in the order of select, those of groups in place, and the documented order without it', async () => {
      const header = async (select?: string) => {
        const url = ledger(select === undefined ? { limit: 1 } : { limit: 1, select })
        return (await ask(world(), 'text/csv', url)).text.split('\r\n')[0]?.split(',') ?? []
      }
      expect(
        await header('transactionNumber,amounts(currencyCode,amount),period,amounts/debitCredit,companyId'),
      ).toEqual([
        'transactionNumber',
        'amounts.currencyCode',
        'amounts.amount',
        'amounts.debitCredit',
        'period',
        'companyId',
      ])
      const documented = await header()
      expect(await header('*')).toEqual(documented)
      const others = documented.filter((name) => name !== 'period')
      expect(await header('period,*')).toEqual(['period', ...others])
      const [first] = (await ask(world(), '', ledger({ limit: 1, select: 'period,companyId' }))).json
      expect(Object.keys(first)).toEqual(['companyId', 'period'])
    })

    it('answers the format of $format, which wins over Accept, and names the file', async () => {
      const file = (name: string) => `attachment; filename=${name}-2026-03-10`
      const asked = async (format: Record<string, string>, accept = 'application/json') => {
        const { status, headers, text } = await ask(
          world(),
          accept,
          objects('companies', { select: 'companyId', ...format }),
        )
        const [type] = String(headers['content-type']).split(';')
        return [status, type, text, headers['content-disposition']]
      }
      expect(await asked({ $format: 'csv' })).toEqual([
        200,
        'text/csv',
        'companyId\r\nEN\r\n',
        `${file('companies-EN')}.csv`,
      ])
      expect(await asked({ $format: 'NDJSON' })).toEqual([
        200,
        'application/x-ndjson',
        '{"companyId":"EN"}\n',
        `${file('companies-EN')}.ndjson`,
      ])
      expect(await asked({ format: 'excel' })).toEqual([
        200,
        'text/csv',
        '\ufeffcompanyId\r\nEN\r\n',
        `${file('companies-EN')}.csv`,
      ])
      const json = [200, 'application/json', '[{"companyId":"EN"}]', undefined]
      expect(await asked({ $format: 'json' }, 'text/csv')).toEqual(json)
      // Deployed clients send parameters of their own without a dollar sign.
      expect(await asked({ format: 'full' })).toEqual(json)
      expect(await asked({ $format: '' })).toEqual(json)
      const wrong = await ask(world(), '', objects('companies', { $format: 'xml' }))
      expect([wrong.status, wrong.json]).toEqual([
        400,
        {
          code: 1020,
          message: "The value 'xml' is not valid for $format; it must be json, ndjson, csv, excel or parquet.",
        },
      ])
      expect((await asked({ $format: 'csv', format: 'json' }))[0]).toBe(400)
    })

    it('answers CSV in the forms that a spreadsheet of the language reads', async () => {
      const url = (more: object) =>
        ledger({ select: 'transactionDate,amounts(amount)', filter: 'sequenceNumber eq 1', ...more })
      const excel = (language: string) =>
        world().send({ as: 'integration', url: url({ $format: 'excel' }), headers: { 'accept-language': language } })
      expect((await excel('de-DE, en;q=0.8')).text.split('\r\n')).toEqual([
        '\ufeffBelegdatum;Betr\u00e4ge / Betrag',
        '2026-01-15;-1000',
        '2026-02-01 12:30:00,500;250,75',
        '2026-01-15;0,1',
        '2019-12-31 23:59:59,999;12345678901234,56',
        '',
      ])
      expect((await excel('en-US')).text.split('\r\n').slice(0, 3)).toEqual([
        '\ufeffVoucher date,Amounts / Amount',
        '2026-01-15,-1000',
        '2026-02-01 12:30:00.500,250.75',
      ])
      const headOf = async (language: string) => (await excel(language)).text.split('\r\n')[0]
      expect(await headOf('en;q=0.1, de')).toBe('\ufeffBelegdatum;Betr\u00e4ge / Betrag')
      expect(await headOf('de;q=0, en')).toBe('\ufeffVoucher date,Amounts / Amount')
      // Programs name none.
      expect(await headOf('*')).toBe('\ufefftransactionDate,amounts.amount')
      for (const language of ['*', ';;,', 'x'.repeat(5_000), 'de-\u00e6'])
        expect((await excel(language)).status).toBe(200)
    })

    it('answers the formats on the collection of an attribute too, with a tag and a cache entry of their own', async () => {
      const answers = new Map<string, string>()
      for (const format of ['json', 'ndjson', 'csv', 'excel']) {
        const url = `/v1/attribute-values/C1?$select=attributeValue,attributeId&$format=${format}`
        const first = await ask(world(), '', url)
        for (let time = 0; time < 3; time++) {
          const again = await ask(world(), '', url)
          expect([again.text, again.headers.etag]).toEqual([first.text, first.headers.etag])
        }
        answers.set(String(first.headers.etag), first.text)
      }
      expect(answers.size).toBe(4)
      const [json = '', ndjson = '', csv = '', excel = ''] = answers.values()
      expect(`[${ndjson.trimEnd().split('\n').join(',')}]`).toBe(json)
      expect(csv.split('\r\n')[0]).toBe('attributeValue,attributeId')
      expect(excel.replace('\ufeff', '').replaceAll(';', ',')).toBe(csv)
      const byAccept = await ask(world(), 'text/csv', '/v1/attribute-values/C1?$select=attributeValue,attributeId')
      expect(byAccept.text).toBe(csv)
      expect((await ask(world(), 'application/schema+json', '/v1/attribute-values/C1?$limit=1')).json).toHaveLength(1)
    })

    it('answers JSON for what it does not know, for nothing and for * (decision 0, no 406)', async () => {
      const url = objects('companies', { select: 'companyId' })
      for (const accept of [
        'image/png',
        '*/*',
        '',
        'nonsense',
        'application/xml;q=1, image/*',
        'text/csv;q=0',
        ';;,,;q=x',
      ]) {
        const answer = await ask(world(), accept, url)
        expect({ accept, status: answer.status, text: answer.text }).toEqual({
          accept,
          status: 200,
          text: '[{"companyId":"EN"}]',
        })
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      }
      const without = await world().send({ as: 'integration', url })
      expect(without.text).toBe('[{"companyId":"EN"}]')
    })

    it('takes the best of several by weight, the first of equals, in any letter case and with parameters', async () => {
      const url = objects('companies', { select: 'companyId' })
      const kind = async (accept: string) =>
        String((await ask(world(), accept, url)).headers['content-type']).split(';')[0]
      expect(await kind('application/json;q=0.2, text/csv;q=0.9')).toBe('text/csv')
      expect(await kind('Application/X-NDJSON, application/json')).toBe('application/x-ndjson')
      expect(await kind('text/html, text/csv;charset=utf-8')).toBe('text/csv')
      expect(await kind('application/json, text/csv')).toBe('application/json')
      for (const any of ['*/*', 'application/*', '*']) {
        expect(await kind(`text/csv;q=0.5, ${any};q=0.9`)).toBe('application/json')
        expect(await kind(`${any}, text/csv`)).toBe('text/csv')
        expect(await kind(`text/csv, ${any};q=0.1`)).toBe('text/csv')
        expect(await kind(`application/json;q=0.1, text/csv;q=0.5, ${any}`)).toBe('text/csv')
      }
    })

    it('reads long headers as far as OData does', async () => {
      const url = objects('companies', { select: 'companyId' })
      const long = 'application/x-of-a-program-with-a-long-name;q=0.9, '.repeat(30)
      expect((await ask(world(), `${long}text/csv`, url)).headers['content-type']).toMatch(/^text\/csv/)
      const none = await ask(world(), `${long}application/json;odata.metadata=none`, '/odata/v4/EN/companies')
      expect(none.headers['content-type']).toContain('odata.metadata=none')
    })

    it('answers the schema of the very request, with every annotation (specification, model annotations)', async () => {
      const url = objects('customers', {
        select: 'customerId,countryCode[C;T],customerGroupId,lastUpdated,relatedValues(relatedValue,percentage)',
        filter: "customerId eq 'no record is read'",
      })
      const answer = await ask(world(), 'application/schema+json', url)
      expect(answer.headers['content-type']).toBe('application/schema+json; charset=utf-8')
      const relatedValues = answer.json.items.properties.relatedValues
      expect(answer.json).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'array',
        items: {
          type: 'object',
          'x-erp-key': { keys: 'companyId,customerId' },
          required: [
            'customerId',
            'countryCode',
            'countryCode(description)',
            'customerGroupId',
            'lastUpdated',
            'relatedValues',
          ],
          properties: {
            customerId: { type: 'string', 'x-erp-filterable': true },
            countryCode: {
              type: 'string',
              'x-erp-filterable': true,
              'x-erp-describable': { propertyName: 'countryCode(description)' },
              'x-erp-valueList': { valueList: 'COUNTRY' },
            },
            'countryCode(description)': { type: 'string' },
            customerGroupId: {
              'x-erp-describable': { propertyName: 'customerGroupId(description)' },
              'x-erp-attribute': { attributeId: 'A5' },
            },
            lastUpdated: {
              type: 'object',
              'x-erp-complextype': { isComplexType: true },
              properties: { updatedAt: { type: 'string', format: 'date-time' }, updatedBy: { type: 'string' } },
            },
          },
        },
      })
      expect(Object.keys(answer.json.items.properties)).toEqual(answer.json.items.required)
      expect(relatedValues).toMatchObject({ type: 'array', 'x-erp-relation': { attributeId: 'A4' } })
      expect(Object.keys(relatedValues.items.properties)).toEqual(['relatedValue', 'percentage'])
    })

    it('gives schemas whose members are those of the answer, in every document (decision 6, schema+json)', async () => {
      const urls = [
        objects('attribute-values', { select: '*,relatedValues,contactPoints', limit: 1 }),
        objects('attribute-relations', { limit: 1 }),
        objects('attributes', { limit: 1 }),
        objects('companies'),
        objects('customers', { select: '*,contactPoints,relatedValues,customFieldGroups', limit: 1 }),
        ledger({ select: '*,customer(*,contactPoints(phoneNumber))', limit: 1 }),
        objects('value-list', { limit: 1 }),
        objects('work-orders', { limit: 1, select: '*,status[C;T]' }),
      ]
      for (const url of urls) {
        const [schema, answer] = [await ask(world(), 'application/schema+json', url), await ask(world(), '', url)]
        expect(mismatches(schema.json, answer.json)).toEqual([])
      }
    })

    it('streams a large answer of every format completely, in order and compressed on request (decision 6)', async () => {
      await insertRows(
        world(),
        'own_readings',
        Array.from({ length: 6_000 }, (_, at) => ({
          company_id: 'EN',
          meter: `M${String(at).padStart(5, '0')}`,
          day: '2026-01-31T00:00:00.000Z',
          value: at / 4,
        })),
      )
      const url = '/v2/objects/readings'
      const json = await ask(world(), 'application/json', url)
      expect(json.json).toHaveLength(6_000)
      expect(json.json[5_999]).toMatchObject({ meter: 'M05999', value: 1499.75 })
      const ndjson = await ask(world(), 'application/x-ndjson', url)
      expect(`[${ndjson.text.trimEnd().split('\n').join(',')}]`).toBe(json.text)
      const csv = parseCsv((await ask(world(), 'text/csv', url)).text)
      expect(csv).toHaveLength(6_001)
      expect(csv.slice(1).map(([, meter]) => meter)).toEqual(json.json.map((row: { meter: string }) => row.meter))
      const packed = await injectInto(world().application.server, {
        url,
        headers: { authorization: `Bearer ${await world().token('integration')}`, 'accept-encoding': 'gzip' },
      })
      expect(packed.headers['content-encoding']).toBe('gzip')
      const unpacked = Readable.from([packed.rawPayload]).pipe((await import('node:zlib')).createGunzip())
      expect(Buffer.concat(await unpacked.toArray()).toString()).toBe(json.text)
    })
  },
  // No day ends while the tests run.
  (kind) => startObjects(kind, { clock: () => new Date('2026-03-10T12:00:00.000Z') }),
)

// biome-ignore lint/suspicious/noExplicitAny: a schema and an answer of any shape.
function mismatches(schema: any, value: any, path = ''): string[] {
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${path} is no array`]
    return value.flatMap((item) => mismatches(schema.items, item, `${path}[]`))
  }
  if (schema.type === 'object') {
    const [wanted, found] = [Object.keys(schema.properties).sort(), Object.keys(value).sort()]
    if (wanted.join() !== found.join()) return [`${path}: ${wanted} <> ${found}`]
    return found.flatMap((name) => mismatches(schema.properties[name], value[name], `${path}/${name}`))
  }
  const type = schema.type === 'integer' ? 'number' : schema.type
  return typeof value === type ? [] : [`${path}: ${JSON.stringify(value)} is no ${schema.type}`]
}
