// What the ERP of the tests does, so that nobody trusts one that lies.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { canonical, hashOf } from './canonical.ts'
import { SimulatedClock } from './clock.ts'
import { Erp, type ErpOptions } from './erp.ts'
import type { Row } from './kind.ts'
import { ErpServer } from './server.ts'

const BASIC = { authorization: `Basic ${Buffer.from('mirror:mirror-secret').toString('base64')}` }
const STATES = 'registered=true&posted=true&historical=true'
const LEDGER = `/v1/objects/general-ledger-transactions?companyId=EN&${STATES}`

function made(options: Partial<ErpOptions> = {}): Erp {
  return new Erp({ clock: new SimulatedClock(), ...options })
}

const ask = (erp: Erp, path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  erp.fetch(`http://erp${path}`, { ...init, headers: { ...BASIC, ...init.headers } })

async function rows(erp: Erp, path: string): Promise<Row[]> {
  const answer = await ask(erp, path)
  const body = (await answer.json()) as Row[]
  if (answer.status !== 200) throw new Error(JSON.stringify(body))
  return body
}

async function refusal(erp: Erp, path: string, init?: RequestInit): Promise<[status: number, code: unknown]> {
  const answer = await ask(erp, path, init as object)
  return [answer.status, ((await answer.json()) as Row).code]
}

const patch = (erp: Erp, path: string, operations: object[]) =>
  ask(erp, path, { method: 'PATCH', body: JSON.stringify(operations) })

function inOrder(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(inOrder)
  if (value === null || typeof value !== 'object') return true
  const names = Object.keys(value)
  return names.join() === names.toSorted().join() && Object.values(value).every(inOrder)
}

describe('rows', () => {
  it('are the same for the same seed, others for another', () => {
    expect(made({ seed: 5 }).hash('customers')).toBe(made({ seed: 5 }).hash('customers'))
    expect(made({ seed: 5 }).hash('customers')).not.toBe(made({ seed: 6 }).hash('customers'))
  })

  it('come in the order of their keys, with each key once, members in the order of the alphabet', async () => {
    const erp = made({ sizes: { others: 300 } })
    for (const { name, key, versions, ordering } of erp.kinds.values()) {
      const found = await rows(erp, `/v${versions.at(-1)}/objects/${name}?companyId=EN&${STATES}`)
      expect([name, found.length]).toEqual([name, erp.count(name)])
      expect(inOrder(found)).toBe(true)
      const keys = found.map((row) => key.map((part) => row[part]))
      expect(new Set(keys.map((of) => JSON.stringify(of))).size).toBe(found.length)
      const byKey = (a: unknown[], b: unknown[]) => {
        const at = a.findIndex((part, index) => part !== b[index])
        if (at < 0) return 0
        const [one, other] = [a[at], b[at]].map((part) => (Number.isNaN(Number(part)) ? part : Number(part)))
        return (one as string) < (other as string) ? -1 : 1
      }
      const ordered = keys.toSorted(byKey)
      expect([name, keys]).toEqual([name, ordering === 'yes' ? ordered : ordered.reverse()])
    }
  })

  it('balance by voucher', async () => {
    const vouchers = Map.groupBy(await rows(made(), LEDGER), (row) => row.transactionNumber)
    for (const lines of vouchers.values()) {
      expect(lines.reduce((sum, { amounts }) => sum + Math.round(Number((amounts as Row).amount) * 100), 0)).toBe(0)
    }
  })

  it('write times with and without Z, and numbers as texts', async () => {
    const erp = made()
    const [line] = await rows(erp, LEDGER)
    expect(line!.transactionDate).toMatch(/^2025-\d\d-\d\dT00:00:00\.000Z$/)
    const [value] = await rows(erp, '/v1/objects/attribute-values')
    expect(value).toMatchObject({ periodFrom: '0', periodTo: '209912' })
    expect((value!.lastUpdated as Row).updatedAt).toMatch(/^2025-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    const [order] = await rows(erp, '/v2/objects/purchase-orders')
    expect((order!.amounts as Row).amount).toMatch(/^\d+\.\d\d$/)
    expect(order!.amounts).toHaveProperty('currencyCode')
    expect((await rows(erp, '/v1/objects/purchase-orders'))[0]!.amounts).not.toHaveProperty('currencyCode')
  })

  it('leave out lists and states where the ERP has them so', async () => {
    const erp = made({ hasLists: false, tellsState: false })
    const [customer] = await rows(erp, '/v1/objects/customers?limit=1')
    expect(customer).not.toHaveProperty('contactPoints')
    expect(
      (await rows(erp, '/v1/objects/customers?select=contactPoints(address(place)),relatedValues'))[0],
    ).toMatchObject({
      contactPoints: [{ address: { place: 'Bergen' } }],
      relatedValues: [{ relationId: 'LEGALID' }],
    })
    expect((await rows(erp, LEDGER))[0]).not.toHaveProperty('state')
    const states = ['registered', 'posted', 'historical'].map((state) =>
      rows(erp, `/v1/objects/general-ledger-transactions?companyId=EN&${state}=true`),
    )
    const found = await Promise.all(states)
    expect(found.every((lines) => lines.length > 0)).toBe(true)
    expect(found.flat()).toHaveLength(erp.count('general-ledger-transactions'))
  })

  it('differ between object endpoints and single records', async () => {
    const erp = made()
    const [customer] = await rows(erp, '/v1/objects/customers?limit=1')
    const single = (await (await ask(erp, `/v1/customers/${customer!.customerId}`)).json()) as Row
    const [point, singlePoint] = [customer, single].map((row) => (row!.contactPoints as Row[])[0]!)
    expect(Object.keys(point!)).toEqual(expect.arrayContaining(['phoneNumber', 'sequenceNumber']))
    expect(Object.keys(singlePoint!)).toEqual(expect.arrayContaining(['phoneNumbers', 'sortOrder']))
    expect((customer!.relatedValues as Row[])[0]!.relatedValue).toEqual({ attributeId: 'LI', dimValue: 'NO1' })
    expect((single.relatedValues as Row[])[0]!.relatedValue).toBe('NO1')
    expect((single.payment as Row).status).toMatch(/^(Active|Parked|Closed)$/)
    const kind = erp.kind('customers')
    expect({ ...canonical(kind, single), payment: 0 }).toEqual({ ...canonical(kind, customer!), payment: 0 })
  })

  it.each(['attribute-relations', 'attributes', 'companies', 'currency-rates', 'stock-levels', 'value-list'])(
    'do not tell when they were changed: %s',
    async (name) => {
      const [row] = await rows(made(), `/v1/objects/${name}`)
      expect(row).toBeDefined()
      expect(row).not.toHaveProperty('lastUpdated')
    },
  )
})

describe('questions', () => {
  it('filter as the specification says', async () => {
    const erp = made()
    const all = (await rows(erp, '/v1/objects/customers')) as {
      customerId: string
      countryCode: string
      payment: Row
    }[]
    const found = async (filter: string) =>
      (await rows(erp, `/v1/objects/customers?$filter=${encodeURIComponent(filter)}`)).map((row) => row.customerId)
    const ids = (holds: (row: (typeof all)[0]) => boolean) => all.filter(holds).map((row) => row.customerId)
    expect(await found("customerId eq '100007'")).toEqual(['100007'])
    expect(await found('customerId eq 100007')).toEqual(['100007'])
    expect(await found("customerId ge '100097'")).toEqual(['100097', '100098', '100099'])
    expect(await found("customerId gt '100097' and not (customerId eq '100098')")).toEqual(['100099'])
    expect(await found("customerId in ('100001', '100003') or customerId lt '100001'")).toEqual([
      '100000',
      '100001',
      '100003',
    ])
    expect(await found("CountryCode ne 'NO' and Payment/Status eq 'C'")).toEqual(
      ids((row) => row.countryCode !== 'NO' && row.payment.status === 'C'),
    )
    expect(await found("customerName eq 'O''Brien'")).toEqual([])
    expect((await found("customerName ge 'O''Brien' and customerName lt 'P'")).length).toBeGreaterThan(0)
    expect(await found('lastUpdated/updatedAt ge 2026-01-01')).toEqual([])
    erp.change('customers', { customerId: '100050' }, {})
    expect(await found("lastUpdated/updatedAt ge '2026-06-01T00:00:00'")).toEqual(['100050'])
    expect(await found('lastUpdated/updatedAt ge 2026-06-01T00:00:00Z')).toEqual(['100050'])
    expect(await found('lastUpdated/updatedAt gt 2026-06-01T00:00:00.000Z')).toEqual([])
    expect(await found('invoice/creditLimit le 1e3')).toEqual(
      ids((row) => Number((row as unknown as { invoice: Row }).invoice.creditLimit) <= 1000),
    )
  })

  it.each([
    'customerId eq',
    'nothing eq 1',
    '(customerId eq 1',
    "customerId like 'x'",
    'lastUpdated/updatedAt ge x',
    "'",
  ])('refuse what they do not understand: %s', async (filter) => {
    expect(await refusal(made(), `/v1/objects/customers?filter=${encodeURIComponent(filter)}`)).toEqual([400, 1020])
  })

  it('order, select, skip and limit', async () => {
    const erp = made()
    const names = (await rows(
      erp,
      '/v1/objects/customers?orderBy=customerName desc,customerId&select=customerName',
    )) as {
      customerName: string
    }[]
    expect(names.map((row) => row.customerName)).toEqual(
      names
        .map((row) => row.customerName)
        .toSorted()
        .toReversed(),
    )
    expect(await rows(erp, '/v1/objects/customers?select=payment(status),customerId&skip=3&top=1')).toEqual([
      { customerId: '100003', payment: { status: expect.any(String) } },
    ])
    expect(await refusal(erp, '/v1/objects/customers?limit=0')).toEqual([400, 1020])
    expect(await refusal(erp, '/v1/objects/customers?offset=-1')).toEqual([400, 1020])
    expect(await refusal(erp, '/v1/objects/customers?limit=9999999999')).toEqual([400, 1010])
    expect(await refusal(erp, '/v1/objects/general-ledger-transactions?companyId=EN')).toEqual([400, 1020])
  })

  it('answer 50,000 rows at most, by key without a search', async () => {
    const erp = made({ sizes: { ledger: 10_000_000 }, quotas: false })
    const seek = '(transactionNumber eq 27000000 and sequenceNumber gt 3) or transactionNumber gt 27000000'
    const page = await rows(erp, `${LEDGER}&select=transactionNumber,sequenceNumber&filter=${seek}&limit=60000`)
    expect(page).toHaveLength(50_000)
    expect(page[0]).toEqual({ sequenceNumber: 4, transactionNumber: 27_000_000 })
    expect(await rows(erp, `${LEDGER}&filter=transactionNumber eq 27000000 and sequenceNumber eq 5`)).toEqual([])
  })

  it('go through a document by its composite key, whatever is written between pages', async () => {
    const erp = made({ sizes: { values: 1000 } })
    const keyOf = (row: Row) => `${row.attributeId}/${row.attributeValue}/${row.periodFrom}`
    const seen: string[] = []
    let last: Row | undefined
    for (;;) {
      const after = last
        ? `attributeId gt '${last.attributeId}' or (attributeId eq '${last.attributeId}' and (attributeValue gt '${last.attributeValue}' or (attributeValue eq '${last.attributeValue}' and periodFrom gt ${last.periodFrom})))`
        : "attributeId ge ''"
      const page = await rows(
        erp,
        `/v1/objects/attribute-values?limit=70&orderBy=attributeId,attributeValue,periodFrom&filter=${after}`,
      )
      seen.push(...page.map(keyOf))
      if (page.length < 70) break
      last = page.at(-1)!
      erp.write('attribute-values', { attributeId: 'A5', attributeValue: `NEW${seen.length}`, periodFrom: 0 })
    }
    const keys = [...erp.rows('attribute-values')].map(keyOf)
    expect(seen).toEqual(keys.filter((key) => !key.includes('NEW')))
    expect(keys.length).toBeGreaterThan(seen.length + 10)
  })

  it('shift by offset while rows are written', async () => {
    const erp = made()
    const first = await rows(erp, '/v1/objects/customers?limit=10')
    erp.write('customers', { customerId: '099999', customerName: 'Before all' })
    const second = await rows(erp, '/v1/objects/customers?limit=10&offset=10')
    expect(second[0]).toEqual(first[9])
    erp.remove('customers', { customerId: '099999' })
    erp.remove('customers', { customerId: '100000' })
    const third = await rows(erp, '/v1/objects/customers?limit=10&offset=20')
    expect(third[0]!.customerId).toBe('100021')
  })

  it('compare texts without regard to case where the collation does', async () => {
    const erp = made({ collation: 'no-case' })
    erp.write('customers', { customerId: 'a', customerName: 'a' })
    erp.write('customers', { customerId: 'B', customerName: 'b' })
    const ids = (await rows(erp, "/v1/objects/customers?filter=customerId gt '99999999'")).map((row) => row.customerId)
    expect(ids).toEqual(['a', 'B'])
    erp.write('customers', { customerId: 'A', customerName: 'c' })
    expect(await rows(erp, "/v1/objects/customers?filter=customerId eq 'a'&select=customerId,customerName")).toEqual([
      { customerId: 'A', customerName: 'c' },
    ])
  })

  it('are refused or not heard where a document does not filter or order', async () => {
    const erp = made()
    expect(await refusal(erp, "/v1/objects/time-sheets?filter=employeeId eq '1'")).toEqual([400, 1020])
    expect(await refusal(erp, '/v1/objects/time-sheets?orderby=employeeId')).toEqual([400, 1020])
    const other = made({ habits: { customers: { filtering: 'unprocessable' } } })
    expect(await refusal(other, "/v1/objects/customers?filter=customerId eq '1'")).toEqual([422, 1020])
    const plain = await rows(erp, '/v1/objects/stock-levels')
    expect(await rows(erp, "/v1/objects/stock-levels?filter=warehouseId eq 'X'&orderby=articleId")).toEqual(plain)
  })
})

describe('descriptions', () => {
  it.each([
    ['x-erp-', false],
    ['x-acme-', true],
  ])('tell of properties with the prefix %s', async (schemaPrefix, hasArraySchema) => {
    const erp = made({ schemaPrefix, hasArraySchema })
    const answer = await ask(erp, '/v1/objects/customers', { headers: { accept: 'application/schema+json' } })
    expect(answer.headers.get('content-type')).toBe('application/schema+json')
    const whole = (await answer.json()) as { items: object }
    const schema = (hasArraySchema ? whole.items : whole) as Record<string, Record<string, object>>
    expect(schema[`${schemaPrefix}key`]).toEqual({ keys: 'companyId,customerId' })
    expect(schema.properties!.customerGroupId).toEqual({
      type: 'string',
      maxLength: 25,
      [`${schemaPrefix}filterable`]: true,
      [`${schemaPrefix}describable`]: { propertyName: 'customerGroupId(description)' },
      [`${schemaPrefix}attribute`]: { attributeId: 'A5' },
      [`${schemaPrefix}mandatory`]: true,
    })
  })

  it('list documents, but not all', async () => {
    const erp = made()
    const names = (await rows(erp, '/v1/objects')).map(({ name, version }) => `${name}@${version}`)
    expect(names).toEqual(expect.arrayContaining(['customers@1', 'purchase-orders@1', 'purchase-orders@2']))
    expect(names).not.toContain('stock-levels@1')
    expect(await (await ask(erp, '/openapi.json')).json()).toHaveProperty(['paths', '/v2/objects/purchase-orders'])
    expect(await refusal(made({ isDescribed: false }), '/v1/objects')).toEqual([404, 1030])
    expect(await refusal(erp, '/v3/objects/purchase-orders')).toEqual([404, 1030])
    const sample = await ask(erp, '/v1/objects/stock-levels', { headers: { accept: 'application/schema+json' } })
    expect(await sample.json()).toBeInstanceOf(Array)
  })

  it('count by HEAD where they do, in two spellings', async () => {
    const server = new ErpServer(made())
    const address = await server.start()
    const head = (name: string) =>
      new Promise<[number, string[]]>((resolve, reject) => {
        const options = { method: 'HEAD', headers: BASIC }
        request(`${address}/v1/objects/${name}`, options, (answer) => {
          resolve([
            answer.statusCode!,
            answer.rawHeaders.filter((_, at, all) => /total-count/i.test(`${all[at]} ${all[at - 1]}`)),
          ])
          answer.resume()
        })
          .on('error', reject)
          .end()
      })
    expect(await head("customers?filter=customerId%20lt%20'100010'")).toEqual([200, ['X-ERP-Total-Count', '10']])
    expect((await head('attribute-values'))[1][0]).toBe('x-erp-total-count')
    expect((await head('general-ledger-transactions'))[0]).toBe(405)
    await server.stop()
  })
})

describe('callers', () => {
  it('come with a token for a while, or by Basic', async () => {
    const clock = new SimulatedClock()
    const erp = made({ clock, tokenSeconds: 60 })
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'mirror',
      client_secret: 'mirror-secret',
    })
    const got = (await (await erp.fetch('http://erp/oauth/token', { method: 'POST', body })).json()) as Row
    expect(got).toMatchObject({ token_type: 'Bearer', expires_in: 60 })
    const withToken = () =>
      erp.fetch('http://erp/v1/objects/companies', { headers: { authorization: `bearer ${got.access_token}` } })
    expect((await withToken()).status).toBe(200)
    clock.advance(60_000)
    const late = await withToken()
    expect([late.status, await late.json()]).toEqual([401, { statusCode: 401, message: 'Invalid JWT.' }])
    expect((await ask(erp, '/v1/objects/companies')).status).toBe(200)
    expect((await ask(made({ hasBasic: false }), '/v1/objects/companies')).status).toBe(401)
    erp.clients[0]!.isRevoked = true
    expect((await ask(erp, '/v1/objects/companies')).status).toBe(401)
    expect((await erp.fetch('http://erp/oauth/token', { method: 'POST', body })).status).toBe(401)
  })

  it('see nothing of what they may not see', async () => {
    const erp = made()
    erp.hide('customers')
    expect(await rows(erp, '/v1/objects/customers')).toEqual([])
    expect(await rows(erp, "/v1/objects/customers?filter=customerId eq '100001'")).toEqual([])
    expect(await refusal(erp, '/v1/customers/100001')).toEqual([403, 2030])
    expect(await refusal(erp, '/v1/objects/customers?companyId=SE')).toEqual([403, 2030])
    expect(await refusal(erp, '/v1/objects/customers?companyId=NONE')).toEqual([403, 2030])
    erp.hide('customers', false)
    expect(await rows(erp, '/v1/objects/customers?companyid=en')).toHaveLength(100)
  })
})

