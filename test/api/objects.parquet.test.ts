// Parquet: types, names, values, groups of rows and metadata of the files, as DuckDB names and prints them. Decision: Parquet.
import { expect, it } from 'vitest'
import { insertRows, ledger, objects, startObjects } from '../support/object-records.ts'
import { readParquet } from '../support/parquet-file.ts'
import { onEachStore, type World } from '../support/world.ts'

const TYPE = 'application/vnd.apache.parquet'

const ask = (world: World, url: string, accept = TYPE) => world.send({ as: 'integration', url, headers: { accept } })

async function read(world: World, url: string) {
  const answer = await ask(world, url)
  expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({ status: 200, text: '' })
  return readParquet(answer.bytes)
}

onEachStore(
  'Parquet of the object endpoints',
  (world) => {
    it('answers decimals, integers, booleans, timestamps and texts with their types, and never null', async () => {
      const url = ledger({
        select:
          'transactionNumber,transactionDate,description,accountingInformation/account,amounts(amount,debitCredit)',
        orderby: 'transactionNumber,sequenceNumber',
      })
      const { types, rows } = await read(world(), url)
      expect(types).toEqual({
        transactionNumber: 'BIGINT',
        transactionDate: 'TIMESTAMP',
        description: 'VARCHAR',
        accountingInformation_account: 'VARCHAR',
        amounts_amount: 'DECIMAL(18,4)',
        amounts_debitCredit: 'BIGINT',
      })
      expect(rows.map((row) => [row.transactionDate, row.amounts_amount])).toEqual([
        ['2026-01-15 00:00:00', '-1000.0000'],
        ['2026-01-15 00:00:00', '1000.0000'],
        ['2026-02-01 12:30:00.5', '250.7500'],
        ['2026-01-15 00:00:00', '0.1000'],
        ['2019-12-31 23:59:59.999', '12345678901234.5600'],
      ])
      expect(rows[2]).toMatchObject({ description: 'Payment; "urgent", 50%', accountingInformation_account: '1900' })
      expect(rows[4]?.description).toBe('Old\nline')
    })

    it('answers the same values as JSON, column by column', async () => {
      const select = 'customerId,customerName,invoice(creditLimit,hasFixedCurrency),payment/expiryDate'
      const { json } = await ask(world(), objects('customers', { select }), 'application/json')
      const { types, rows } = await read(world(), objects('customers', { select }))
      expect(types.invoice_hasFixedCurrency).toBe('BOOLEAN')
      const expected = json.map((one: { invoice: Record<string, unknown>; payment: { expiryDate: string } }) => ({
        ...one,
        invoice: undefined,
        payment: undefined,
        invoice_creditLimit: Number(one.invoice.creditLimit).toFixed(4),
        invoice_hasFixedCurrency: one.invoice.hasFixedCurrency,
        payment_expiryDate: one.payment.expiryDate.replace('T', ' ').replace('.000Z', ''),
      }))
      expect(rows).toHaveLength(4)
      expect(rows).toEqual(
        expected.map(({ invoice: _i, payment: _p, ...rest }: object & Record<string, unknown>) => rest),
      )
    })

    it('names descriptions of codes code_text, and answers lists as JSON and associations as columns', async () => {
      const customers = await read(
        world(),
        objects('customers', {
          select: 'customerId,countryCode[C;T],contactPoints(sortOrder,address/streetAddress)',
          filter: "customerId in ('1001','1003')",
        }),
      )
      expect(customers.types.contactPoints).toBe('JSON')
      const points = [
        { address: { streetAddress: 'Road 1, "Oslo"' }, sortOrder: 1 },
        { address: { streetAddress: 'Road 1, "Bergen"' }, sortOrder: 2 },
      ]
      expect(customers.rows).toEqual([
        { customerId: '1001', countryCode: 'NO', countryCode_text: 'Norway', contactPoints: JSON.stringify(points) },
        { customerId: '1003', countryCode: 'GB', countryCode_text: '', contactPoints: '[]' },
      ])
      const lines = await read(
        world(),
        ledger({ select: 'customer(customerName,payment/expiryDate)', filter: 'transactionNumber eq 4' }),
      )
      expect(lines.rows).toEqual([
        { customer_customerName: 'Åse & Søn', customer_payment_expiryDate: '2099-12-31 00:00:00' },
      ])
    })

    it('answers sums exactly, and averages with six further decimals', async () => {
      const { types, rows } = await read(
        world(),
        ledger({
          groupby: 'state',
          aggregate:
            'sum(amounts/amount) as total,average(amounts/amount) as mean,count() as lines,max(period) as last',
          orderby: 'state',
        }),
      )
      expect(types).toEqual({
        state: 'VARCHAR',
        total: 'DECIMAL(38,4)',
        mean: 'DECIMAL(38,10)',
        lines: 'BIGINT',
        last: 'BIGINT',
      })
      expect(rows).toEqual([
        {
          state: 'historical',
          total: '12345678901234.5600',
          mean: '12345678901234.5600000000',
          lines: '1',
          last: '201912',
        },
        { state: 'posted', total: '250.7500', mean: '83.5833333333', lines: '3', last: '202602' },
        { state: 'registered', total: '0.1000', mean: '0.1000000000', lines: '1', last: '202601' },
      ])
    })

    it('answers a file without rows where there are none', async () => {
      const { types, rows, groups } = await read(world(), ledger({ select: 'period', filter: 'period eq 1' }))
      expect(types).toEqual({ period: 'BIGINT' })
      expect({ rows, groups }).toEqual({ rows: [], groups: [] })
    })

    it('says in its metadata which company, document, query and change it is of', async () => {
      const url = objects('customers', { select: 'customerId', filter: "customerId eq '1001'", companyId: 'EN' })
      const answer = await ask(world(), url)
      expect(answer.headers).toMatchObject({
        'content-type': TYPE,
        'content-disposition': expect.stringMatching(/^attachment; filename=customers-EN-\d{4}-\d\d-\d\d\.parquet$/),
        'accept-ranges': 'bytes',
        'x-erp-change-number': expect.stringMatching(/^\d+$/),
      })
      expect((await readParquet(answer.bytes)).about).toEqual({
        'tabularium.company': 'EN',
        'tabularium.document': 'customers',
        'tabularium.query': "select=customerId&filter=customerId eq '1001'",
        'tabularium.changeNumber': answer.headers['x-erp-change-number'],
      })
    })

    it('chooses the format by $format before Accept', async () => {
      const url = objects('customers', { $format: 'parquet', select: 'customerId' })
      const answer = await ask(world(), url, 'application/json')
      expect(answer.headers['content-type']).toBe(TYPE)
      expect((await readParquet(answer.bytes)).rows).toHaveLength(4)
    })

    it('answers attribute values in Parquet too', async () => {
      const url = '/v1/attribute-values/C1?select=attributeValue,description,periodFrom&$format=parquet'
      const json = await ask(world(), url.replace('parquet', 'json'), 'application/json')
      const { rows } = await read(world(), url)
      expect(rows.map(({ attributeValue }) => attributeValue)).toEqual(
        json.json.map(({ attributeValue }: { attributeValue: string }) => attributeValue),
      )
    })

    it('writes a first group of 1,000 rows and further ones, with texts of any kind', async () => {
      const texts = ['', 'a,b]}"', '\\', 'line\nfeed', '\u0001', 'Ærøskøbing 😀', '{"x":[1]}', 'null', '12.50']
      const rows = Array.from({ length: 2_500 }, (_, no) => ({
        company_id: 'EN',
        customer_id: `P${String(no).padStart(5, '0')}`,
        customer_name: `${texts[no % texts.length]}${no % 7 === 0 ? no : ''}`,
        updated_at: '2026-01-02T03:04:05.678Z',
        updated_by: 'tester',
      }))
      await insertRows(world(), 'customer', rows)
      const url = objects('customers', { select: 'customerId,customerName', filter: "startswith(customerId,'P')" })
      const { rows: found, groups } = await read(world(), url)
      expect(groups).toEqual([1_000, 1_500])
      expect(found).toEqual(rows.map((row) => ({ customerId: row.customer_id, customerName: row.customer_name })))
    })
  },
  startObjects,
)
