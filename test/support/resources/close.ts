// DELETE of a record: specification, customers 4 and "States and transitions"; decision 5.
import { beforeAll, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../scenario.ts'
import { denied, notFound, recordsOf, replace, statusOf } from './records.ts'
import { inWordsOf, onEachStoreWith, type Resource } from './resource.ts'

const scenarios = (resource: Resource): Scenario[] => {
  const { urlOf, guarded } = recordsOf(resource)
  return [
    {
      name: 'customers 4: refuses an unknown customer with 404, code 1040',
      method: 'DELETE',
      url: urlOf('NOBODY'),
      status: 404,
      json: notFound(resource, 'EN', 'NOBODY'),
    },
    {
      name: 'customers 4: finds nobody in a company that keeps no customers',
      method: 'DELETE',
      url: `${urlOf('OPEN')}?companyId=NC`,
      status: 404,
      code: 1040,
    },
    ...guarded('customers 4', { method: 'DELETE', url: urlOf('OPEN') }),
    {
      name: 'customers 4: refuses a caller who may only read with 403',
      as: 'reader',
      method: 'DELETE',
      url: urlOf('OPEN'),
      status: 403,
      json: denied(resource),
    },
  ]
}

export function testClosing(resource: Resource): void {
  const { urlOf, create } = recordsOf(resource)

  onEachStoreWith(resource, 'DELETE /v1/customers/{customerId}', (world) => {
    beforeAll(async () => {
      await create(world(), 'OPEN')
    })

    runScenarios(world, scenarios(resource))

    const get = async (url: string) => (await world().send({ as: 'integration', url })).json
    const close = (customerId: string, headers = {}) =>
      world().send({ as: 'integration', method: 'DELETE', url: urlOf(customerId), headers })

    it('customers 4: closes with 200 and no content; the customer stays readable with status Closed', async () => {
      const created = await create(world(), 'CLOSE')
      const closed = await close('CLOSE')
      expect([closed.status, closed.text]).toEqual([200, ''])
      const { lastUpdated: _, ...before } = created.json
      const { lastUpdated: _updated, ...after } = await get(urlOf('CLOSE'))
      expect(after).toEqual({ ...before, payment: { ...before.payment, status: statusOf(resource, 'Closed') } })
      expect((await get('/v1/attribute-values/A4/CLOSE/0')).status).toBe('C')
      expect((await get('/v1/attribute-relations/A4/CLOSE/LI/NO1')).relationValue).toBe('NO1')
    })

    it('customers 4: closes a closed customer again with 200, and changes nothing', async () => {
      await create(world(), 'AGAIN')
      expect((await close('AGAIN')).status).toBe(200)
      const before = await world().dump()
      const again = await close('AGAIN')
      expect([again.status, again.text]).toEqual([200, ''])
      // The answer of a request with a key is kept, whatever it has changed.
      const isOfRecords = (row: string) => !/^(?:journal_counter|kept_answer) /.test(row)
      const written = (await world().changesSince(before)).filter(isOfRecords)
      expect(written).toEqual([])
    })

    it('decision 5: PATCH of /payment/status opens a closed customer again', async () => {
      await create(world(), 'REOPEN')
      await close('REOPEN')
      const opened = await world().send({
        as: 'integration',
        method: 'PATCH',
        url: urlOf('REOPEN'),
        body: [{ op: 'Replace', path: '/payment/status', value: 'N' }],
      })
      expect([opened.status, opened.json.payment.status]).toEqual([200, statusOf(resource, 'Active')])
      expect((await get('/v1/attribute-values/A4/REOPEN/0')).status).toBe('N')
    })

    it('decision 5: refuses to close with an If-Match that no longer holds with 409, code 3090', async () => {
      const created = await create(world(), 'STALE')
      await world().send({
        as: 'integration',
        method: 'PATCH',
        url: urlOf('STALE'),
        body: [replace('/aliasName', 'newer')],
      })
      const before = await world().dump()
      const stale = await close('STALE', { 'if-match': created.headers.etag })
      expect([stale.status, stale.json]).toEqual([
        409,
        {
          code: 3090,
          message: expect.stringMatching(
            /^The data was changed or deleted by another user: svc-integration changed aliasName/,
          ),
        },
      ])
      expect(await world().changesSince(before)).toEqual([])
      const { headers } = await world().send({ as: 'integration', url: urlOf('STALE') })
      expect((await close('STALE', { 'if-match': headers.etag })).status).toBe(200)
    })

    it('decision 5: closes once when many closings come at once', async () => {
      await create(world(), 'RACE')
      const answers = await Promise.all(Array.from({ length: 8 }, () => close('RACE')))
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
      const rows = await world().query(
        `select count(*) as n from audit_entry where entity = '${resource.entity}' and operation = 'delete' and record_key = '["RACE"]'`,
      )
      expect(Number(rows[0]?.n)).toBe(1)
    })

    it('customers 4: writes a journal entry of the closing and one of the value', async () => {
      const created = await create(world(), 'JOURNAL')
      await close('JOURNAL')
      const entries = await world().query(
        `select * from audit_entry where record_key like '%"JOURNAL"%' and operation <> 'create' order by entry_no`,
      )
      expect(entries.map(({ entity, operation }) => [entity, operation])).toEqual([
        [resource.entity, 'delete'],
        ['attribute-value', 'update'],
      ])
      expect(JSON.parse(String(entries[0]?.before))).toEqual(inWordsOf(resource, created.json))
      expect(JSON.parse(String(entries[0]?.after))).toEqual(inWordsOf(resource, await get(urlOf('JOURNAL'))))
    })
  })
}
