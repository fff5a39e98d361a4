// What is taken for removed where the source cannot say much: it finds no record by a filter, or shows nothing at all.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { canonical } from '../support/erp/canonical.ts'
import { type MirrorOptions, type MirrorWorld, startMirror } from '../support/mirror.ts'
import { withWriters } from '../support/mirror-writes.ts'
import { STORE_KINDS } from '../support/world.ts'

const COUNTED = { habits: { customers: { filtering: 'ignored', ordering: 'ignored' } } } as const
const FEW = { sizes: { customers: 2 } } as const

describe.each(STORE_KINDS)('a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  const start = async (options: MirrorOptions) => {
    mirror = await startMirror(kind, options)
    await mirror.loaded()
  }
  const source = { sweep: 600, contents: 'lazy' } as const

  const get = (url: string) => mirror.world.send({ as: 'programs', url: `${url}?companyId=EN` })
  /** Without relations, whose names the source does not tell where it finds no record by a filter. */
  const rows = async () =>
    (await mirror.rows('customers')).map((row) => alone(canonical(mirror.erp.kind('customers'), row)))
  const alone = (row: object) => ({ ...row, relatedValues: [] })
  const asked = (id: string) =>
    mirror.erp.traffic.answers.filter(({ target }) => target.startsWith(`/v1/customers/${id}?`))

  describe('of a source that finds no record by a filter', () => {
    beforeAll(() => start({ erp: COUNTED, source }))
    afterAll(async () => mirror?.stop())

    it('asks for a record by its own path where the source finds none by a filter', async () => {
      mirror.erp.remove('customers', { customerId: '100007' })
      await mirror.untilSwept('the customer is gone', async () => (await get('/v1/customers/100007')).status === 404)
      expect(asked('100007').map(({ status }) => status)).toEqual([404])
      expect(await rows()).toEqual(mirror.erp.records('customers').map(alone))
    })

    it('keeps a record of which a server says that there is no such path', async () => {
      mirror.erp.remove('customers', { customerId: '100008' })
      mirror.erp.faults.order('404', Number.POSITIVE_INFINITY, /GET .*customers\/100008/)
      for (let look = 0; look < 3; look += 1) {
        const before = asked('100008').length
        // The look before may still be under way: the next one is due some time after its end.
        await mirror.until('it was looked for', () => {
          mirror.advance(60_000)
          return asked('100008').length > before
        })
      }
      expect((await get('/v1/customers/100008')).status).toBe(200)
      mirror.erp.faults.clear()
      await mirror.untilSwept('the customer is gone', async () => (await get('/v1/customers/100008')).status === 404)
    })
  })

  describe('of a source with few records', () => {
    beforeAll(() => start({ erp: FEW, source }))
    afterAll(async () => mirror?.stop())

    it('removes nothing that is not shown any more, however few there are', async () => {
      mirror.erp.hide('customers')
      await mirror.untilSwept('it is told', async () => (await mirror.status('customers')).problem !== '')
      expect((await mirror.status('customers')).rows).toBe(2)
      mirror.erp.hide('customers', false)
    })

    it('removes the last records, and has no problem then', async () => {
      const ids = mirror.erp.records('customers').map(({ customerId }) => String(customerId))
      expect(ids).toHaveLength(2)
      for (const customerId of ids) mirror.erp.remove('customers', { customerId })
      await mirror.untilSwept('nothing is here', async () => (await mirror.status('customers')).rows === 0)
      await mirror.until('nothing is wrong', async () => (await mirror.status('customers')).problem === '')
      expect((await get(`/v1/customers/${ids[0]}`)).status).toBe(404)
      mirror.erp.write('customers', { customerId: '777777', customerName: 'First again AS' })
      await mirror.until('the new one is here', async () => (await mirror.status('customers')).rows === 1)
      expect((await get('/v1/customers/777777')).json.customerName).toBe('First again AS')
    })
  })

  it('stores what was written where the source finds no record by a filter', async () => {
    onTestFinished(() => mirror?.stop())
    await start({ erp: COUNTED, change: withWriters, source: { ...source, writes: 'forward', follow: 86_400 } })
    const body = [{ op: 'replace', path: '/customerName', value: 'Read again AS' }]
    const url = '/v1/customers/100003?companyId=EN'
    expect((await mirror.world.send({ as: 'programs', method: 'PATCH', url, body })).status).toBe(200)
    expect((await get('/v1/customers/100003')).json.customerName).toBe('Read again AS')
  })
})
