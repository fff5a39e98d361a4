// What holds for every request of the console to its own endpoints: who may send it, what its answer allows a browser, and
// that reading changes nothing.
import { expect, it } from 'vitest'
import { companyWithPeople, OWN_HEADERS, signedIn, signIn } from '../support/console-people.ts'
import { PASSWORD } from '../support/passwords.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ENDPOINTS = [
  ['GET', '/console/api/session'],
  ['POST', '/console/api/session'],
  ['DELETE', '/console/api/session'],
  ['GET', '/console/api/sessions'],
  ['DELETE', '/console/api/sessions/none'],
  ['GET', '/console/api/settings'],
  ['PUT', '/console/api/settings'],
] as const
const READ = ['/console/api/sign-in', '/console/api/session', '/console/api/sessions', '/console/api/settings']
const FOREIGN = [
  ['without the header of the own pages', { 'x-requested-with': '' }],
  ['with that of another library', { 'x-requested-with': 'XMLHttpRequest' }],
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['of another host of the site', { 'sec-fetch-site': 'same-site' }],
  ['that a person has typed', { 'sec-fetch-site': 'none' }],
] as const
const SAFE = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

onEachStore(
  'Requests of the console',
  (world) => {
    const rows = () => world().query('select * from session order by session_id')
    const send = (method: Sent['method'], url: string, headers: Record<string, string>, body?: unknown) =>
      world().send({ method, url, headers, ...(body === undefined ? {} : { body }) } as Sent)
    const bodyOf = (method: string) =>
      method === 'POST' ? { user: 'ada', password: PASSWORD } : method === 'PUT' ? {} : undefined

    it.each(FOREIGN)('are refused when they come %s, and then change nothing', async (_how, foreign) => {
      const ada = await signedIn(world(), 'ada')
      const before = await rows()
      for (const [method, url] of ENDPOINTS) {
        const { status, headers } = await send(method, url, { ...ada, ...foreign }, bodyOf(method))
        expect([method, url, status]).toEqual([method, url, method === 'POST' ? 403 : 401])
        expect(headers['set-cookie']).toBeUndefined()
        expect(headers).toMatchObject(SAFE)
      }
      expect(await rows()).toEqual(before)
      expect((await send('GET', '/console/api/session', ada)).status).toBe(200)
    })

    it('are taken of the own pages alone by every browser: no other origin gets leave', async () => {
      const asked = {
        origin: 'https://elsewhere.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-requested-with, content-type',
      }
      for (const [, url] of ENDPOINTS) {
        const { status, headers } = await send('OPTIONS', url, asked)
        expect([status >= 400, Object.keys(headers).filter((name) => name.startsWith('access-control'))]).toEqual([
          true,
          [],
        ])
      }
      const before = await rows()
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const body = JSON.stringify(bodyOf('POST'))
        const { status } = await send('POST', '/console/api/session', { ...OWN_HEADERS, 'content-type': type }, body)
        expect([type, status]).toEqual([type, 415])
      }
      expect(await rows()).toEqual(before)
    })

    it('are answered so that nothing is kept, framed or read by another site, whatever the answer', async () => {
      const [ada, bo] = [await signedIn(world(), 'ada'), await signedIn(world(), 'bo')]
      const wrong = { user: 'ada', password: 'not the password' }
      const answers = [
        [200, await send('GET', '/console/api/sign-in', {})],
        [200, await send('GET', '/console/api/session', ada)],
        [200, await send('GET', '/console/api/sessions', ada)],
        [201, await signIn(world(), 'ada')],
        [204, await send('DELETE', '/console/api/session', bo)],
        [400, await send('POST', '/console/api/session', OWN_HEADERS, { user: 1 })],
        [401, await send('GET', '/console/api/session', OWN_HEADERS)],
        [401, await send('POST', '/console/api/session', OWN_HEADERS, wrong)],
        [403, await send('GET', '/console/api/session', { ...ada, 'act-as': 'none' })],
        [403, await send('GET', '/console/api/settings', { ...ada, 'act-as': 'sv' })],
        [404, await send('DELETE', '/console/api/sessions/none', ada)],
        [404, await send('GET', '/console/api/nothing', ada)],
        [405, await send('PATCH', '/console/api/session', ada, [])],
      ] as const
      for (const [wanted, { status, headers }] of answers) {
        expect(status).toBe(wanted)
        expect([wanted, headers]).toMatchObject([wanted, SAFE])
        expect(headers['access-control-allow-origin']).toBeUndefined()
      }
    })

    it('change nothing when they only read, with the session or without', async () => {
      const ada = await signedIn(world(), 'ada')
      const before = [await rows(), await world().dump()] as const
      for (const method of ['GET', 'HEAD'] as const) {
        for (const url of READ) {
          for (const headers of [ada, { ...ada, 'act-as': 'sv' }, OWN_HEADERS]) {
            expect((await send(method, url, headers)).headers['set-cookie']).toBeUndefined()
          }
        }
      }
      expect(await rows()).toEqual(before[0])
      expect(await world().changesSince(before[1])).toEqual([])
    })
  },
  (kind) => startWorld(kind, companyWithPeople(), '', { clock: () => new Date('2026-03-02T09:00:00Z') }),
)
