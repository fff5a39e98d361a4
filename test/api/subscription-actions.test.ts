// /v1/subscriptions/{id}/…: pause, resume, rotate, replay, test, attempts and dead letters.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const COLLECTION = '/v1/subscriptions'
const ACTIONS = ['pause', 'resume', 'rotate', 'replay', 'test', 'dead-letters/retry']
const HOUR_MS = 3_600_000

const scenarios: Scenario[] = [
  ...ACTIONS.map(
    (action): Scenario => ({
      name: `subscriptions: finds no subscription to ${action}`,
      method: 'POST',
      url: `${COLLECTION}/NOWHERE/${action}`,
      ...(action === 'replay' ? { body: { since: 'now' } } : {}),
      ...(action === 'dead-letters/retry' ? { body: { ids: ['EN-1'] } } : {}),
      status: 404,
      code: 1040,
    }),
  ),
  ...['attempts', 'dead-letters'].map(
    (list): Scenario => ({
      name: `subscriptions: finds no subscription whose ${list} to list`,
      url: `${COLLECTION}/NOWHERE/${list}`,
      status: 404,
      code: 1040,
    }),
  ),
  {
    name: 'subscriptions: lets nobody pause who may only read',
    as: 'watcher',
    method: 'POST',
    url: `${COLLECTION}/NOWHERE/pause`,
    status: 403,
    code: 2030,
  },
]

