// GET of a record: specification, customers 1; a customer is a value of the customer attribute: decision 5.
import { beforeAll, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../scenario.ts'
import { notFound, recordsOf, statusOf } from './records.ts'
import { onEachStoreWith, type Resource } from './resource.ts'

const scenarios = (resource: Resource): Scenario[] => {
  const { urlOf, guarded } = recordsOf(resource)
  const { usual } = resource.collections
  return [
    {
      name: 'customers 1: answers the customer to a caller who may only read',
      as: 'reader',
      url: urlOf('READ'),
      status: 200,
      includes: { customerId: 'READ', companyId: 'EN', payment: { status: statusOf(resource, 'Active') } },
    },
    {
      name: 'customers 1: takes the company in any letter case, unknown parameters and an empty one (habits)',
      url: `${urlOf('READ')}?&foo=1&COMPANYID=en`,
      status: 200,
      includes: { customerId: 'READ', companyId: 'EN' },
    },
    { name: 'customers 1: takes a slash at the end (decision 0)', url: `${urlOf('READ')}/`, status: 200 },
    {
      name: 'customers 1: reads a customer whose id needs quoting in an address',
      url: urlOf('A%2FB%20%C3%98'),
      status: 200,
      includes: { customerId: 'A/B Ø' },
    },
    {
      name: 'customers 1: refuses an unknown customer with 404, code 1040, naming company and customer (decision 1)',
      url: urlOf('NOBODY'),
      status: 404,
      json: notFound(resource, 'EN', 'NOBODY'),
    },
    {
      name: 'customers 1: matches the id of a customer exactly',
      url: urlOf('read'),
      status: 404,
      json: notFound(resource, 'EN', 'read'),
    },
    {
      name: 'customers 1: does not find a customer of another company of the caller',
      url: `${urlOf('READ')}?companyId=nu`,
      status: 404,
      json: notFound(resource, 'NU', 'READ'),
    },
    {
      name: 'customers 1: finds nobody in a company that keeps no customers',
      url: `${urlOf('READ')}?companyId=NC`,
      status: 404,
      json: notFound(resource, 'NC', 'READ'),
    },
    ...guarded('customers 1', { method: 'GET', url: urlOf('READ') }),
    ...guarded('customers 1', { method: 'GET', url: urlOf('NOBODY') }).map((scenario) => ({
      ...scenario,
      name: `${scenario.name}, also where there is no customer`,
    })),
    ...(['GET', 'PATCH', 'DELETE'] as const).flatMap((method) =>
      [usual, `${usual}/`, `${usual}?companyId=EN`].map(
        (url): Scenario => ({
          name: `customers 1: refuses ${method} ${url} without an id with 405, naming POST in Allow`,
          method,
          url,
          ...(method === 'PATCH' ? { body: [] } : {}),
          status: 405,
          code: 1030,
          answerHeaders: { allow: 'POST' },
        }),
      ),
    ),
    {
      name: 'customers 1: refuses a method that a customer does not have with 405 and its methods in Allow',
      method: 'PUT',
      url: urlOf('READ'),
      body: {},
      status: 405,
      code: 1030,
      answerHeaders: { allow: 'GET, HEAD, PATCH, DELETE' },
    },
  ]
}

export function testReads(resource: Resource): void {
  const { bodyOf, urlOf, post, create } = recordsOf(resource)

  onEachStoreWith(resource, 'GET /v1/customers/{customerId}', (world) => {
    beforeAll(async () => {
      await create(world(), 'READ')
      await create(world(), 'A/B Ø')
      await create(world(), 'VALUE')
    })

    runScenarios(world, scenarios(resource))

    const get = (url: string, headers = {}) => world().send({ as: 'integration', url, headers })
    const patch = (url: string, body: unknown, headers = {}) =>
      world().send({ as: 'integration', method: 'PATCH', url, body, headers })

    it('decision 5: answers an ETag, and 304 while the customer is as the caller knows it', async () => {
      const first = await get(urlOf('READ'))
      const etag = String(first.headers.etag)
      const known = await get(urlOf('READ'), { 'if-none-match': etag })
      expect([known.status, known.text, known.headers.etag]).toEqual([304, '', etag])
      await patch(urlOf('READ'), [{ op: 'replace', path: '/aliasName', value: 'other' }])
      const after = await get(urlOf('READ'), { 'if-none-match': etag })
      expect([after.status, after.json.aliasName]).toEqual([200, 'other'])
    })

    it('customers 1: never answers a null', async () => {
      const { text } = await get(urlOf('READ'))
      expect(text).not.toMatch(/\bnull\b/)
      expect(text).not.toMatch(/": |, "/)
    })

    it('decision 5: a customer is readable as a value of the customer attribute, described by its name', async () => {
      const value = await get('/v1/attribute-values/A4/VALUE/0')
      expect([value.status, value.json]).toMatchObject([
        200,
        {
          attributeId: 'A4',
          attributeName: 'CUSTOMER',
          attributeValue: 'VALUE',
          description: 'Customer VALUE',
          periodFrom: 0,
          periodTo: 209912,
          status: 'N',
          relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
        },
      ])
    })

    it('decision 5: a customer is described by the id of its attribute on the object endpoints', async () => {
      const url = `/v1/objects/attribute-values?companyId=EN&filter=${encodeURIComponent(
        "attributeId eq 'A4' and attributeValue eq 'VALUE'",
      )}&select=attributeValue,description`
      const listed = await get(url)
      expect([listed.status, listed.json]).toEqual([200, [{ attributeValue: 'VALUE', description: 'Customer VALUE' }]])
      const relations = await get(
        `/v1/objects/attribute-relations?companyId=EN&filter=${encodeURIComponent("attributeValue eq 'VALUE'")}&select=${encodeURIComponent('attributeValue[C;T]')}`,
      )
      expect([relations.status, relations.json]).toEqual([
        200,
        [{ attributeValue: 'VALUE', 'attributeValue(description)': 'Customer VALUE' }],
      ])
    })

    it('decision 5: a customer is legal as a related value at once, and no longer when it is closed', async () => {
      await create(world(), 'LEGAL')
      const project = (attributeValue: string) =>
        world().send({
          as: 'integration',
          method: 'POST',
          url: '/v1/attribute-values',
          body: {
            attributeId: 'PR',
            attributeValue,
            relatedValues: [{ relationId: 'PROJCUST', relatedValue: 'LEGAL' }],
          },
        })
      expect((await project('P7')).status).toBe(201)
      expect((await world().send({ as: 'integration', method: 'DELETE', url: urlOf('LEGAL') })).status).toBe(200)
      expect((await get('/v1/attribute-values/A4/LEGAL/0')).json.status).toBe('C')
      const refused = await project('P8')
      expect([refused.status, refused.json.relatedValues[0].notificationMessages]).toEqual([
        422,
        { relatedValue: [{ code: 3010, message: 'LEGAL is not a legal CUSTOMER' }] },
      ])
      await patch(urlOf('LEGAL'), [{ op: 'replace', path: '/payment/status', value: statusOf(resource, 'Active') }])
      expect((await get('/v1/attribute-values/A4/LEGAL/0')).json.status).toBe('N')
      expect((await project('P8')).status).toBe(201)
    })

    it('decision 5: the value is renamed with the customer', async () => {
      await create(world(), 'RENAME')
      await patch(urlOf('RENAME'), [{ op: 'replace', path: '/customerName', value: 'New name' }])
      expect((await get('/v1/attribute-values/A4/RENAME/0')).json.description).toBe('New name')
    })

    it('decision 5: the customer takes up a value that was there before, with its relations', async () => {
      const value = await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-values',
        body: {
          attributeId: 'A4',
          attributeValue: 'BEFORE',
          description: 'Before',
          relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO2' }],
        },
      })
      expect(value.status).toBe(201)
      const created = await world().send({ as: 'integration', ...post(bodyOf('BEFORE', { relatedValues: [] })) })
      expect([created.status, created.json.relatedValues?.[0]?.relatedValue]).toEqual([201, 'NO2'])
      expect((await get('/v1/attribute-values/A4/BEFORE/0')).json.description).toBe('Customer BEFORE')
    })

    it('decision 5: related values are attribute relations, and the other way round', async () => {
      const created = await create(world(), 'RELATED')
      const relation = await get('/v1/attribute-relations/A4/RELATED/LI/NO1')
      expect([relation.status, relation.json.relationValue]).toEqual([200, 'NO1'])
      const added = await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-relations',
        body: { attributeId: 'A4', attributeValue: 'RELATED', relatedAttributeId: 'RE', relationValue: 'N' },
      })
      expect(added.status).toBe(201)
      const customer = await get(urlOf('RELATED'))
      expect(customer.json.relatedValues).toMatchObject([{ relatedValue: 'NO1' }, { relatedValue: 'N' }])
      expect(customer.headers.etag).not.toBe(created.headers.etag)
      const stale = await patch(urlOf('RELATED'), [{ op: 'replace', path: '/aliasName', value: 'x' }], {
        'if-match': created.headers.etag,
      })
      expect([stale.status, stale.json.code]).toEqual([409, 3090])
      const removed = await patch(urlOf('RELATED'), [{ op: 'remove', path: '/relatedValues/1' }])
      expect(removed.status).toBe(200)
      expect((await get('/v1/attribute-relations/A4/RELATED/RE/N')).status).toBe(404)
    })

    it('decision 5: the object endpoint shows the code of the status', async () => {
      await create(world(), 'PARKED', { payment: { status: statusOf(resource, 'Parked') } })
      const url = `/v1/objects/customers?companyId=EN&filter=${encodeURIComponent("customerId eq 'PARKED'")}&select=payment(status)`
      const listed = await get(url)
      expect([listed.status, listed.json]).toEqual([200, [{ payment: { status: 'P' } }]])
    })
  })
}