describe('quotas', () => {
  it('count requests in a sliding minute and tell what is left', async () => {
    const clock = new SimulatedClock()
    const erp = made({ clock, quotas: { requests: 3, requestsMs: 60_000, bytes: 1e9, bytesMs: 300_000 } })
    const path = '/v1/objects/companies'
    expect((await ask(erp, path)).headers.get('x-ratelimit-remaining')).toBe('2')
    clock.advance(20_000)
    erp.otherTraffic(1)
    await ask(erp, path)
    const refused = await ask(erp, path)
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '40',
      { code: 1020, message: expect.any(String) },
    ])
    clock.advance(39_999)
    expect((await ask(erp, path)).status).toBe(429)
    clock.advance(1)
    expect((await ask(erp, path)).status).toBe(200)
    expect(erp.traffic.requests.peak).toBe(3)
    expect(erp.traffic.total).toMatchObject({ requests: 3, refused: 2 })
  })

  it('count bytes in five minutes, and name the date to come again', async () => {
    const clock = new SimulatedClock()
    const erp = made({
      clock,
      retryAfter: 'date',
      quotas: { requests: 500, requestsMs: 60_000, bytes: 10_000, bytesMs: 300_000 },
    })
    const text = await (await ask(erp, '/v1/objects/customers')).text()
    expect(erp.traffic.bytes.peak).toBe(Buffer.byteLength(text))
    const refused = await ask(erp, '/v1/objects/companies')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, 'Mon, 01 Jun 2026 00:05:00 GMT'])
    expect(refused.headers.get('x-ratelimit-remaining-bytes')).toBe('0')
    clock.advance(300_000)
    expect((await ask(erp, '/v1/objects/companies')).status).toBe(200)
  })
})

