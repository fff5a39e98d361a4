// Records of documents that a setup declares: created, read, changed and removed as customers are (decision 5).
import { expect, it } from 'vitest'
import { findingsIn } from '../support/scenario.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const GENERAL = { contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }

/** A body with what a supplier needs. */
const supplier = (changes: object = {}) => ({
  supplierName: 'Nordic Paper',
  countryCode: 'NO',
  contactPoints: [GENERAL],
  ...changes,
})

onEachStore(
  'Records of the setup',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const post = (url: string, body: unknown) => send({ method: 'POST', url, body })
    const create = async (url: string, body: unknown) => {
      const answer = await post(url, body)
      expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
      return answer
    }

    it('creates a record with the next number and its defaults, answered as GET answers it', async () => {
      const created = await create('/v1/suppliers', supplier({ bankAccounts: [{ iban: 'NO9386011117947' }] }))
      expect(created.headers.location).toBe('/v1/suppliers/50000')
      expect(created.json).toMatchObject({
        companyId: 'EN',
        supplierId: '50000',
        payment: { paymentTermsId: '', status: 'N', creditLimit: 0 },
        bankAccounts: [{ iban: 'NO9386011117947', currencyCode: '', isMain: false }],
        parentSupplierId: '',
        lastUpdated: { updatedBy: 'svc-integration' },
        relatedValues: [],
      })
      const read = await send({ url: '/v1/suppliers/50000' })
      expect([read.status, read.text]).toEqual([200, created.text])
      expect(read.headers.etag).toBe(created.headers.etag)
      expect(
        (await send({ url: '/v1/suppliers/50000', headers: { 'if-none-match': String(read.headers.etag) } })).status,
      ).toBe(304)
    })

    it('takes keys of several parts, of any type', async () => {
      const rate = { currencyCode: 'USD', rateDate: '2026-01-31', rate: 10.123456 }
      const created = await create('/v1/exchange-rates', rate)
      expect(created.headers.location).toBe('/v1/exchange-rates/USD/2026-01-31T00%3A00%3A00.000')
      expect(created.json).toMatchObject({ rateDate: '2026-01-31T00:00:00.000', rate: 10.123456, isOfficial: false })
      for (const url of [String(created.headers.location), '/v1/exchange-rates/USD/2026-01-31']) {
        expect((await send({ url })).text).toBe(created.text)
      }
      const again = await post('/v1/exchange-rates', rate)
      expect([again.status, findingsIn(again.json)]).toEqual([
        400,
        {
          rateDate: [
            3010,
            'The data was changed or deleted by another user: exchange-rates USD 2026-01-31T00:00:00.000 exists already.',
          ],
        },
      ])
      const missing = await send({ url: '/v1/exchange-rates/USD/yesterday' })
      expect([missing.status, missing.json.message]).toEqual([
        404,
        'The entity of the following parameters [Company: EN, CurrencyCode: USD, RateDate: yesterday] was not found.',
      ])
    })

    it('changes a record, and answers what it is now', async () => {
      const created = await create('/v1/contracts', { contractId: 7, title: 'Cleaning', order: 2 })
      expect(created.json).toMatchObject({ contractId: 7, order: 2, priority: 3, supplierId: '' })
      const etag = String(created.headers.etag)
      const body = [{ op: 'replace', path: '/title', value: 'Windows' }]
      const changed = await send({ method: 'PATCH', url: '/v1/contracts/7', body, headers: { 'if-match': etag } })
      expect([changed.status, changed.json.title, changed.json.order]).toEqual([200, 'Windows', 2])
      expect((await send({ url: '/v1/contracts/7' })).text).toBe(changed.text)
      const late = await send({ method: 'PATCH', url: '/v1/contracts/7', body, headers: { 'if-match': etag } })
      expect([late.status, late.json.message]).toEqual([409, expect.stringContaining('svc-integration changed title')])
    })

    it('removes a record, unless the setup names a state for that', async () => {
      await create('/v1/contracts', { contractId: 8 })
      expect((await send({ method: 'DELETE', url: '/v1/contracts/8' })).status).toBe(200)
      expect((await send({ url: '/v1/contracts/8' })).status).toBe(404)
      const { supplierId } = (await create('/v1/suppliers', supplier())).json
      const url = `/v1/suppliers/${supplierId}`
      expect((await send({ method: 'DELETE', url })).status).toBe(200)
      expect((await send({ url })).json.payment.status).toBe('C')
      expect((await send({ url: `/v1/attribute-values/A6/${supplierId}/0` })).json).toMatchObject({
        description: 'Nordic Paper',
        status: 'C',
      })
    })

    it('finds all that is wrong together, at its fields', async () => {
      const body = supplier({
        supplierId: 'X',
        supplierName: 'x'.repeat(51),
        countryCode: 'XX',
        registrationNumber: '12',
        payment: { paymentTermsId: '99', status: 'Q', creditLimit: 1_000_000.01 },
        bankAccounts: [{ currencyCode: 'XXX' }, { iban: 'no' }],
        parentSupplierId: 'NOBODY',
      })
      const refused = await post('/v1/suppliers', body)
      expect(refused.status).toBe(422)
      expect(findingsIn(refused.json)).toEqual({
        supplierId: [1010, 'You cannot enter a new ID manually (SupplierId).'],
        supplierName: [1010, 'The field SupplierName must be a string or array type with a maximum length of 50.'],
        countryCode: [3010, 'Illegal value.'],
        registrationNumber: [3010, 'The field RegistrationNumber must match [0-9]{9}.'],
        'payment.paymentTermsId': [3010, 'Illegal value.'],
        'payment.status': [3010, 'Illegal value.'],
        'payment.creditLimit': [3010, 'The field CreditLimit must be at least 0 and at most 1000000.'],
        'bankAccounts.0.iban': [1010, 'The Iban field is required.'],
        'bankAccounts.0.currencyCode': [3010, 'Illegal value.'],
        'bankAccounts.1.iban': [3010, 'The field Iban must match [A-Z]{2}[0-9A-Z]{13,32}.'],
        parentSupplierId: [3010, 'There is no record NOBODY of suppliers.'],
      })
      expect(findingsIn((await post('/v1/suppliers', {})).json)).toEqual({
        supplierName: [1010, 'The SupplierName field is required.'],
        countryCode: [1010, 'The CountryCode field is required.'],
        contactPoints: [3010, 'A contact point of the General type is required.'],
      })
    })

    it('refuses a value that another record has, where it must be unique', async () => {
      const first = await create('/v1/suppliers', supplier({ registrationNumber: '123456789' }))
      const second = await post('/v1/suppliers', supplier({ registrationNumber: '123456789' }))
      const taken = { registrationNumber: [3010, '123456789: already exists. Please enter a unique value'] }
      expect([second.status, findingsIn(second.json)]).toEqual([422, taken])
      const other = await create('/v1/suppliers', supplier({ registrationNumber: '987654321' }))
      const body = [{ op: 'replace', path: '/registrationNumber', value: '123456789' }]
      const url = String(other.headers.location)
      expect(findingsIn((await send({ method: 'PATCH', url, body })).json)).toEqual(taken)
      expect((await send({ method: 'PATCH', url: String(first.headers.location), body })).status).toBe(200)
    })

    it('describes its addresses, with an example that is accepted', async () => {
      const { paths, components } = (await send({ url: '/openapi.json' })).json
      expect(Object.keys(paths).filter((path) => path.startsWith('/v1/exchange-rates'))).toEqual([
        '/v1/exchange-rates',
        '/v1/exchange-rates/{currencyCode}/{rateDate}',
        '/v1/exchange-rates/{currencyCode}/{rateDate}/history',
        '/v1/exchange-rates/batch',
        '/v1/exchange-rates/batch/preview',
        '/v1/exchange-rates/batch/patches',
      ])
      const { post: creation } = paths['/v1/suppliers']
      expect([creation.operationId, creation['x-permission']]).toEqual(['createSuppliersRecord', 'suppliers:create'])
      const reference: string = creation.requestBody.content['application/json'].schema.$ref
      const schema = components.schemas[reference.split('/').at(-1) ?? '']
      expect(schema.required).toEqual(['supplierName', 'countryCode', 'contactPoints'])
      expect(schema.properties.registrationNumber).toMatchObject({ maxLength: 25, pattern: '^(?:[0-9]{9})?$' })
      const [example] = schema.examples
      expect(example).toMatchObject({ countryCode: 'NO', payment: { status: 'N', creditLimit: 1 } })
      expect((await post('/v1/suppliers?validateOnly=true', { ...example, registrationNumber: '' })).status).toBe(200)
    })

    it('takes no new reference to a closed record, and keeps those that are there (decision 2.2)', async () => {
      const idOf = async (changes: object = {}) => (await create('/v1/suppliers', supplier(changes))).json.supplierId
      const [open, closed] = [await idOf(), await idOf()]
      const child = await idOf({ parentSupplierId: closed })
      await create('/v1/contracts', { contractId: 71, supplierId: closed })
      await create('/v1/contracts', { contractId: 72, supplierId: open })
      expect((await send({ method: 'DELETE', url: `/v1/suppliers/${closed}` })).status).toBe(200)
      const before = await world().dump()
      const message = `The record ${closed} of suppliers is closed.`
      const patch = (url: string, path: string, value: unknown) =>
        send({ method: 'PATCH', url, body: [{ op: 'replace', path, value }] })
      for (const answer of [
        await post('/v1/contracts', { contractId: 73, supplierId: closed }),
        await post('/v1/contracts?validateOnly=true', { contractId: 73, supplierId: closed }),
        await patch('/v1/contracts/72', '/supplierId', closed),
      ]) {
        expect([answer.status, findingsIn(answer.json)]).toEqual([422, { supplierId: [3010, message] }])
      }
      const parent = await patch(`/v1/suppliers/${open}`, '/parentSupplierId', closed)
      expect([parent.status, findingsIn(parent.json)]).toEqual([422, { parentSupplierId: [3010, message] }])
      const requests = [{ id: '1', method: 'POST', url: '/v1/contracts', body: { contractId: 73, supplierId: closed } }]
      expect((await post('/v1/batch', { requests })).json.responses).toMatchObject([{ status: 422 }])
      expect(await world().changesSince(before)).toEqual([])
      // Everything else of a record whose reference is there already may change.
      expect((await patch('/v1/contracts/71', '/title', 'Old')).status).toBe(200)
      expect((await patch('/v1/contracts/71', '/supplierId', closed)).status).toBe(200)
      expect((await patch(`/v1/suppliers/${child}`, '/supplierName', 'Old')).status).toBe(200)
      expect((await patch(`/v1/suppliers/${closed}`, '/payment/status', 'N')).status).toBe(200)
      expect((await patch('/v1/contracts/72', '/supplierId', closed)).status).toBe(200)
    })

    it('answers other methods and addresses as those of resources', async () => {
      for (const [method, url, allow] of [
        ['GET', '/v1/suppliers', 'POST'],
        ['DELETE', '/v1/suppliers/', 'POST'],
        ['PUT', '/v1/suppliers/1', 'GET, HEAD, PATCH, DELETE'],
        ['DELETE', '/v1/suppliers/1/history', 'GET, HEAD'],
        ['DELETE', '/v1/objects/suppliers', 'GET, HEAD'],
        ['DELETE', '/v1/customers/1/history', 'GET, HEAD'],
      ] as const) {
        const answer = await send({ method, url })
        expect([url, answer.status, answer.json.code, answer.headers.allow]).toEqual([url, 405, 1030, allow])
      }
      for (const [method, url] of [
        ['POST', '/v1/unknown'],
        ['GET', '/v1/unknown'],
        ['GET', '/v1/unknown/1'],
        ['GET', '/v2/suppliers/1'],
        ['GET', '/v1/suppliers/1/2'],
        ['GET', '/v1/exchange-rates/USD/2026-01-31/history/x'],
        ['GET', '/v1/a/b/c/d/e/f/g/h'],
      ] as const) {
        const answer = await send({ method, url })
        expect([url, answer.status, answer.json.code]).toEqual([url, 404, 1030])
      }
    })

    it('needs the permission of the document, in a company that has it', async () => {
      const url = '/v1/suppliers'
      const body = supplier()
      for (const as of ['reader', 'nobody']) {
        const refused = await world().send({ as, method: 'POST', url, body })
        expect([refused.status, refused.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
      }
      expect((await world().send({ method: 'POST', url, body })).status).toBe(401)
      expect((await send({ method: 'POST', url: `${url}?companyId=SV`, body })).status).toBe(403)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/own-records.yaml'),
)
