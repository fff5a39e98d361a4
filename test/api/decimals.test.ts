// Amounts are exact decimals: decision 0 (scalars convert when nothing is lost).
import { expect, it } from 'vitest'
import { bodyOf, CUSTOMERS, create, onEachStoreWithCustomers, urlOf } from '../support/customers.ts'
import { insertRows } from '../support/object-records.ts'
import type { Answer } from '../support/world.ts'

const EXACT = [
  ...['-12345678901234.56', '99999999999999.9999', '-99999999999999.9999', '0.0001', '-0.0001', '90071992547409.9'],
  ...['12345678901234.5601', '9007199254740.9931', '12.5', '0', '1000000', '0.1', '99999999999999'],
]
const SENT_OTHERWISE = [
  ['12.50', '12.5'],
  ['"12345678901234.5600"', '12345678901234.56'],
  ['1234567890123456e-2', '12345678901234.56'],
  ['-0.0', '0'],
] as const
const REFUSED = ['0.00001', '100000000000000', '-12345678901234.56789', '1e14', '1e-400', '123456789012345678901']

onEachStoreWithCustomers('Amounts', (world) => {
  const send = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: string, headers = {}): Promise<Answer> =>
    world().send({ as: 'integration', method, url, headers, ...(body === undefined ? {} : { body }) })
  const bodyWith = (customerId: string, limit: string) =>
    JSON.stringify(bodyOf(customerId, { invoice: { creditLimit: 4711 } })).replace('4711', limit)
  const patch = (customerId: string, limit: string, headers = {}) =>
    send('PATCH', urlOf(customerId), `[{"op":"replace","path":"/invoice/creditLimit","value":${limit}}]`, headers)
  const limitIn = ({ text }: Answer) => /"creditLimit":([^,}]*)/.exec(text)?.[1]
  const rows = (filter: string, more = '', headers = {}) =>
    send('GET', `/v1/objects/customers?filter=${encodeURIComponent(filter)}${more}`, undefined, headers)

  it.each([...EXACT.map((text) => [text, text] as const), ...SENT_OTHERWISE])(
    'keep %s as it was sent, in every answer',
    async (sent, kept) => {
      const id = `E${[...EXACT, ...SENT_OTHERWISE.map(([text]) => text)].indexOf(sent)}`
      const created = await send('POST', CUSTOMERS, bodyWith(id, sent))
      expect([created.status, limitIn(created)]).toEqual([201, kept])
      expect(limitIn(await send('GET', urlOf(id)))).toBe(kept)
      expect(limitIn(await rows(`customerId eq '${id}'`))).toBe(kept)
      const csv = await rows(`customerId eq '${id}'`, '&select=invoice(creditLimit)', { accept: 'text/csv' })
      expect(csv.text).toBe(`invoice.creditLimit\r\n${kept}\r\n`)
      for (const equal of [kept, `${kept}${kept.includes('.') ? '' : '.0'}000000`, `'${kept}'`]) {
        expect(limitIn(await rows(`customerId eq '${id}' and invoice/creditLimit eq ${equal}`))).toBe(kept)
      }
    },
  )

  it.each(REFUSED)('of %s are refused with code 4030, the field and the digits', async (sent) => {
    const words = 'number of at most 14 digits before and 4 behind the point'
    const posted = await send('POST', CUSTOMERS, bodyWith('REFUSED', sent))
    const shown = sent === '1e14' ? '100000000000000' : sent
    const message = `The field invoice.creditLimit must be a ${words}, which ${shown} is not.`
    expect([posted.status, posted.json]).toEqual([400, { code: 4030, message }])
    expect((await send('GET', urlOf('REFUSED'))).status).toBe(404)
    const patched = await patch('E0', sent)
    expect([patched.status, patched.json.code]).toEqual([400, 4030])
    expect(patched.json.message).toContain(`'${shown}' of path '/invoice/creditLimit' cannot be converted to ${words}`)
  })

  it('stay exact through changes, validation, retries and the change log', async () => {
    const [first, second] = ['12345678901234.5601', '-99999999999999.9999']
    await create(world(), 'CHANGES')
    const key = { 'idempotency-key': 'decimals' }
    const [changed, repeated] = [await patch('CHANGES', first, key), await patch('CHANGES', first, key)]
    expect([changed.status, limitIn(changed), repeated.text]).toEqual([200, first, changed.text])
    const validated = await send(
      'PATCH',
      `${urlOf('CHANGES')}?validateOnly=true`,
      `[{"op":"replace","path":"/invoice/creditLimit","value":${second}}]`,
    )
    expect([validated.status, limitIn(validated)]).toEqual([200, second])
    // An unchanged value is not written.
    const same = await patch('CHANGES', `${first}00`)
    expect([same.status, same.headers.etag, limitIn(same)]).toEqual([200, changed.headers.etag, first])
    const sixteen = await patch('CHANGES', '12345678901234.56')
    expect((await patch('CHANGES', '12345678901234.560')).headers.etag).toBe(sixteen.headers.etag)
    expect(limitIn(await patch('CHANGES', first))).toBe(first)
    // Changes of other fields do not affect it.
    const other = await send('PATCH', urlOf('CHANGES'), '[{"op":"replace","path":"/aliasName","value":"x"}]')
    expect([other.status, limitIn(other)]).toEqual([200, first])
    // An adjacent amount with the same double is another amount.
    const near = await patch('CHANGES', '12345678901234.5602')
    expect([near.headers.etag === other.headers.etag, limitIn(near)]).toEqual([false, '12345678901234.5602'])
    expect(limitIn(await patch('CHANGES', second))).toBe(second)
    const log = await world().query(`select * from audit_entry where record_key = '["CHANGES"]' order by entry_no`)
    const logged = log.map(({ after }) => /"creditLimit":([^,}]*)/.exec(String(after))?.[1])
    expect(logged).toEqual(['0', first, '12345678901234.56', first, first, '12345678901234.5602', second])
  })

  it('are echoed with all their digits where something else of the record is refused', async () => {
    const body = bodyWith('ECHO', '12345678901234.5601').replace('"countryCode":"NO"', '"countryCode":"XX"')
    const { status, text } = await send('POST', CUSTOMERS, body)
    expect([status, /"creditLimit":([^,}]*)/.exec(text)?.[1]]).toEqual([422, '12345678901234.5601'])
  })

  it('are compared digit by digit, whatever a literal has of them', async () => {
    const limits = ['-0.0001', '0', '0.0001', '12345678901234.5600', '12345678901234.5601', '12345678901234.5602']
    for (const [at, limit] of limits.entries()) {
      expect((await send('POST', CUSTOMERS, bodyWith(`F${at}`, limit))).status).toBe(201)
    }
    const found = async (filter: string) => {
      const { json } = await rows(
        `startswith(customerId,'F') and ${filter}`,
        '&select=customerId&orderby=invoice/creditLimit',
      )
      return (json as { customerId: string }[]).map(({ customerId }) => customerId).join()
    }
    for (const [filter, ids] of [
      ['invoice/creditLimit eq 12345678901234.5601', 'F4'],
      ['invoice/creditLimit eq 12345678901234.56010000000001', ''],
      ['invoice/creditLimit ne 12345678901234.56010000000001', 'F0,F1,F2,F3,F4,F5'],
      ['invoice/creditLimit gt 12345678901234.56005', 'F4,F5'],
      ['invoice/creditLimit ge 12345678901234.56010000000001', 'F5'],
      ['invoice/creditLimit lt 12345678901234.56009', 'F0,F1,F2,F3'],
      ['invoice/creditLimit le 12345678901234.5601', 'F0,F1,F2,F3,F4'],
      ['12345678901234.56005 lt invoice/creditLimit', 'F4,F5'],
      ['invoice/creditLimit gt 1e-300', 'F2,F3,F4,F5'],
      ['invoice/creditLimit lt -1e-300', 'F0'],
      ['invoice/creditLimit ge 1e300', ''],
      ['invoice/creditLimit gt -1e300', 'F0,F1,F2,F3,F4,F5'],
      ['invoice/creditLimit in (0.00011,12345678901234.5602,0.0001)', 'F2,F5'],
      ['invoice/creditLimit in (0.00011)', ''],
      ['not (invoice/creditLimit in (0.00011,0))', 'F0,F2,F3,F4,F5'],
      ['invoice/creditLimit eq null', 'F1'],
      ['invoice/creditLimit lt length(customerName)', 'F0,F1,F2'],
    ] as const) {
      expect([filter, await found(filter)]).toEqual([filter, ids])
    }
  })

  it('add up to the last digit', async () => {
    const line = (no: number, amount: string) => ({
      company_id: 'EN',
      transaction_number: 900_000 + no,
      sequence_number: 1,
      state: 'posted',
      amount,
      currency_amount: amount,
    })
    const amounts = ['0.1', '0.2', '-0.3', '12345678901234.5601', '-12345678901234.5601']
    await insertRows(
      world(),
      'ledger_transaction',
      amounts.map((amount, no) => line(no, amount)),
    )
    const [sum] = await world().query(
      'select sum(amount) as total from ledger_transaction where transaction_number >= 900000',
    )
    expect(Number(sum?.total)).toBe(0)
  })

  it('are numbers with a format and bounds in the description', async () => {
    const { json } = await send(
      'GET',
      '/v1/objects/general-ledger-transactions?posted=true&select=amounts(amount)',
      undefined,
      {
        accept: 'application/schema+json',
      },
    )
    expect(json.items.properties.amounts.properties.amount).toMatchObject({
      type: 'number',
      format: 'decimal',
      minimum: -1e14,
      maximum: 1e14,
      description: expect.stringMatching(/at most 4 digits behind the point/),
    })
  })
})
