// POST of a record: specification, customers 2; decision 5.
import { expect, it } from 'vitest'
import { findingsIn, runScenarios } from '../scenario.ts'
import { accepted } from './create-accepted.ts'
import { testLengths, tooLongTexts } from './create-lengths.ts'
import { refused } from './create-refused.ts'
import { type Body, recordsOf } from './records.ts'
import { inWordsOf, onEachStoreWith, type Resource } from './resource.ts'

/** A body as an answer repeats it: instants of customers have no zone there. */
const withoutZones = (body: Body): Body => JSON.parse(JSON.stringify(body).replaceAll(/(T[\d:.]{12})Z/g, '$1')) as Body

export function testCreation(resource: Resource): void {
  const { bodyOf, numberedBody, urlOf, post, postNumbered, create } = recordsOf(resource)
  const { limited } = resource.collections
  onEachStoreWith(resource, 'POST /v1/customers', (world) => {
    runScenarios(world, accepted(resource))
    runScenarios(world, refused(resource))
    runScenarios(world, tooLongTexts(resource))

    testLengths(resource, world)

    it('decision 5: refuses a customer that exists with 400, code 3010 on customerId, and changes nothing', async () => {
      await create(world(), 'TWICE')
      const before = await world().dump()
      const body = bodyOf('TWICE', { customerName: 'Other' })
      const again = await world().send({ as: 'integration', ...post(body) })
      expect([again.status, again.json]).toEqual([
        400,
        {
          ...withoutZones(body),
          notificationMessages: {
            customerId: [
              { code: 3010, message: expect.stringMatching(/^The data was changed or deleted by another user/) },
            ],
          },
        },
      ])
      expect(again.text).toContain('"code":3010')
      expect(await world().changesSince(before)).toEqual([])
    })

    it('decision 5: creates one customer and refuses all others when equal requests come at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => world().send({ as: 'integration', ...post(bodyOf('RACE')) })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 400)])
      for (const answer of answers.filter((one) => one.status === 400)) {
        expect(Object.keys(findingsIn(answer.json))).toEqual(['customerId'])
      }
    })

    it('customers 2: gives 32 customers that come at once 32 numbers without a gap or repeat', async () => {
      const first = await world().send({ as: 'integration', ...postNumbered(numberedBody()) })
      const answers = await Promise.all(
        Array.from({ length: 48 }, (_, index) =>
          world().send({
            as: 'integration',
            ...postNumbered(
              numberedBody(index % 3 === 0 ? { countryCode: 'XX' } : { customerName: `Parallel ${index}` }),
            ),
          }),
        ),
      )
      expect(answers.map((answer) => answer.status)).toEqual(answers.map((_, index) => (index % 3 === 0 ? 422 : 201)))
      const numbers = answers.flatMap(({ status, json }) => (status === 201 ? [Number(json.customerId)] : []))
      const next = Number(first.json.customerId) + 1
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, index) => next + index))
    })

    it('customers 2: refuses with 422, code 1010 when the series is used up', async () => {
      const body = {
        companyId: 'LT',
        customerName: 'Limited',
        customerGroupId: 'any',
        countryCode: 'any',
        contactPoints: [{ contactPointType: 'HQ' }],
      }
      const send = () => world().send({ as: 'integration', ...post(body, { url: limited }) })
      expect([(await send()).json.customerId, (await send()).json.customerId]).toEqual(['L001', 'L002'])
      const before = await world().dump()
      for (const answer of [await send(), await send()]) {
        expect([answer.status, findingsIn(answer.json)]).toEqual([
          422,
          { customerId: [1010, 'Auto-numbering series is missing'] },
        ])
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('decision 5: answers 201 with the customer as GET returns it, and an ETag', async () => {
      const created = await create(world(), 'SAME', { externalReference: 1.5 })
      const read = await world().send({ as: 'integration', url: urlOf('SAME') })
      expect([read.text, read.headers.etag]).toEqual([created.text, created.headers.etag])
      expect(String(created.headers.etag)).toMatch(/^"/)
    })

    it('customers 2: writes journal entries of the customer, its value and its relations', async () => {
      const created = await create(world(), 'JOURNAL')
      const entries = await world().query(
        `select * from audit_entry where record_key like '%"JOURNAL"%' order by entry_no`,
      )
      expect(
        entries.map(({ entity, operation, user_id, client_id }) => [entity, operation, user_id, client_id]),
      ).toEqual(
        [resource.entity, 'attribute-value', 'attribute-relation'].map((entity) => [
          entity,
          'create',
          'svc-integration',
          'integration',
        ]),
      )
      expect([entries[0]?.before, JSON.parse(String(entries[0]?.after))]).toEqual([
        '',
        inWordsOf(resource, created.json),
      ])
    })
  })
}
