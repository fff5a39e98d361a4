// Records by the client, on the real service: entity tags, problems, and writes whose answers are lost.
import { expect, it } from 'vitest'
import {
  ConflictProblem,
  NetworkProblem,
  NotAuthenticatedProblem,
  NotAuthorisedProblem,
  NotFoundProblem,
  type Problem,
  ValidationProblem,
} from '#client'
import { onEachStore, startWorld } from '../support/world.ts'
import { clientOf, fetchOf } from './world-client.ts'

const supplier = (changes: object = {}) => ({
  supplierName: 'Nordic Paper',
  countryCode: 'NO',
  contactPoints: [{ contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }],
  ...changes,
})

interface Supplier {
  readonly supplierId: string
  readonly supplierName: string
  readonly countryCode: string
}

const thrownBy = (call: Promise<unknown>): Promise<Problem> =>
  call.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (thrown: Problem) => thrown,
  )

onEachStore(
  'Records by the client',
  (world) => {
    const suppliers = (clientId?: string) => clientOf(world(), clientId).records<Supplier>('suppliers')
    const countOf = async (name: string) => {
      const filter = `supplierName eq '${name}'`
      return clientOf(world()).objects.suppliers!.count({ filter })
    }
    const entriesOf = async (id: string) =>
      (await world().query(`select * from audit_entry where entity = 'suppliers' and record_key = '["${id}"]'`)).length

    it('answers records with their entity tags, and changes what was read', async () => {
      const records = suppliers()
      const created = await records.create(supplier())
      expect(created).toMatchObject({ isReplay: false, location: `/v1/suppliers/${created.record.supplierId}` })
      const read = await records.get(created.record.supplierId)
      expect([read.record, read.etag]).toEqual([created.record, created.etag])
      expect(await records.getIfChanged(created.record.supplierId, read.etag!)).toBeUndefined()
      const patch = [{ op: 'replace', path: '/supplierName', value: 'Nordic Board' }] as const
      const changed = await records.patch(created.record.supplierId, patch, { ifMatch: read.etag })
      expect(changed.record.supplierName).toBe('Nordic Board')
      expect((await records.getIfChanged(created.record.supplierId, read.etag!))?.etag).toBe(changed.etag)
      const before = await records.get(created.record.supplierId, { asOf: Number(read.etag?.replaceAll('"', '')) })
      expect(before.record.supplierName).toBe('Nordic Paper')
    })

    it('tells who has changed a record since it was read, and what', async () => {
      const records = suppliers()
      const { record, etag } = await records.create(supplier())
      await records.patch(record.supplierId, [
        { op: 'replace', path: '/supplierName', value: 'Other' },
        { op: 'replace', path: '/countryCode', value: 'SE' },
      ])
      const problem = await thrownBy(records.delete(record.supplierId, { ifMatch: etag }))
      expect(problem).toBeInstanceOf(ConflictProblem)
      expect(problem).toMatchObject({ status: 409, code: 3090, requestId: expect.stringMatching(/./) })
      expect((problem as ConflictProblem).changes).toEqual([
        {
          userId: 'svc-integration',
          members: expect.arrayContaining(['supplierName', 'countryCode']),
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      ])
      expect((await records.get(record.supplierId)).record.supplierName).toBe('Other')
    })

    it('tells every finding with its path, and stores nothing', async () => {
      const before = await world().dump()
      const wrong = supplier({ countryCode: 'XX', supplierName: null, contactPoints: [{ contactPointType: '77' }] })
      const problem = await thrownBy(suppliers().create(wrong))
      expect(problem).toBeInstanceOf(ValidationProblem)
      const { findings } = problem as ValidationProblem
      expect(findings.map(({ path }) => path).sort()).toEqual(
        expect.arrayContaining(['/contactPoints/0/contactPointType', '/countryCode', '/supplierName']),
      )
      expect((problem as ValidationProblem).byField().get('/countryCode')).toEqual([
        { path: '/countryCode', code: 3010, message: 'Illegal value.' },
      ])
      expect(problem.body).toMatchObject({ countryCode: 'XX', notificationMessages: {} })
      expect(await world().changesSince(before)).toEqual([])
    })

    it('tells an absent record, a missing right, a wrong secret and a request that cannot be read apart', async () => {
      expect(await thrownBy(suppliers().get('NOBODY'))).toBeInstanceOf(NotFoundProblem)
      const denied = await thrownBy(suppliers('reader').create(supplier()))
      expect(denied).toBeInstanceOf(NotAuthorisedProblem)
      expect(denied).toMatchObject({ status: 403, code: 2030, message: 'User is not authorised.' })
      expect(await thrownBy(suppliers('stranger').get('50000'))).toBeInstanceOf(NotAuthenticatedProblem)
      const request = { path: '/v1/suppliers', method: 'POST', body: '{' } as const
      const unreadable = await thrownBy(clientOf(world()).request(request))
      expect(unreadable).toBeInstanceOf(ValidationProblem)
      expect(unreadable).toMatchObject({ status: 400, code: 1010, findings: [] })
    })

    it('checks a write and stores nothing with validateOnly', async () => {
      const before = await world().dump()
      const checked = await suppliers().create(supplier(), { validateOnly: true })
      expect(checked).toMatchObject({ record: { supplierName: 'Nordic Paper' }, etag: undefined })
      expect(await world().changesSince(before)).toEqual([])
    })

    it('asks in the company of the client, of the call, or of the record', async () => {
      const client = clientOf(world(), 'sv', { company: 'EN' })
      expect(await thrownBy(client.records('suppliers').get('1'))).toBeInstanceOf(NotAuthorisedProblem)
      const other = await thrownBy(client.records('suppliers').get('1', { company: 'SV' }))
      expect(other).toMatchObject({ status: 404, message: expect.stringContaining(': SV') })
      const rate = { companyId: 'SV', currencyCode: 'SEK', rateDate: '2026-01-31', rate: 1.5 }
      const own = await client.records('exchange-rates').create(rate)
      const kept = await client.records('exchange-rates').get(['SEK', '2026-01-31'], { company: 'SV' })
      expect(kept.record).toEqual(own.record)
    })

    it('reads the history of a record page by page, the newest first', async () => {
      const records = suppliers()
      const { record } = await records.create(supplier())
      for (const value of ['a', 'b', 'c']) {
        await records.patch(record.supplierId, [{ op: 'replace', path: '/supplierName', value }])
      }
      const told = await Array.fromAsync(records.history(record.supplierId, { pageSize: 2 }))
      expect(told.map(({ operation, changes }) => [operation, changes[0]?.after]).slice(0, 3)).toEqual([
        ['updated', 'c'],
        ['updated', 'b'],
        ['updated', 'a'],
      ])
      expect(told.map(({ operation }) => operation)).toEqual(['updated', 'updated', 'updated', 'created'])
    })

    it('makes exactly one record and one change of each write, whatever answers are lost', async () => {
      let lost = 0
      const real = fetchOf(world())
      // Each write is done twice and answered never, then once more; tokens and reads pass.
      const seen = new Map<string, number>()
      const losing: typeof fetch = async (input, init) => {
        const key = new Headers(init?.headers).get('idempotency-key')
        const answer = await real(input, init)
        const times = (seen.get(key ?? '') ?? 0) + 1
        seen.set(key ?? '', times)
        if (key === null || times > 2) return answer
        lost += 1
        throw new TypeError('fetch failed')
      }
      const client = clientOf(world(), 'integration', { fetch: losing, sleep: async () => {} })
      const records = client.records<Supplier>('suppliers')
      const created = await records.create(supplier({ supplierName: 'Lost and found' }))
      expect([created.isReplay, await countOf('Lost and found')]).toEqual([true, 1])
      const id = created.record.supplierId
      const add = [{ op: 'add', path: '/bankAccounts/-', value: { iban: 'NO9386011117947' } }] as const
      const changed = await client.records('suppliers').patch(id, add)
      expect(changed.record.bankAccounts).toHaveLength(1)
      await records.delete(id)
      expect([lost, await entriesOf(id)]).toEqual([6, 3])
    })

    it('tells that a write without a key may have been done, and does not repeat it', async () => {
      const real = fetchOf(world())
      const losing: typeof fetch = async (input, init) => {
        const answer = await real(input, init)
        if (String(input).includes('/oauth/')) return answer
        throw new TypeError('fetch failed')
      }
      const client = clientOf(world(), 'integration', { fetch: losing, sleep: async () => {} })
      const write = client.records('suppliers').create(supplier({ supplierName: 'Once' }), { idempotencyKey: false })
      expect(await thrownBy(write)).toBeInstanceOf(NetworkProblem)
      expect(await countOf('Once')).toBe(1)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/own-records.yaml'),
)
