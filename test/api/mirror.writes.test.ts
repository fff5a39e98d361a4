// Writes to a mirror are refused at every door, or sent to its source first.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MirrorWorld, startMirror } from '../support/mirror.ts'
import { CUSTOMER, rename, withWriters } from '../support/mirror-writes.ts'
import { type Answer, type Sent, STORE_KINDS } from '../support/world.ts'

/** A mirror waits longer before it asks again for a record that it could not read. */
const READ_AGAIN_MS = 1_000
const ROWS = { customerId: '990000', ...CUSTOMER }

/** Every door that writes records, as a request. */
const DOORS: readonly (readonly [string, NonNullable<Sent['method']>, string, unknown])[] = [
  ['a new customer', 'POST', '/v1/customers', CUSTOMER],
  ['a changed customer', 'PATCH', '/v1/customers/100003', rename('X')],
  ['a new value', 'POST', '/v1/attribute-values', { attributeId: 'C1', attributeValue: 'Z9', description: 'New' }],
  [
    'a new relation',
    'POST',
    '/v1/attribute-relations',
    { attributeId: 'C1', attributeValue: '1', relatedAttributeId: 'C2', relationValue: '2' },
  ],
  ['a new order', 'POST', '/v2/purchase-orders', { orderNumber: 'PO9999999' }],
  ['a removed order', 'DELETE', '/v2/purchase-orders/PO0000001', undefined],
  [
    'a batch',
    'POST',
    '/v1/batch',
    { requests: [{ id: '1', method: 'POST', url: '/v1/customers?companyId=EN', body: CUSTOMER }] },
  ],
  [
    'a group of a batch',
    'POST',
    '/v1/batch',
    {
      requests: [
        { id: '1', atomicityGroup: 'g', method: 'POST', url: '/v1/customers?companyId=EN', body: CUSTOMER },
        { id: '2', atomicityGroup: 'g', method: 'POST', url: '/v1/customers?companyId=EN', body: CUSTOMER },
      ],
    },
  ],
  [
    'a new document',
    'POST',
    '/v1/documents',
    { docType: 'INVOICE', title: 'X', fileName: 'x.txt', fileContent: 'eA==' },
  ],
  ['a job', 'POST', '/v1/customers/batch', ROWS],
]

