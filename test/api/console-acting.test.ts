// An administrator who sees what a client sees: the answers are the client's, and logs, limits and the journal name the
// person.
import { expect, it } from 'vitest'
import type { EndedRequest } from '../../src/observe/observation.ts'
import { companyWithPeople, signedIn } from '../support/console-people.ts'
import { soon } from '../support/soon.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const LIMIT = 1_000
const MINUTE_MS = 60_000
const VALUE = '/v1/attribute-values/C1/CC100'
const PERSON = { userId: 'ada', clientId: 'console:ada' }

let now = Date.parse('2026-03-02T09:00:00Z')
const ended: EndedRequest[] = []

interface Entry {
  readonly entity: string
  readonly recordKey: string
  readonly [member: string]: unknown
}

/** Those of a company about who has seen what, the oldest first. */
async function entriesOf(world: World, companyId: string): Promise<Entry[]> {
  await Promise.all([world.application.acting.write(), world.application.deniedAccess.write()])
  const query = new URLSearchParams({ companyId, $orderby: 'entryNo' })
  const { status, json } = await world.send({ as: 'both', url: `/v1/objects/audit-entries?${query}` })
  expect(status).toBe(200)
  return json.filter(({ entity }: Entry) => entity === 'acting' || entity === 'access')
}

onEachStore(
  'An administrator who acts as a client',
  (world) => {
    const get = (url: string, headers: Record<string, string>) => world().send({ url, headers })
    const lineOf = async (requestId: unknown) =>
      soon(() => {
        const lines = ended.filter((one) => one.requestId === requestId)
        expect(lines).toHaveLength(1)
        return lines[0]
      })

    it('is named in the log, in the journal of refusals and by the limit, with the client', async () => {
      const ada = await signedIn(world(), 'ada')
      const remaining = async (headers: Record<string, string>) =>
        Number((await get('/v1/access', headers)).headers['ratelimit-remaining'])
      expect([await remaining(ada), await remaining({ ...ada, 'act-as': 'sv' })]).toEqual([LIMIT - 1, LIMIT - 2])
      const { headers } = await world().send({ as: 'sv', url: '/v1/access' })
      expect(headers['ratelimit-remaining']).toBe(String(LIMIT - 1))

      const before = { EN: await entriesOf(world(), 'EN'), SV: await entriesOf(world(), 'SV') }
      const refused = await get(`${VALUE}/0?companyId=EN`, { ...ada, 'act-as': 'sv' })
      expect([refused.status, refused.headers['acting-as']]).toEqual([403, 'sv'])
      const requestId = refused.headers['x-request-id']
      expect(await lineOf(requestId)).toMatchObject({ client: 'console:ada', user: 'ada', actedAs: 'sv', status: 403 })
      const told = world().observed.find((one) => one.kind === 'access-refused' && one.requestId === requestId)
      expect(told).toMatchObject({ ...PERSON, actedAs: 'sv', companyId: 'SV' })
      const added = (await entriesOf(world(), 'SV')).slice(before.SV.length)
      expect(added).toMatchObject([
        { entity: 'access', recordKey: `["GET","${VALUE}/0"]`, ...PERSON, requestId, after: '{"actedAs":"sv"}' },
      ])
      expect(await entriesOf(world(), 'EN')).toEqual(before.EN)
    })

    it('is named when a write is refused, and whoever may not act at all', async () => {
      const [ada, bo] = [await signedIn(world(), 'ada'), await signedIn(world(), 'bo')]
      const body = { attributeId: 'C1', attributeValue: 'ACTED' }
      const stored = await world().dump()
      const write = { method: 'POST', url: '/v1/attribute-values', body } as const
      const tried = [
        [
          { ...write, headers: { ...ada, 'act-as': 'sv' } },
          { client: 'console:ada', actedAs: 'sv' },
        ],
        [
          { ...write, headers: { ...ada, 'act-as': 'none' } },
          { client: 'console:ada', actedAs: undefined },
        ],
        [
          { url: VALUE, headers: { ...bo, 'act-as': 'sv' } },
          { client: 'console:bo', actedAs: undefined },
        ],
      ] as const
      for (const [sent, named] of tried) {
        const { status, headers } = await world().send(sent)
        expect([status, headers['acting-as']]).toEqual([403, named.actedAs])
        expect(headers['ratelimit-limit']).toBe(String(LIMIT))
        expect(await lineOf(headers['x-request-id'])).toMatchObject({ ...named, status: 403 })
      }
      expect(await world().changesSince(stored)).toEqual([])
    })

    it('is in the change log of each company that was read, once in ten minutes, and told in each answer', async () => {
      const ada = await signedIn(world(), 'ada')
      const acting = { ...ada, 'act-as': 'both' }
      const count = { EN: (await entriesOf(world(), 'EN')).length, SV: (await entriesOf(world(), 'SV')).length }
      const added = async (company: 'EN' | 'SV') => (await entriesOf(world(), company)).slice(count[company])
      // The third of equal reads comes from the cache of answers, and so does the last one.
      for (let times = 0; times < 3; times++) {
        const { status, headers } = await get(`${VALUE}/0?companyId=sv`, acting)
        expect([status, headers['acting-as']]).toEqual([200, 'both'])
      }
      const key = { entity: 'acting', recordKey: '["both"]', operation: 'call', ...PERSON, before: '', after: '' }
      expect(await added('EN')).toEqual([])
      expect(await added('SV')).toMatchObject([{ ...key, at: new Date(now).toISOString() }])
      await get(`${VALUE}/0`, acting)
      expect(await added('EN')).toMatchObject([key])
      now += 10 * MINUTE_MS - 1
      await get(`${VALUE}/0?companyId=sv`, acting)
      expect(await added('SV')).toHaveLength(1)
      now += 1
      await get(`${VALUE}/0?companyId=sv`, acting)
      expect(await added('SV')).toHaveLength(2)
      const session = await get('/console/api/session', acting)
      expect([session.headers['acting-as'], session.json.actingAs]).toEqual(['both', 'both'])
      const own = await get(`${VALUE}/0`, ada)
      expect([own.status, own.headers['acting-as']]).toEqual([200, undefined])
    })
  },
  (kind) =>
    startWorld(kind, companyWithPeople(), '', {
      clock: () => new Date(now),
      rateLimits: { requestsPerMinute: LIMIT },
      logRequest: (request) => void ended.push(request),
    }),
)