describe('faults', () => {
  it('happen when they are ordered', async () => {
    const erp = made()
    const path = '/v1/objects/customers'
    for (const status of ['429', '500', '503'] as const) {
      erp.faults.order(status)
      expect((await ask(erp, path)).status).toBe(Number(status))
    }
    erp.faults.order('refused')
    await expect(ask(erp, path)).rejects.toThrow('fetch failed')
    erp.faults.order('cut')
    await expect((await ask(erp, path)).text()).rejects.toThrow()
    erp.faults.order('truncated')
    await expect((await ask(erp, path)).json()).rejects.toThrow(SyntaxError)
    erp.faults.order('503', 1, /^GET .*attribute/)
    expect((await ask(erp, path)).status).toBe(200)
    erp.faults.mostRows = 99
    expect(await refusal(erp, path)).toEqual([500, 1000])
    expect((await ask(erp, `${path}?limit=99`)).status).toBe(200)
    erp.faults.isAway = true
    await expect(ask(erp, path)).rejects.toThrow('fetch failed')
  })

  it('happen by chance, the same for the same seed', async () => {
    const statuses = async (seed: number) => {
      const erp = made({ seed })
      erp.faults.shares = { '429': 0.2, '503': 0.2 }
      const answers = []
      for (let at = 0; at < 100; at++) answers.push((await ask(erp, '/v1/objects/companies')).status)
      return answers
    }
    const first = await statuses(3)
    expect(first).toEqual(await statuses(3))
    expect(first).not.toEqual(await statuses(4))
    expect(new Set(first)).toEqual(new Set([200, 429, 503]))
  })

  it('do what was asked although nothing comes back', async () => {
    const erp = made()
    erp.faults.order('lost')
    await expect(
      patch(erp, '/v1/customers/100001', [{ op: 'replace', path: '/aliasName', value: 'x' }]),
    ).rejects.toThrow()
    expect(erp.find('customers', { customerId: '100001' })!.aliasName).toBe('x')
  })

  it('break connections, and not the server', async () => {
    const erp = made()
    const server = new ErpServer(erp)
    const address = await server.start()
    const get = () => fetch(`${address}/v1/objects/customers`, { headers: BASIC })
    erp.faults.order('refused')
    await expect(get()).rejects.toThrow('fetch failed')
    erp.faults.order('cut')
    await expect(get().then((answer) => answer.text())).rejects.toThrow('terminated')
    erp.faults.order('truncated')
    await expect(get().then((answer) => answer.json())).rejects.toThrow(SyntaxError)
    expect(await (await get()).json()).toHaveLength(100)
    await server.stop()
  })

  it('are answers that come late', async () => {
    const clock = new SimulatedClock()
    const erp = made({ clock })
    erp.faults.order('slow')
    const answer = ask(erp, '/v1/objects/companies')
    expect(clock.next()).toBe(clock.now() + erp.faults.slowMs)
    clock.advance(erp.faults.slowMs)
    expect((await answer).status).toBe(200)
  })

  it('take time, up to the limit', async () => {
    const clock = new SimulatedClock()
    const erp = made({ clock, cost: { requestMs: 1000, rowMs: 3000 }, timeLimitMs: 220_000 })
    const few = ask(erp, '/v1/objects/customers?limit=2')
    expect(clock.next()).toBe(clock.now() + 7000)
    clock.advance(7000)
    expect((await few).status).toBe(200)
    const many = ask(erp, '/v1/objects/customers')
    clock.advance(220_000)
    const answer = await many
    expect([answer.status, answer.headers.get('content-type')]).toEqual([504, 'text/html'])
  })
})

