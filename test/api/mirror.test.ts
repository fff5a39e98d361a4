// A mirror follows its source: what changes there, what is removed, and what goes wrong.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Mirror, NDJSON, NUMBER_HEADER, type Read } from '../support/changes/mirror.ts'
import { documentsOf, type MirrorWorld, startMirror } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

describe.each(STORE_KINDS)('a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  const get = (url: string, headers: Record<string, string> = {}) =>
    mirror.world.send({ as: 'programs', url: `${url}${url.includes('?') ? '&' : '?'}companyId=EN`, headers })
  const customer = (id: string) => get(`/v1/customers/${id}`)

  beforeAll(async () => {
    mirror = await startMirror(kind, { source: { sweep: 600, contents: 'lazy' } })
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())

  it('writes what is changed and created there, and tells it in the feed', async () => {
    const since = (await get('/v1/objects/customers?limit=1')).headers['x-erp-change-number']
    mirror.erp.change('customers', { customerId: '100003' }, { customerName: 'Fjordblikk AS' })
    await mirror.same()
    expect((await customer('100003')).json.customerName).toBe('Fjordblikk AS')
    const { json } = await get(`/v1/changes?since=${since}`)
    const [{ entity, key, operation, changed }] = json.changes
    expect({ entity, key, operation }).toEqual({
      ...{ entity: 'customers', key: { customerId: '100003' }, operation: 'updated' },
    })
    expect(changed).toContain('/customerName')
  })

  it('tells in the feed and of the past when the source has changed a record, of every kind', async () => {
    const names = mirror.names.filter((name) => name !== 'document-archive')
    const { paths } = documentsOf(mirror.erp, mirror.setup)
    const collection = (name: string, more = '', headers = {}) => {
      const url = `${paths.get(name)?.replace(/select=[^&]*/, 'select=*')}${more}`
      return mirror.world.send({ as: 'programs', url, headers })
    }
    const collections = (more = '') => Promise.all(names.map(async (name) => (await collection(name, more)).text))
    const before = await collections()
    const moment = new Date(mirror.now()).toISOString()
    await delay(2)
    for (const name of names) {
      const [first, second] = mirror.erp.rows(name)
      mirror.erp.write(name, first ?? {}, { by: 'TOUCHED' })
      mirror.erp.write(name, second ?? {}, { by: 'LATER', at: mirror.erp.now() - 60_000 })
    }
    // The kind does not tell it otherwise.
    const [relation] = mirror.erp.rows('attribute-relations')
    const lastUpdated = { updatedAt: '2026-01-02T03:04:05.678Z', updatedBy: 'TOUCHED' }
    mirror.erp.write('attribute-relations', { ...relation, lastUpdated })
    const isRelationHere = async () => (await collection('attribute-relations')).text.includes('TOUCHED')
    await mirror.until('the relation is here', isRelationHere)
    await mirror.same()
    const read: Read = async (url) => {
      const [, name] = /\/objects\/([\w-]+)/.exec(url) ?? []
      const answer = name
        ? await collection(name, '', NDJSON)
        : await mirror.world.send({ as: 'programs', url, headers: NDJSON })
      const { status, text, headers } = answer
      return { status, text, changeNumber: String(headers[NUMBER_HEADER]) }
    }
    for (const name of names) {
      const copy = new Mirror('EN', { name, key: mirror.erp.kind(name).key, select: '*' })
      copy.begin()
      while (!(await copy.follow(read)));
      expect(await copy.differences(read)).toEqual([])
    }
    expect(await collections(`&asOf=${moment}`)).toEqual(before)
    const filter = "&select=attributeValue,lastUpdated&filter=lastUpdated/updatedBy eq 'TOUCHED'"
    const told = await get(`/v1/changes?since=0&entities=attribute-values${filter}`)
    expect(told.json.changes.map(({ record }: { record: object }) => record)).toHaveLength(1)
  })

  it('does not write again what is the same', async () => {
    const before = await mirror.world.dump()
    const { asOf } = await mirror.status('customers')
    await mirror.until('changes were looked for again', async () => (await mirror.status('customers')).asOf > asOf)
    const changed = await mirror.world.changesSince(before)
    expect(changed.filter((row) => /^(?:customer|journal)/.test(row))).toEqual([])
  })

  it('removes what is gone there, and only that', async () => {
    expect(mirror.erp.remove('customers', { customerId: '100007' })).toBe(true)
    await mirror.untilSwept('the customer is gone', async () => (await customer('100007')).status === 404)
    await mirror.same()
  })

  it('finds what was committed late', async () => {
    const commit = mirror.erp.commitLate('customers', {
      ...mirror.erp.find('customers', { customerId: '100003' }),
      customerId: '888888',
    })
    mirror.erp.change('customers', { customerId: '100004' }, { customerName: 'Later AS' })
    await mirror.same(['customers'])
    commit()
    await mirror.same()
    expect((await customer('888888')).status).toBe(200)
  })

  it('says how old each answer is', async () => {
    const { headers } = await customer('100003')
    expect(Number(headers.age)).toBeGreaterThanOrEqual(0)
    expect(String(headers['mirror-as-of'])).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const collection = await get('/v1/objects/customers?limit=1')
    expect(collection.headers.age).toBeDefined()
  })

  it('reads a record through when its client wants nothing older', async () => {
    // So long ago that no look for changes finds it.
    const at = mirror.erp.now() - 3_600_000
    mirror.erp.change('customers', { customerId: '100005' }, { customerName: 'Just now AS' }, { at })
    const before = Date.now()
    const fresh = await get('/v1/customers/100005', { 'cache-control': 'max-age=0' })
    expect(fresh.json.customerName).toBe('Just now AS')
    expect(Date.parse(String(fresh.headers['mirror-as-of']))).toBeGreaterThanOrEqual(before)
  })

  it('takes no writes, and says where they are made', async () => {
    const before = await mirror.world.dump()
    const body = { customerName: 'Nobody AS' }
    const refused = await mirror.world.send({ as: 'programs', method: 'POST', url: '/v1/customers?companyId=EN', body })
    expect(refused.status).toBe(403)
    expect(await mirror.world.changesSince(before)).toEqual([])
  })

  it('takes nothing for removed when the source shows nothing any more', async () => {
    mirror.erp.hide('purchase-orders')
    await mirror.untilSwept('it is told', async () => (await mirror.status('purchase-orders')).problem !== '')
    expect((await mirror.status('purchase-orders')).rows).toBe(mirror.erp.count('purchase-orders'))
    mirror.erp.hide('purchase-orders', false)
  })
})
