// The audit trail for roles with access: who changed what, who was denied what, each entry chained to the one before.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { objects } from '../support/object-records.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

interface Entry {
  entryNo: number
  at: string
  userId: string
  clientId: string
  requestId: string
  entity: string
  recordKey: string
  operation: string
  before: string
  after: string
  previousHash: string
  hash: string
  companyId: string
}

let now = Date.parse('2026-03-01T12:00:00.000Z')

const entriesOf = async (world: World, options: Record<string, string> = {}, as = 'both'): Promise<Entry[]> => {
  const answer = await world.send({ as, url: objects('audit-entries', options) })
  expect(answer.status).toBe(200)
  return answer.json
}

/** Computed from the endpoint's answer, as any reader can do. */
const hashOf = (entry: Entry): string =>
  createHash('sha256')
    .update(entry.previousHash)
    .update(
      JSON.stringify([
        entry.companyId,
        entry.entryNo,
        entry.entity,
        entry.recordKey,
        entry.operation,
        entry.userId,
        entry.clientId,
        entry.at,
        entry.requestId,
        entry.before,
        entry.after,
      ]),
    )
    .digest('hex')

const expectWhole = (entries: readonly Entry[]): void => {
  expect(entries.length).toBeGreaterThan(0)
  expect(entries.map((entry) => entry.hash)).toEqual(entries.map(hashOf))
  expect(entries.map((entry) => entry.previousHash)).toEqual(['', ...entries.slice(0, -1).map((entry) => entry.hash)])
}

const create = (world: World, attributeValue: string, companyId = 'EN', as = 'both') =>
  world.send({
    as,
    method: 'POST',
    url: '/v1/attribute-values',
    body: { companyId, attributeId: 'C1', attributeValue, description: 'A "new" one: Ærø \u{1f600}' },
  })

const refused = (world: World, companyId: string) =>
  entriesOf(world, { companyId, filter: "operation eq 'refused'", orderBy: 'entryNo' })

const written = async (world: World): Promise<void> => {
  await world.application.deniedAccess.write()
}