describe('the clock', () => {
  it('of the ERP may differ from that of others', async () => {
    const erp = made()
    erp.clockOffsetMs = -90_000
    expect((erp.write('customers', { customerId: 'N1' }).lastUpdated as Row).updatedAt).toBe('2026-05-31T23:58:30.000Z')
    expect((await ask(erp, '/v1/objects/companies')).headers.get('date')).toBe('Sun, 31 May 2026 23:58:30 GMT')
  })

  it('goes on while something is committed late', () => {
    const clock = new SimulatedClock()
    const erp = made({ clock })
    const commit = erp.commitLate('customers', { customerId: 'LATE' })
    clock.advance(120_000)
    expect(erp.find('customers', { customerId: 'LATE' })).toBeUndefined()
    commit()
    expect((erp.find('customers', { customerId: 'LATE' })!.lastUpdated as Row).updatedAt).toBe(
      '2026-06-01T00:00:00.000Z',
    )
  })
})

describe('single records', () => {
  const value = '/v1/attribute-values/C1/CC0000001/0'

  it('are created, patched and closed: attribute values', async () => {
    const erp = made()
    const post = (body: object) => refusal(erp, '/v1/attribute-values', { method: 'POST', body: JSON.stringify(body) })
    expect((await post({ AttributeId: 'C1', AttributeValue: 'NEW', Description: 'New', Owner: null }))[0]).toBe(201)
    expect(await post({ attributeId: 'C1', attributeValue: 'NEW' })).toEqual([409, 3090])
    expect(await post({ attributeId: 'A0', attributeValue: 'NEW' })).toEqual([422, 3010])
    expect((await post({ attributeId: 'C1' }))[0]).toBe(422)
    const changed = await patch(erp, value, [
      { op: 'Replace', path: 'Description', value: 'Changed' },
      { op: 'add', path: '/relatedValues/-', value: { RelationId: 'REL1', RelatedValue: '300' } },
    ])
    expect(await changed.json()).toMatchObject({ description: 'Changed', periodFrom: 0 })
    expect((await ask(erp, '/v1/attribute-relations/C1/CC0000001/C2/300')).status).toBe(200)
    expect((await patch(erp, value, [{ op: 'replace', path: '/nothing', value: 1 }])).status).toBe(422)
    expect((await patch(erp, value, [{ op: 'replace', path: '/contactPoints/9/address', value: {} }])).status).toBe(422)
    const closed = await ask(erp, value, { method: 'DELETE' })
    expect([closed.status, await closed.text()]).toEqual([200, ''])
    expect(await (await ask(erp, value)).json()).toMatchObject({ status: 'C' })
    expect(await refusal(erp, '/v1/attribute-values/C1/NONE/0')).toEqual([404, 1040])
    expect(await rows(erp, "/v1/attribute-values/C0?filter=attributeValue ne 'SICK'&select=attributeValue")).toEqual([
      { attributeValue: 'HOL' },
      { attributeValue: 'TRAIN' },
    ])
  })

  it('are created, patched and removed: relations', async () => {
    const erp = made()
    const relation = { attributeId: 'C1', attributeValue: 'CC0000001', relatedAttributeId: 'C2', relationValue: '300' }
    const post = () => ask(erp, '/v1/attribute-relations', { method: 'POST', body: JSON.stringify(relation) })
    expect((await post()).status).toBe(201)
    expect((await post()).status).toBe(422)
    const path = '/v1/attribute-relations/C1/CC0000001/C2/300'
    expect(await (await patch(erp, path, [{ op: 'replace', path: '/percentage', value: 40 }])).json()).toMatchObject({
      percentage: 40,
    })
    expect((await patch(erp, path, [{ op: 'replace', path: '/attributeValue', value: 'x' }])).status).toBe(422)
    expect((await ask(erp, path, { method: 'DELETE' })).status).toBe(200)
    expect((await ask(erp, path)).status).toBe(404)
  })

  it('are created, patched and closed: customers', async () => {
    const erp = made()
    const customer = {
      customerId: 'K1',
      customerName: 'K',
      customerGroupId: 'DOM',
      countryCode: 'NO',
      contactPoints: [{ contactPointType: '1', phoneNumbers: { telephone1: '5' } }],
    }
    const post = (body: object) => ask(erp, '/v1/customers/', { method: 'POST', body: JSON.stringify(body) })
    const created = await post(customer)
    expect([created.status, await created.json()]).toMatchObject([
      201,
      { customerId: 'K1', contactPoints: [{ phoneNumbers: { telephone1: '5' } }] },
    ])
    expect((await post(customer)).status).toBe(400)
    expect((await post({ ...customer, customerId: 'K2', contactPoints: [] })).status).toBe(400)
    const changed = await patch(erp, '/v1/customers/K1', [
      { op: 'replace', path: '/payment/status', value: 'Parked' },
      { op: 'replace', path: '/contactPoints/0/address/place', value: 'Oslo' },
    ])
    expect(await changed.json()).toMatchObject({
      payment: { status: 'Parked' },
      contactPoints: [{ address: { place: 'Oslo' } }],
    })
    expect(erp.find('customers', { customerId: 'K1' })).toMatchObject({ payment: { status: 'P' } })
    await ask(erp, '/v1/customers/K1', { method: 'DELETE' })
    expect(erp.find('customers', { customerId: 'K1' })).toMatchObject({ payment: { status: 'C' } })
  })

  it('have contents and revisions: documents', async () => {
    const erp = made()
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const post = (path: string, body: object) => ask(erp, path, { method: 'POST', body: JSON.stringify(body) })
    const sent = { docType: 'NOTE', fileName: 'a.txt', title: 'A', fileContent: base64('one'), indexes: [] }
    const document = (await (await post('/v1/documents', sent)).json()) as Row
    expect(document).toMatchObject({ revisionNo: 1, docSize: 3, fileContent: base64('one'), status: 'N' })
    const id = String(document.id)
    expect(
      (await post('/v1/document-revisions', { id, comment: 'c', fileName: 'b.txt', fileContent: base64('two!') }))
        .status,
    ).toBe(201)
    const revisions = (await (await ask(erp, `/v1/document-revisions/${id}`)).json()) as { items: Row[]; total: number }
    expect(revisions.items).toMatchObject([
      { revisionNo: 1, fileName: 'a.txt', fileContent: base64('one') },
      { revisionNo: 2, fileName: 'b.txt', fileContent: base64('two!') },
    ])
    expect((await patch(erp, `/v1/documents/${id}`, [{ op: 'replace', path: '/title', value: 'B' }])).status).toBe(200)
    expect(await (await ask(erp, `/v1/documents/${id.toUpperCase()}`)).json()).toMatchObject({
      title: 'B',
      docSize: 4,
      lastUpdate: {},
    })
    const list = (await (await ask(erp, '/v1/documents?limit=2')).json()) as Row
    expect(list).toMatchObject({ count: 2, limit: 2, start: 0, total: 41 })
    await ask(erp, `/v1/documents/${id}`, { method: 'DELETE' })
    expect(await rows(erp, `/v1/objects/document-archive?filter=id eq '${id}'`)).toEqual([])
    expect(await (await ask(erp, `/v1/documents/${id}`)).json()).toMatchObject({ status: 'T' })
    expect((await ask(erp, '/v1/documents/x')).status).toBe(400)
  })
})

