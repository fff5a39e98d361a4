// A mirror follows its source: what changes there, what is removed, and what goes wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MirrorWorld, startMirror } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

/** Longer than between two looks for removed records. */
const SWEEP_MS = 660_000

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
    const since =
      (await customer('100003')).headers['x-erp-change-number'] ??
      (await get('/v1/objects/customers?limit=1')).headers['x-erp-change-number']
    mirror.erp.change('customers', { customerId: '100003' }, { customerName: 'Fjordblikk AS' })
    await mirror.same()
    expect((await customer('100003')).json.customerName).toBe('Fjordblikk AS')
    const { json } = await get(`/v1/changes?since=${since}`)
    console.log(JSON.stringify(json).slice(0, 1500))
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
    mirror.advance(SWEEP_MS)
    await mirror.until('the customer is gone', async () => (await customer('100007')).status === 404)
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
    mirror.erp.faults.order('503', 1000, /GET .*objects\/customers.*ge%20/)
    mirror.erp.change('customers', { customerId: '100005' }, { customerName: 'Just now AS' })
    const before = Date.now()
    const fresh = await get('/v1/customers/100005', { 'cache-control': 'max-age=0' })
    expect(fresh.json.customerName).toBe('Just now AS')
    expect(Date.parse(String(fresh.headers['mirror-as-of']))).toBeGreaterThanOrEqual(before)
    mirror.erp.faults.order('503', 0, /^/)
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
    mirror.advance(SWEEP_MS)
    await mirror.until('it is told', async () => (await mirror.status('purchase-orders')).problem !== '')
    expect((await mirror.status('purchase-orders')).rows).toBe(mirror.erp.count('purchase-orders'))
    mirror.erp.hide('purchase-orders', false)
  })
})