describe.each(STORE_KINDS)('writes to a mirror on %s that refuses them', (kind) => {
  let mirror: MirrorWorld
  beforeAll(async () => {
    mirror = await startMirror(kind, { change: withWriters, source: { contents: 'lazy' } })
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())

  it.each(DOORS)('refuses %s', async (_what, method, url, body) => {
    const before = await mirror.world.dump()
    const { requests } = { ...mirror.erp.traffic.total }
    const headers: Record<string, string> = body === ROWS ? { 'content-type': 'application/x-ndjson' } : {}
    const answer = await mirror.world.send({ as: 'programs', method, url: `${url}?companyId=EN`, body, headers })
    const [first = answer] = answer.json.responses ?? []
    expect(first.status).toBe(403)
    expect(JSON.stringify(first.body ?? answer.json)).toContain(mirror.url)
    expect(await mirror.world.changesSince(before)).toEqual([])
    expect(mirror.erp.traffic.answers.slice(requests).filter((one) => one.method !== 'GET')).toEqual([])
  })
})

describe.each(STORE_KINDS)('writes to a mirror on %s that forwards them', (kind) => {
  let mirror: MirrorWorld
  const send = (method: NonNullable<Sent['method']>, url: string, body?: unknown, headers = {}): Promise<Answer> =>
    mirror.world.send({ as: 'programs', method, url: `${url}?companyId=EN`, body, headers })
  const name = async (id: string) => (await send('GET', `/v1/customers/${id}`)).json?.customerName
  const sent = (method: string) => mirror.erp.traffic.answers.filter((one) => one.method === method).length

  beforeAll(async () => {
    // What is not read again at once is not read within the test.
    mirror = await startMirror(kind, {
      change: withWriters,
      source: { writes: 'forward', follow: 86_400, contents: 'lazy' },
    })
    await mirror.loaded()
  })
  afterEach(() => mirror.erp.faults.clear())
  afterAll(async () => mirror?.stop())

  it('stores what the source has before it answers as the source does', async () => {
    const answer = await send('PATCH', '/v1/customers/100003', rename('Fjordblikk AS'))
    expect(answer.status).toBe(200)
    expect(mirror.erp.find('customers', { customerId: '100003' })).toMatchObject({ customerName: 'Fjordblikk AS' })
    expect(await name('100003')).toBe('Fjordblikk AS')
  })

  it('stores a new record', async () => {
    const answer = await send('POST', '/v1/customers', { ...CUSTOMER, customerId: '990001' })
    expect(answer.status).toBe(201)
    expect(await name('990001')).toBe('Nobody AS')
  })

  it('passes on what the source refuses, and writes nothing', async () => {
    const before = await mirror.world.dump()
    const answer = await send('POST', '/v1/customers', { customerName: 'No group' })
    expect(answer.status).toBe(422)
    expect(answer.json).toBeDefined()
    expect(await mirror.world.changesSince(before)).toEqual([])
  })

  it('says that the result is unknown when the answer is lost, and reads the record until it is clear', async () => {
    mirror.erp.faults.order('lost', 1, /^PATCH/)
    mirror.erp.faults.order('503', 1, /^GET .*100004/)
    const answer = await send('PATCH', '/v1/customers/100004', rename('Lost AS'))
    expect(answer.status).toBe(504)
    expect(answer.text).toContain('unknown')
    await mirror.until('the record is read again', async () => {
      mirror.advance(READ_AGAIN_MS)
      return (await name('100004')) === 'Lost AS'
    })
  })

  it('sends a POST once, whatever comes of it', async () => {
    const before = sent('POST')
    const headers = { 'idempotency-key': 'lost-1' }
    mirror.erp.faults.order('lost', 1, /^POST \/v1/)
    const body = { ...CUSTOMER, customerId: '990002' }
    expect((await send('POST', '/v1/customers', body, headers)).status).toBe(504)
    expect((await send('POST', '/v1/customers', body, headers)).status).toBe(504)
    expect(sent('POST') - before).toBe(1)
    await mirror.until('the record is read again', async () => (await name('990002')) === 'Nobody AS')
  })

  it('answers a retry with the same key as before', async () => {
    const headers = { 'idempotency-key': 'retry-1' }
    const body = { ...CUSTOMER, customerId: '990003' }
    const first = await send('POST', '/v1/customers', body, headers)
    const before = sent('POST')
    const again = await send('POST', '/v1/customers', body, headers)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(sent('POST')).toBe(before)
    const other = await send('POST', '/v1/customers', { ...body, customerName: 'Other AS' }, headers)
    expect(other.status).toBe(422)
  })

  it('lets a key be used again after a refusal', async () => {
    const headers = { 'idempotency-key': 'refused-1' }
    expect((await send('POST', '/v1/customers', { customerName: 'X' }, headers)).status).toBe(422)
    expect((await send('POST', '/v1/customers', { customerName: 'X' }, headers)).status).toBe(422)
  })

  it('keeps a key unknown after the source has failed', async () => {
    const headers = { 'idempotency-key': 'failed-1' }
    mirror.erp.faults.order('500', 1, /^POST \/v1/)
    expect((await send('POST', '/v1/customers', { ...CUSTOMER, customerId: '990004' }, headers)).status).toBe(500)
    expect((await send('POST', '/v1/customers', { ...CUSTOMER, customerId: '990004' }, headers)).status).toBe(504)
  })

  it.each([
    ['dots', '/v1/customers/%2e%2e', 404],
    ['deeper dots', '/v1/attribute-relations/C1/%2E%2e/%2e%2E/admin', 404],
  ])('sends no path with %s', async (_what, path, status) => {
    const before = sent('PATCH')
    expect((await send('PATCH', path, rename('X'))).status).toBe(status)
    expect(sent('PATCH')).toBe(before)
  })

  it('puts no filter of a client into its questions', async () => {
    const headers = { 'cache-control': 'max-age=0' }
    const before = mirror.erp.traffic.answers.length
    const answer = await send('GET', `/v1/customers/${encodeURIComponent("x' or customerId ne '")}`, undefined, headers)
    expect(answer.status).toBe(404)
    for (const { status } of mirror.erp.traffic.answers.slice(before)) expect(status).toBe(200)
  })

  it('says that the source refuses the credentials of the mirror', async () => {
    const [client] = mirror.erp.clients
    client!.isRevoked = true
    try {
      const answer = await send('PATCH', '/v1/customers/100003', rename('Y'))
      expect(answer.status).toBe(502)
      expect(await name('100003')).toBe('Fjordblikk AS')
    } finally {
      client!.isRevoked = false
    }
  })
})
