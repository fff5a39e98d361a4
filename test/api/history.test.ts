// GET …/history of single records: who has changed which members when, as far as the caller may see them.
import { expect, it } from 'vitest'
import { type RuledWorld, startRuled } from '../support/ruled-records.ts'
import { onEachStore, type Sent } from '../support/world.ts'

const VALUE = '/v1/attribute-values/C1/CC100/0'
const RELATION = '/v1/attribute-relations/C1/CC100/C3/P1'
const CUSTOMER = '/v1/customers/1001'
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

interface Entry {
  readonly number: number
  readonly time: string
  readonly userId?: string
  readonly clientId?: string
  readonly operation: string
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[]
}

onEachStore(
  'the history of a record',
  (world) => {
    const ruled = () => world() as RuledWorld
    const get = (url: string, as = 'admin') => world().send({ as, url })
    const write = async (method: Sent['method'], url: string, body?: unknown) => {
      const sent = { as: 'admin', url, ...(method ? { method } : {}), ...(body === undefined ? {} : { body }) }
      const answer = await world().send(sent)
      expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
      return answer
    }
    const historyOf = async (url: string, as = 'admin'): Promise<Entry[]> => {
      const { status, json } = await get(`${url}/history`, as)
      expect([status, json.next]).toEqual([200, ''])
      return json.changes
    }
    const paths = (entries: readonly Entry[]) =>
      entries.map(({ operation, changes }) => [operation, ...changes.map(({ path }) => path)])

    it('tells of a customer who has changed what, the newest first', async () => {
      await write('PATCH', CUSTOMER, replace('/invoice/creditLimit', 5000))
      await write('PATCH', CUSTOMER, replace('/customerName', 'Nordlys'))
      const [named, limited, created] = await historyOf(CUSTOMER)
      expect(named).toMatchObject({
        userId: 'svc-admin',
        clientId: 'admin',
        operation: 'updated',
        changes: [{ path: '/customerName', before: 'Customer 1001', after: 'Nordlys' }],
      })
      expect(limited?.changes).toEqual([{ path: '/invoice/creditLimit', before: 4711.5, after: 5000 }])
      expect(created).toMatchObject({ operation: 'created', changes: [{ path: '', after: { customerId: '1001' } }] })
      expect(Object.keys(created?.changes[0] ?? {})).toEqual(['path', 'after'])
      expect(named?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const then = await get(`${CUSTOMER}?asOf=${limited?.number}`)
      expect(then.json).toMatchObject({ customerName: 'Customer 1001', invoice: { creditLimit: 5000 } })
    })

    it('tells of a value also the changes of its relations', async () => {
      await write('PATCH', VALUE, replace('/description', 'Head'))
      await write('PATCH', RELATION, replace('/percentage', 12.5))
      await write('DELETE', VALUE)
      const history = await historyOf(VALUE)
      expect(paths(history).slice(0, 3)).toEqual([
        ['updated', '/status'],
        ['updated', '/relatedValues'],
        ['updated', '/description'],
      ])
      expect(paths(history).at(-1)).toEqual(['created', ''])
    })

    it('of a deleted relation stays readable to those who could see it', async () => {
      const key = { attributeId: 'C1', attributeValue: 'CC200', relatedAttributeId: 'C3' }
      for (const relationValue of ['P1', 'P2']) {
        await write('POST', '/v1/attribute-relations', { ...key, relationValue, percentage: 10 })
        await write('DELETE', `/v1/attribute-relations/C1/CC200/C3/${relationValue}`)
      }
      const url = '/v1/attribute-relations/C1/CC200/C3'
      expect(paths(await historyOf(`${url}/P1`, 'rows'))).toEqual([
        ['deleted', ''],
        ['created', ''],
      ])
      expect(paths(await historyOf(`${url}/P2`))).toHaveLength(2)
      const [hidden, none] = [await get(`${url}/P2/history`, 'rows'), await get(`${url}/P3/history`, 'rows')]
      expect([hidden.status, hidden.text]).toEqual([404, none.text.replace('P3', 'P2')])
      expect([hidden.status, hidden.text]).toEqual([404, (await get(`${url}/P2`, 'rows')).text])
    })

    it('tells of documents, without what the files hold', async () => {
      const url = `/v1/documents/${ruled().documents.note}`
      await write('PATCH', url, replace('/title', 'quay'))
      await write('DELETE', url)
      const history = await historyOf(url)
      expect(paths(history)).toEqual([
        ['updated', '/status'],
        ['updated', '/title'],
        ['created', ''],
      ])
      expect(JSON.stringify(history)).not.toContain('fileContent')
      expect((await get(`/v1/documents/${ruled().documents.personnel}/history`, 'rows')).status).toBe(404)
    })

    it('leaves out hidden members, changes of them alone, and who has made a change where that is hidden', async () => {
      await write('PATCH', CUSTOMER, replace('/payment/bankAccount', 'canary-account'))
      await write('PATCH', CUSTOMER, replace('/aliasName', 'seen'))
      const [seen, ...others] = await historyOf(CUSTOMER, 'fields')
      expect(seen).toMatchObject({ userId: 'svc-admin', changes: [{ path: '/aliasName', after: 'seen' }] })
      expect(JSON.stringify([seen, ...others])).not.toMatch(/canary|creditLimit|bankAccount/)
      await write('PATCH', VALUE, replace('/customValue', 5))
      await write('PATCH', VALUE, replace('/description', 'Other'))
      const [described, ...older] = await historyOf(VALUE, 'fields')
      expect(described).toMatchObject({ changes: [{ path: '/description', after: 'Other' }] })
      for (const entry of [described, ...older]) expect(entry).not.toHaveProperty('userId')
      expect(JSON.stringify(older)).not.toMatch(/customValue|relatedValues/)
    })

    it('tells how a record came into the sight of the caller and out of it, and nothing of the time between', async () => {
      const url = '/v1/customers/1002'
      await write('PATCH', url, replace('/countryCode', 'NO'))
      await write('PATCH', url, replace('/aliasName', 'in sight'))
      await write('PATCH', url, replace('/countryCode', 'SE'))
      await write('PATCH', url, replace('/aliasName', 'canary-out'))
      const history = await historyOf(url, 'rows')
      expect(paths(history)).toEqual([
        ['left', ''],
        ['updated', '/aliasName'],
        ['entered', ''],
      ])
      expect(Object.keys(history[0]?.changes[0] ?? {})).toEqual(['path', 'before'])
      expect(Object.keys(history[2]?.changes[0] ?? {})).toEqual(['path', 'after'])
      expect(JSON.stringify(history)).not.toContain('canary-out')
      expect((await get(url, 'rows')).status).toBe(404)
    })

    it('names clients only to callers who may query the change log', async () => {
      const [entry] = await historyOf(CUSTOMER, 'norwegian')
      expect([entry?.userId, entry && 'clientId' in entry]).toEqual(['svc-admin', false])
    })

    it('is answered in pages', async () => {
      const all = await historyOf(CUSTOMER)
      const pages: Entry[] = []
      for (let next = ''; ; ) {
        const { json } = await get(`${CUSTOMER}/history?limit=2${next && `&before=${next}`}`)
        expect(json.changes.length).toBeLessThanOrEqual(2)
        pages.push(...json.changes)
        next = json.next
        if (next === '') break
      }
      expect(pages).toEqual(all)
    })

    it.each([
      ['limit=0', 'Limit is invalid. Value should be from 1 to 1000.'],
      ['limit=1001', 'Limit is invalid. Value should be from 1 to 1000.'],
      ['before=x', "The value 'x' is not valid for before; it must be a number."],
      [
        'limit=0&before=x',
        "Limit is invalid. Value should be from 1 to 1000. The value 'x' is not valid for before; it must be a number.",
      ],
      ['before=1&before=2', "The query option 'before' is given more than once."],
      ['$befor=1', "Unknown query option '$befor'; did you mean '$before'?"],
    ])('refuses %s', async (query, message) => {
      const { status, json } = await get(`${CUSTOMER}/history?${query}`)
      expect([status, json]).toEqual([400, { code: 1020, message }])
    })

    it('is there for values whose names have slashes, and for no other paths', async () => {
      await write('POST', '/v1/attribute-values', { attributeId: 'C1', attributeValue: 'A/0' })
      expect(paths(await historyOf('/v1/attribute-values/C1/A%2F0/0'))).toEqual([['created', '']])
      expect((await get('/v1/attribute-values/C1/A/history')).status).toBe(404)
      expect((await get('/v1/attribute-values/C9/A/0/history')).json.message).toBe('C9 is not a valid attribute')
    })

    it('needs the permission to read the record', async () => {
      for (const url of [VALUE, RELATION, CUSTOMER]) expect((await get(`${url}/history`, 'ledger')).status).toBe(403)
    })
  },
  startRuled,
)
