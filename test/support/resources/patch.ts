// PATCH of a record: specification, customers 3; decisions 1, 2 (whole call) and 5.
import { beforeAll, expect, it } from 'vitest'
import { runScenarios } from '../scenario.ts'
import { changed } from './patch-changes.ts'
import { refusedPatches } from './patch-refusals.ts'
import { add, GENERAL, recordsOf, replace } from './records.ts'
import { inWordsOf, onEachStoreWith, type Resource } from './resource.ts'

export function testPatches(resource: Resource): void {
  const { numberedBody, urlOf, numberedUrl, postNumbered, create } = recordsOf(resource)

  onEachStoreWith(resource, 'PATCH /v1/customers/{customerId}', (world) => {
    beforeAll(async () => {
      await create(world(), 'PATCH')
    })

    runScenarios(world, changed(resource))
    runScenarios(world, refusedPatches(resource))

    const send = (customerId: string, body: unknown, headers = {}) =>
      world().send({ as: 'integration', method: 'PATCH', url: urlOf(customerId), body, headers })
    const get = (customerId: string) => world().send({ as: 'integration', url: urlOf(customerId) })

    it('decision 5: answers 200 with the customer as GET returns it, and its new ETag', async () => {
      const created = await create(world(), 'ANSWER')
      const answer = await send('ANSWER', [replace('/aliasName', 'a'), replace('/customerName', 'b')])
      const read = await get('ANSWER')
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([200, read.text, read.headers.etag])
      expect(answer.headers.etag).not.toBe(created.headers.etag)
    })

    it('decision 5: refuses an If-Match that no longer holds with 409, code 3090, saying who changed what', async () => {
      const tag = (await create(world(), 'MATCH')).headers.etag
      const first = await send('MATCH', [replace('/aliasName', 'first')], { 'if-match': tag })
      expect(first.status).toBe(200)
      const before = await world().dump()
      const second = await send('MATCH', [replace('/aliasName', 'second')], { 'if-match': tag })
      expect([second.status, second.json.code]).toEqual([409, 3090])
      expect(second.json.message).toMatch(
        /^The data was changed or deleted by another user: svc-integration changed aliasName\b.* at \d{4}-/,
      )
      expect(await world().changesSince(before)).toEqual([])
      expect((await send('MATCH', [], { 'if-match': first.headers.etag })).status).toBe(200)
    })

    it('decision 5: names nobody where the If-Match was never a state of the record', async () => {
      const other = (await create(world(), 'TAG-OTHER')).headers.etag
      const tag = String((await create(world(), 'TAGS')).headers.etag)
      const number = tag.slice(1, -1)
      const newer = (await create(world(), 'TAG-NEWER')).headers.etag
      expect((await send('TAGS', [replace('/aliasName', 'first')])).status).toBe(200)
      const before = await world().dump()
      const refused = async (match: string, method: 'PATCH' | 'DELETE' = 'PATCH') => {
        const body = method === 'PATCH' ? { body: [replace('/aliasName', 'second')] } : {}
        const headers = { 'if-match': match }
        const answer = await world().send({ as: 'integration', method, url: urlOf('TAGS'), headers, ...body })
        return [match, answer.status, answer.json.message]
      }
      const never = [
        '"0"',
        '"1"',
        number,
        `"${number}-gzip"`,
        `"x${tag}`,
        `${other}`,
        `${newer}`,
        '"999999999"',
        'none',
      ]
      for (const match of never) {
        const plain = [match, 409, 'The data was changed or deleted by another user.']
        expect(await refused(match)).toEqual(plain)
        expect(await refused(match, 'DELETE')).toEqual(plain)
      }
      for (const match of [tag, `"1", ${tag}`, `${tag},"999999999"`]) {
        const named = expect.stringMatching(/another user: svc-integration changed aliasName\b/)
        expect(await refused(match)).toEqual([match, 409, named])
        expect(await refused(match, 'DELETE')).toEqual([match, 409, named])
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('decision 5: of two changes with the same If-Match at once, one is 200 and one is 409', async () => {
      for (const round of [1, 2, 3, 4]) {
        const tag = (await create(world(), `BOTH${round}`)).headers.etag
        const answers = await Promise.all(
          ['one', 'two'].map((alias) => send(`BOTH${round}`, [replace('/aliasName', alias)], { 'if-match': tag })),
        )
        expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
        const winner = answers.find((answer) => answer.status === 200)
        expect((await get(`BOTH${round}`)).text).toBe(winner?.text)
      }
    })

    it('decision 2: keeps every one of many additions that come at once', async () => {
      await create(world(), 'MANY')
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          send('MANY', [add('/contactPoints/-', { contactPointType: '2', sortOrder: index + 1 })]),
        ),
      )
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
      const orders = (await get('MANY')).json.contactPoints.map((point: { sortOrder: number }) => point.sortOrder)
      expect(orders.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 17 }, (_, index) => index))
    })

    it('customers 3: replaces a whole contact point by its index', async () => {
      await create(world(), 'KEY', { contactPoints: [GENERAL, { contactPointType: '2' }] })
      const same = await send('KEY', [replace('/contactPoints/1', { contactPointType: '2', sortOrder: 4 })])
      expect([same.status, same.json.contactPoints?.[1].sortOrder]).toEqual([200, 4])
    })

    it('customers 3: leaves alone what was legal when it was written', async () => {
      await create(world(), 'OLD', { payment: { payMethod: 'CH' } })
      const close = (method: 'DELETE' | 'PATCH', body?: unknown) =>
        world().send({ as: 'integration', method, url: '/v1/attribute-values/PM/CH/0', ...(body ? { body } : {}) })
      expect((await close('DELETE')).status).toBe(200)
      expect((await send('OLD', [replace('/aliasName', 'still')])).status).toBe(200)
      expect((await send('OLD', [replace('/payment/payMethod', 'IP')])).status).toBe(200)
      expect((await send('OLD', [replace('/payment/payMethod', 'CH')])).status).toBe(422)
      await close('PATCH', [replace('/status', 'N')])
    })

    it('customers 3: changes a customer of a company that numbers them', async () => {
      const { json } = await world().send({ as: 'integration', ...postNumbered(numberedBody()) })
      const answer = await world().send({
        as: 'integration',
        method: 'PATCH',
        url: numberedUrl(json.customerId).replace('=NU', '=nu'),
        body: [replace('/aliasName', 'numbered')],
      })
      expect([answer.status, answer.json.aliasName, answer.json.customerId]).toEqual([200, 'numbered', json.customerId])
    })

    it('customers 3: writes a journal entry of the change, one of the value and one of each relation', async () => {
      const created = await create(world(), 'JOURNAL')
      const answer = await send('JOURNAL', [
        replace('/customerName', 'Other'),
        add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'N' }),
        replace('/relatedValues/0/relatedValue', 'NO2'),
      ])
      const entries = await world().query(
        `select * from audit_entry where record_key like '%"JOURNAL"%' order by entry_no`,
      )
      const changes = entries.slice(3)
      expect(changes.map(({ entity, operation }) => `${operation} ${entity}`).sort()).toEqual([
        'create attribute-relation',
        'create attribute-relation',
        'delete attribute-relation',
        'update attribute-value',
        `update ${resource.entity}`,
      ])
      const ofCustomer = changes.find(({ entity }) => entity === resource.entity)
      expect(JSON.parse(String(ofCustomer?.before))).toEqual(inWordsOf(resource, created.json))
      expect(JSON.parse(String(ofCustomer?.after))).toEqual(inWordsOf(resource, answer.json))
    })
  })
}