describe('comparison', () => {
  it('finds what a copy has that is not the same', async () => {
    const erp = made()
    const kind = erp.kind('customers')
    const copy = await rows(erp, '/v1/objects/customers')
    expect(hashOf(kind, copy.toReversed())).toBe(erp.hash('customers'))
    expect(hashOf(kind, [...copy, copy[0]!])).not.toBe(erp.hash('customers'))
    erp.change('customers', { customerId: '100042' }, { aliasName: 'Other' })
    expect(hashOf(kind, copy)).not.toBe(erp.hash('customers'))
    expect(erp.records('customers')[42]).toMatchObject({ aliasName: 'Other' })
  })
})

describe('lines and compression', () => {
  it('come when they are switched on', async () => {
    const server = new ErpServer(made({ hasLines: true, hasGzip: true }))
    const address = await server.start()
    const answer = await fetch(`${address}/v1/objects/customers`, {
      headers: { ...BASIC, accept: 'application/x-ndjson' },
    })
    expect([answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual([
      'application/x-ndjson',
      'gzip',
    ])
    expect(
      (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toHaveLength(100)
    await server.stop()
  })
})

describe('the program', () => {
  const processes: ReturnType<typeof spawn>[] = []
  afterEach(() => {
    for (const one of processes) one.kill()
  })

  it('runs as a process of the asked size', async () => {
    const child = spawn(process.execPath, [
      new URL('program.ts', import.meta.url).pathname,
      '--customers',
      '7',
      '--base-path',
      '/web-api',
    ])
    processes.push(child)
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
    const address = /^listening on (\S+)/.exec(line)![1]!
    const answer = await fetch(`${address}/v1/objects/customers`, { headers: BASIC })
    expect(await answer.json()).toHaveLength(7)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    expect(await ended).toBe(0)
  })
})