onEachStore(
  'audit-entries',
  (world) => {
    it('reports who changed what, and when, with the record before and after', async () => {
      const answer = await create(world(), 'AUDITED')
      expect(answer.status).toBe(201)
      const [entry, ...others] = await entriesOf(world(), { filter: `recordKey eq '["C1","AUDITED",0]'` })
      expect(others).toEqual([])
      expect(entry).toMatchObject({
        companyId: 'EN',
        entity: 'attribute-value',
        operation: 'create',
        userId: 'svc-both',
        clientId: 'both',
        requestId: answer.headers['x-request-id'],
        at: new Date(now).toISOString(),
        before: '',
      })
      expect(JSON.parse(entry?.after ?? '')).toMatchObject({ attributeValue: 'AUDITED' })
    })

    it('chains the entries of a company: any reader can compute the hashes', async () => {
      for (const name of ['ONE', 'TWO']) await create(world(), name)
      expectWhole(await entriesOf(world()))
      expectWhole(await entriesOf(world(), { companyId: 'SV' }))
    })

    it('chains the entries of one write in the order of their numbers', async () => {
      const relatedValues = ['100', '200'].map((relatedValue) => ({ relationId: 'REL1', relatedValue }))
      const body = { companyId: 'EN', attributeId: 'C1', attributeValue: 'RELATED', relatedValues }
      const answer = await world().send({ as: 'both', method: 'POST', url: '/v1/attribute-values', body })
      expect(answer.status).toBe(201)
      const { requestId } = (await entriesOf(world())).at(-1) as Entry
      expect(await entriesOf(world(), { filter: `requestId eq '${requestId}'` })).toHaveLength(3)
      expectWhole(await entriesOf(world()))
    })

    it('keeps the chains of concurrently written companies intact', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `SIDE${index}`)
      const answers = await Promise.all(
        names.flatMap((name) => ['EN', 'SV'].map((companyId) => create(world(), name, companyId))),
      )
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201))
      expectWhole(await entriesOf(world()))
      expectWhole(await entriesOf(world(), { companyId: 'SV' }))
    })

    it('adds nothing of a validation-only write or a rejected record to the chain', async () => {
      const before = await entriesOf(world())
      const validated = { companyId: 'EN', attributeId: 'C1', attributeValue: 'TRIED' }
      const url = '/v1/attribute-values?validateOnly=true'
      await world().send({ as: 'both', method: 'POST', url, body: validated })
      await create(world(), 'CC100')
      expect(await entriesOf(world())).toEqual(before)
    })

    it('filters by everything but the records themselves', async () => {
      const filter = "entity eq 'attribute-value' and operation eq 'create' and userId eq 'svc-both'"
      expect((await entriesOf(world(), { filter, select: 'entryNo,at', limit: '1' })).length).toBe(1)
      for (const name of ['before', 'after']) {
        const url = objects('audit-entries', { filter: `${name} eq ''` })
        expect((await world().send({ as: 'both', url })).json).toMatchObject({ code: 1020 })
      }
    })

    it('filters and orders by what is stored in another form', async () => {
      const all = await entriesOf(world())
      const [first, second, third] = all.slice(-3) as [Entry, Entry, Entry]
      const filters: [string, readonly Entry[]][] = [
        [`hash eq '${second.hash}'`, [second]],
        [`previousHash eq '${second.hash}'`, [third]],
        ["previousHash eq ''", all.slice(0, 1)],
        [`at ge ${first.at} and entryNo ge ${first.entryNo}`, [first, second, third]],
        [`at lt ${first.at} and entryNo ge ${first.entryNo}`, []],
        [`recordKey eq '${second.recordKey}' and entity eq '${second.entity}'`, [second]],
        [`year(at) eq ${second.at.slice(0, 4)} and entryNo eq ${second.entryNo}`, [second]],
      ]
      for (const [filter, wanted] of filters)
        expect([filter, await entriesOf(world(), { filter })]).toEqual([filter, wanted])
      const byHash = await entriesOf(world(), { orderBy: 'hash desc', select: 'hash' })
      expect(byHash.map(({ hash }) => hash)).toEqual(
        all
          .map(({ hash }) => hash)
          .sort()
          .reverse(),
      )
      const latest = await entriesOf(world(), { orderBy: 'at desc,entryNo desc', limit: '1' })
      expect(latest).toEqual([all.at(-1)])
    })

    it('is answered to roles that name it, and to those that name "*"', async () => {
      expect(await entriesOf(world(), { limit: '1' }, 'auditor')).toHaveLength(1)
      expect(await entriesOf(world(), { limit: '1' }, 'integration')).toHaveLength(1)
      for (const as of ['reader', 'nobody', 'noobjects']) {
        expect((await world().send({ as, url: objects('audit-entries') })).status).toBe(403)
      }
      expect((await world().send({ as: 'auditor', url: objects('companies') })).status).toBe(403)
    })

    it('isolates companies, and hides what belongs to no company from all of them', async () => {
      const entries = [
        ...(await entriesOf(world(), { companyId: 'SV' }, 'sv')),
        ...(await entriesOf(world(), {}, 'sv')),
      ]
      expect(new Set(entries.map((entry) => entry.companyId))).toEqual(new Set(['SV']))
      const url = objects('audit-entries', { companyId: 'EN' })
      expect((await world().send({ as: 'sv', url })).status).toBe(403)
      expect((await entriesOf(world())).filter(({ entity }) => /^setup-(role|user|client)$/.test(entity))).toEqual([])
    })

    it('has refused access: who, and which path, without the query and the body', async () => {
      await written(world())
      const before = await refused(world(), 'EN')
      const answer = await world().send({ as: 'nobody', url: '/v1/attribute-values/C1?filter=secret-of-the-query' })
      expect(answer.status).toBe(403)
      await written(world())
      const added = (await refused(world(), 'EN')).slice(before.length)
      expect(added).toMatchObject([
        {
          entity: 'access',
          recordKey: '["GET","/v1/attribute-values/C1"]',
          userId: 'svc-nobody',
          clientId: 'nobody',
          requestId: answer.headers['x-request-id'],
          at: new Date(now).toISOString(),
          before: '',
          after: '',
        },
      ])
      expectWhole(await entriesOf(world()))
    })

    it("has access to another company that was refused in the caller's own, on PATCH too", async () => {
      await written(world())
      const before = { EN: await refused(world(), 'EN'), SV: await refused(world(), 'SV') }
      const url = '/v1/attribute-values/C1/CC100'
      const asked = [
        { method: 'GET', url: `${url}/0?companyId=EN`, status: 403 },
        { method: 'GET', url: `${url}/0?companyId=NONE`, status: 403 },
        { method: 'PATCH', url: `${url}/0?companyId=EN`, status: 422, body: [] },
      ] as const
      for (const { status, ...sent } of asked) {
        expect((await world().send({ as: 'sv', ...sent })).status).toBe(status)
      }
      await written(world())
      expect(await refused(world(), 'EN')).toEqual(before.EN)
      const added = (await refused(world(), 'SV')).slice(before.SV.length)
      expect(added.map((entry) => entry.recordKey)).toEqual(
        asked.map(({ method }) => `["${method}","/v1/attribute-values/C1/CC100/0"]`),
      )
      expect(JSON.stringify(added)).not.toMatch(/EN|NONE/)
    })

    it('has nothing of unknown callers', async () => {
      await written(world())
      const before = [await entriesOf(world()), await entriesOf(world(), { companyId: 'SV' })]
      await world().send({ url: '/v1/attribute-values/C1', headers: { authorization: 'Bearer nonsense' } })
      await world().send({ url: '/v1/attribute-values/C1' })
      await written(world())
      expect([await entriesOf(world()), await entriesOf(world(), { companyId: 'SV' })]).toEqual(before)
    })

    it('counts denied accesses beyond 60 a minute in one entry', async () => {
      now += 120_000
      await written(world())
      const before = await refused(world(), 'EN')
      for (let sent = 0; sent < 100; sent++) await world().send({ as: 'reader', url: objects('customers') })
      await written(world())
      expect(await refused(world(), 'EN')).toHaveLength(before.length + 60)
      const from = new Date(now).toISOString()
      now += 61_000
      await written(world())
      const added = (await refused(world(), 'EN')).slice(before.length + 60)
      expect(added).toMatchObject([{ userId: 'svc-reader', clientId: 'reader', requestId: '', recordKey: '["more"]' }])
      expect(JSON.parse(added[0]?.after ?? '')).toEqual({ refused: 40, from, until: from })
      expectWhole(await entriesOf(world()))
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/objects.yaml', '', { clock: () => new Date(now) }),
)