onEachStore(
  'actions of subscriptions',
  (world) => {
    runScenarios(world, scenarios)

    let id = ''
    let secret = ''
    beforeAll(async () => {
      const body = { name: 'Hook', url: `http://localhost:${receiver.port}/hook` }
      const answer = await world().send({ as: 'integration', method: 'POST', url: COLLECTION, body })
      id = answer.json.id
      secret = answer.json.secret
    })

    const act = (action: string, body?: object, sent: Partial<Sent> = {}) =>
      world().send({ as: 'integration', method: 'POST', url: `${COLLECTION}/${id}/${action}`, body, ...sent })
    const read = async (path = '') =>
      (await world().send({ as: 'integration', url: `${COLLECTION}/${id}${path}` })).json

    it('subscriptions: pauses and resumes, also for another client with the permission', async () => {
      const paused = await act('pause', undefined, { as: 'values' })
      expect(paused.status).toBe(200)
      expect(paused.json).toMatchObject({ state: 'paused', reason: 'It was paused by a request.' })
      expect((await read()).state).toBe('paused')
      const german = { as: 'integration', headers: { 'accept-language': 'de' } }
      const said = 'Durch eine Anfrage angehalten.'
      expect((await world().send({ ...german, url: `${COLLECTION}/${id}` })).json.reason).toBe(said)
      const all = (await world().send({ ...german, url: COLLECTION })).json as { id: string; reason: string }[]
      expect(all.find((one) => one.id === id)?.reason).toBe(said)
      const tag = paused.headers.etag
      expect((await act('pause')).headers.etag).toBe(tag)
      expect((await act('resume', undefined, { headers: { 'if-match': '"1"' } })).status).toBe(409)
      const resumed = await act('resume', undefined, { headers: { 'if-match': String(tag) } })
      expect(resumed.json).toMatchObject({ state: 'active', reason: '' })
    })

    it('subscriptions: rotates the secret: both are valid until the end of the previous one', async () => {
      const sent = { headers: { 'idempotency-key': 'rotated-once' } }
      const until = new Date(Date.now() + HOUR_MS).toISOString()
      const answer = await act('rotate', { until }, sent)
      expect(answer.status).toBe(200)
      expect(answer.json.secret).toMatch(/^whsec_/)
      expect(answer.json.secret).not.toBe(secret)
      expect(answer.json.previousSecretUntil).toBe(until)
      const again = await act('rotate', { until }, sent)
      expect([again.headers['idempotency-replayed'], again.json]).toEqual(['true', answer.json])
      expect((await read()).previousSecretUntil).toBe(until)
      expect((await read()).secret).toBeUndefined()
    })

    it.each([
      ['rotate', { until: '2020-01-01' }, 422],
      ['rotate', { until: '2098-01-01' }, 422],
      ['rotate', { until: 'soon' }, 400],
      ['replay', {}, 422],
      ['replay', { since: 1, from: '2026-01-01' }, 422],
      ['replay', { since: 1, eventId: 'EN-1' }, 422],
      ['replay', { since: 'yesterday' }, 400],
      ['replay', { since: 999_999_999 }, 400],
      ['dead-letters/retry', {}, 422],
      ['dead-letters/retry', { ids: ['SV-1'] }, 422],
      ['dead-letters/retry', { ids: ['EN-1'], from: 1, to: 2 }, 422],
      ['dead-letters/retry', { from: 1 }, 422],
    ])('subscriptions: refuses to %s with %j, and changes nothing', async (action, body, status) => {
      const before = await world().dump()
      expect((await act(action, body)).status).toBe(status)
      expect(await world().changesSince(before)).toEqual([])
    })

    it('subscriptions: lets another client not rotate the secret', async () => {
      const before = await world().dump()
      const answer = await act('rotate', {}, { as: 'values' })
      expect([answer.status, answer.json.code]).toEqual([403, 2030])
      expect(await world().changesSince(before)).toEqual([])
    })

    it('subscriptions: moves the position back to a number, to a time, and to the end', async () => {
      const { position } = await read()
      expect((await act('replay', { since: position - 1 })).json.position).toBe(position - 1)
      const { json: all } = await world().send({
        as: 'values',
        url: '/v1/objects/audit-entries?$select=entryNo,at&$orderby=entryNo',
      })
      const { entryNo, at } = all.at(-1)
      const since = all.findLast((entry: { at: string }) => entry.at < at)
      const replayed = await act('replay', { from: at })
      expect([replayed.status, replayed.json.position]).toEqual([200, since?.entryNo ?? 0])
      expect((await act('replay', { since: 'now' })).json.position).toBeGreaterThanOrEqual(entryNo)
    })

    it('subscriptions: sends a signed event of a test, and tells how it went', async () => {
      const answer = await act('test')
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ status: 201, outcome: 'delivered', ms: expect.any(Number), excerpt: '' })
      const { headers, body } = receiver.got.at(-1) ?? { headers: {}, body: '' }
      expect(JSON.parse(body)).toMatchObject({
        specversion: '1.0',
        type: 'tabularium.subscription.test',
        data: { subscriptionId: id },
      })
      expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8')
      // The secret was rotated: both sign.
      expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
      expect(headers['webhook-id']).toBe(JSON.parse(body).id)
    })

    it('subscriptions: sends no test that only validates', async () => {
      const { length } = receiver.got
      const answer = await act('test?validateOnly=true')
      expect([answer.status, answer.json.outcome]).toEqual([200, 'not sent'])
      expect(receiver.got).toHaveLength(length)
    })

    it('subscriptions: lists attempts, and dead letters that can be tried again', async () => {
      expect(await read('/attempts')).toEqual(expect.any(Array))
      for (const no of [3, 4, 5]) {
        await world().query(`insert into subscription_event
          (company_id, subscription_id, entry_no, part, entity, record_key, state, attempts, last_status, last_error, first_at)
          values ('EN', '${id}', ${no}, ${no - 3}, 'customers', '["C${no}"]', 'dead', 10, 500, 'broken', '2026-01-01T00:00:00.000Z')`)
      }
      await world().query(`insert into subscription_attempt
        (company_id, subscription_id, attempt_no, entry_no, part, events, at, attempt, status, outcome, ms, excerpt)
        values ('EN', '${id}', 900, 3, 0, 1, '2026-01-01T00:00:00.000Z', 10, 500, 'status', 12, 'broken')`)
      expect((await read('/attempts?limit=1'))[0]).toEqual({
        attemptNo: 900,
        eventId: 'EN-3',
        events: 1,
        at: '2026-01-01T00:00:00.000Z',
        attempt: 10,
        status: 500,
        outcome: 'status',
        ms: 12,
        excerpt: 'broken',
      })
      const letters = await read('/dead-letters?limit=2')
      expect(letters.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['EN-3', 'EN-4.1'])
      expect((await read('/dead-letters?from=5'))[0]).toEqual({
        eventId: 'EN-5.2',
        number: 5,
        entity: 'customers',
        recordKey: '["C5"]',
        attempts: 10,
        lastStatus: 500,
        lastError: 'broken',
        firstAt: '2026-01-01T00:00:00.000Z',
      })
      expect(await read()).toMatchObject({ deadLetters: 3 })
      // Paused, so that nothing is delivered meanwhile.
      await act('pause')
      expect((await act('dead-letters/retry', { ids: ['EN-3', 'EN-4'] })).json).toEqual({ retried: 1 })
      expect((await act('dead-letters/retry', { from: 4, to: 5 })).json).toEqual({ retried: 2 })
      expect(await read()).toMatchObject({ deadLetters: 0, oldestUndelivered: '2026-01-01T00:00:00.000Z' })
      // Events after the position are handed over again.
      await act('replay', { since: 3 })
      const left = await world().query('select entry_no from subscription_event')
      expect(left.map(({ entry_no }) => Number(entry_no))).toEqual([3])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/subscriptions.yaml'),
)

/** Answers every request with 201. */
const receiver = {
  got: [] as { headers: IncomingHttpHeaders; body: string }[],
  port: 0,
  server: createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiver.got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      answer.writeHead(201).end('thanks')
    })
  }),
}
beforeAll(async () => {
  await new Promise<void>((resume) => receiver.server.listen(0, 'localhost', resume))
  receiver.port = (receiver.server.address() as AddressInfo).port
})
afterAll(() => void receiver.server.close())
