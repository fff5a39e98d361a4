// Sessions of the console: a cookie that scripts cannot read and other sites cannot use, ended where it must end, and an
// administrator's view through a client, which only reads.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { companyWithPeople, OWN_HEADERS, signedIn as signedInTo, signIn } from '../support/console-people.ts'
import { PASSWORD } from '../support/passwords.ts'
import { soon } from '../support/soon.ts'
import { onEachStore, startWorld } from '../support/world.ts'

const HOUR_MS = 60 * 60_000

let now = Date.parse('2026-03-02T09:00:00Z')

onEachStore(
  'Sessions of the console',
  (world) => {
    const post = (user: string, password = PASSWORD, headers: Record<string, string> = OWN_HEADERS) =>
      signIn(world(), user, { password, headers })
    const signedIn = (user: string) => signedInTo(world(), user)
    const usesOf = async (user: string) =>
      (await world().query(`select used_at from session where user_id = '${user}'`)).map((row) => Number(row.used_at))
    const get = (url: string, headers: Record<string, string>) => world().send({ url, headers })

    it('begin with a password, and answer who has signed in with what he or she may', async () => {
      const { status, headers, json } = await post('ada')
      expect(status).toBe(201)
      expect(String(headers['set-cookie'])).toMatch(
        /^__Host-tabularium-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      )
      expect(json).toMatchObject({
        user: 'ada',
        name: 'Ada Berg',
        administrator: true,
        defaultCompany: 'EN',
        companies: [{ id: 'EN', permissions: expect.arrayContaining(['attribute-values:update']) }],
        expiresAt: new Date(now + HOUR_MS).toISOString(),
      })
      const session = await signedIn('ada')
      expect((await get('/console/api/session', session)).json).toEqual(json)
    })

    it('open the records with the rights of the person, and nothing of other companies', async () => {
      const session = await signedIn('bo')
      const [own, client] = await Promise.all([
        get('/v1/attribute-values/C1?companyId=EN', session),
        world().send({ as: 'reader', url: '/v1/attribute-values/C1?companyId=EN' }),
      ])
      expect([own.status, own.json]).toEqual([200, client.json])
      for (const company of ['SV', 'XX'])
        expect((await get(`/v1/attribute-values/C1?companyId=${company}`, session)).status).toBe(403)
      const body = { attributeId: 'C1', attributeValue: 'X1', companyId: 'EN' }
      const write = await world().send({ method: 'POST', url: '/v1/attribute-values', body, headers: session })
      expect([write.status, write.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
    })

    it('are not looked at without the header of the own pages, and no challenge makes a browser ask', async () => {
      const { cookie, ...own } = await signedIn('ada')
      for (const headers of [{ cookie }, { cookie, 'x-requested-with': 'XMLHttpRequest' }, own])
        expect((await get('/v1/access', headers as Record<string, string>)).status).toBe(401)
      const foreign = await get('/v1/access', { ...own, cookie, 'sec-fetch-site': 'same-site' })
      expect(foreign.status).toBe(401)
      const wrong = await get('/v1/access', { ...own, cookie: `__Host-tabularium-session=${'x'.repeat(43)}` })
      expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect((await post('ada', PASSWORD, {})).status).toBe(403)
    })

    it('do not open what tokens of their own open, nor does a password open the records as a secret', async () => {
      const session = await signedIn('ada')
      const call = { method: 'POST', url: '/mcp', body: {}, headers: session } as const
      expect((await world().send(call)).status).toBe(401)
      for (const id of ['ada', 'console:ada']) {
        const authorization = `Basic ${Buffer.from(`${id}:${PASSWORD}`).toString('base64')}`
        expect((await get('/v1/access', { authorization })).status).toBe(401)
      }
    })

    it('are refused alike for a wrong password, an unknown user, a disabled one, and one without a password', async () => {
      const refused = { code: 2030, message: 'The user or the password is wrong.' }
      const tried = [['ada', 'wrong password'], ['nobody'], ['cleo'], ['svc-integration']] as const
      for (const [user, password] of tried) {
        const { status, json, headers } = await post(user, password)
        expect([user, status, json]).toEqual([user, 401, refused])
        expect(headers['set-cookie']).toBeUndefined()
      }
      expect((await post('', PASSWORD)).status).toBe(400)
      expect((await post('ada', 'x'.repeat(1_001))).status).toBe(400)
    })

    it.each([
      ['http://erp.example.com', 403],
      ['http://localhost.example.com:8080', 403],
      ['http://192.0.2.1:8080', 403],
      ['https://erp.example.com', 201],
      ['http://localhost:8080', 201],
      ['http://console.localhost', 201],
      ['http://127.0.0.1:8080', 201],
      ['http://[::1]:8080', 201],
    ])(
      'of a page at %s answer its sign-in with %i: without https browsers do not keep the cookie',
      async (origin, status) => {
        const answer = await post('bo', PASSWORD, { ...OWN_HEADERS, origin })
        expect(answer.status).toBe(status)
        const message = 'Signing in needs https, or localhost: at this address browsers do not keep a session.'
        const refused = status === 403
        expect(refused ? answer.json : undefined).toEqual(refused ? { code: 2030, message } : undefined)
        expect(answer.headers['set-cookie'] === undefined).toBe(refused)
      },
    )

    it('get a new id at each sign-in, which ends the one before', async () => {
      const first = await signedIn('bo')
      const again = await post('bo', PASSWORD, first)
      expect(String(again.headers['set-cookie'])).not.toContain(first.cookie)
      expect((await get('/console/api/session', first)).status).toBe(401)
    })

    it('are at most twenty of one person: a further sign-in ends the one that was longest unused', async () => {
      now += 1
      const [unused, used, other] = [await signedIn('bo'), await signedIn('bo'), await signedIn('ada')]
      now += 2 * 60_000
      // The use is written after the answer.
      await soon(async () => {
        expect((await get('/console/api/session', used)).status).toBe(200)
        expect(await usesOf('bo')).toContain(now)
      })
      for (let others = 0; others < 18; others++) await signedIn('bo')
      expect(await usesOf('bo')).toHaveLength(20)
      await signedIn('bo')
      expect(await usesOf('bo')).toHaveLength(20)
      const answers = await Promise.all([unused, used, other].map((one) => get('/console/api/session', one)))
      expect(answers.map(({ status }) => status)).toEqual([401, 200, 200])
      now += 1
      await Promise.all(Array.from({ length: 3 }, () => signedIn('bo')))
      expect(await usesOf('bo')).toHaveLength(20)
    })

    it('are listed and ended by their person, and all by an administrator', async () => {
      const [ada, bo, other] = [await signedIn('ada'), await signedIn('bo'), await signedIn('bo')]
      const listOf = async (session: Record<string, string>) =>
        (await get('/console/api/sessions', session)).json.sessions as { id: string; user: string; isThis: boolean }[]
      const own = await listOf(bo)
      expect(new Set(own.map(({ user }) => user))).toEqual(new Set(['bo']))
      expect(own.filter(({ isThis }) => isThis)).toHaveLength(1)
      const all = await listOf(ada)
      const adas = all.find(({ user, isThis }) => user === 'ada' && isThis)
      const end = (id: string, headers: Record<string, string>) =>
        world().send({ method: 'DELETE', url: `/console/api/sessions/${id}`, headers })
      expect((await end(adas?.id ?? '', bo)).status).toBe(404)
      expect((await get('/console/api/session', ada)).status).toBe(200)
      const others = own.filter(({ isThis }) => !isThis)
      for (const { id } of others) expect((await end(id, ada)).status).toBe(204)
      expect((await get('/v1/access', other)).status).toBe(401)
      expect((await get('/v1/access', bo)).status).toBe(200)
    })

    it('let an administrator see exactly what a client sees, without writing', async () => {
      const ada = await signedIn('ada')
      for (const [client, url] of [
        ['reader', '/v1/objects?companyId=EN'],
        ['reader', '/v1/objects/customers?companyId=EN'],
        ['sv', '/v1/attribute-values/C1?companyId=SV'],
        ['sv', '/v1/attribute-values/C1?companyId=EN'],
      ] as const) {
        const seen = await get(url, { ...ada, 'act-as': client })
        const own = await world().send({ as: client, url })
        expect([client, url, seen.status, seen.text]).toEqual([client, url, own.status, own.text])
      }
      const body = { attributeId: 'C1', attributeValue: 'X2', companyId: 'EN' }
      const headers = { ...ada, 'act-as': 'integration' }
      for (const url of ['/v1/attribute-values', '/v1/batch'])
        expect((await world().send({ method: 'POST', url, body, headers })).status).toBe(403)
      expect((await get('/v1/access', { ...ada, 'act-as': 'no-such' })).status).toBe(403)
      const acting = await get('/console/api/session', { ...ada, 'act-as': 'sv' })
      expect(acting.json).toMatchObject({ user: 'ada', actingAs: 'sv', companies: [{ id: 'SV' }] })
      expect((await get('/v1/access', { ...(await signedIn('bo')), 'act-as': 'integration' })).status).toBe(403)
    })

    it('keep what the person has chosen, in each company and in none, for nobody else, also in another browser', async () => {
      const [ada, again, bo] = [await signedIn('ada'), await signedIn('ada'), await signedIn('bo')]
      const at = (company: string) => `/console/api/settings${company && `?companyId=${company}`}`
      const read = async (company: string, session: Record<string, string>) => {
        const { status, json, headers } = await get(at(company), session)
        return [status, json, headers.etag]
      }
      const put = async (company: string, session: Record<string, string>, body: unknown, tag?: string) => {
        const headers = tag === undefined ? session : { ...session, 'if-match': tag }
        const answer = await world().send({ method: 'PUT', url: at(company), body, headers })
        return [answer.status, answer.headers.etag]
      }
      expect(await read('EN', ada)).toEqual([200, {}, '"0"'])
      expect(await put('EN', ada, { views: { A: 'ø' } }, '"0"')).toEqual([204, '"1"'])
      expect(await read('en', again)).toEqual([200, { views: { A: 'ø' } }, '"1"'])
      // Both have read the same: one comes first.
      const both = [put('EN', ada, { of: 1 }, '"1"'), put('EN', again, { of: 2 }, '"1"')]
      expect((await Promise.all(both)).map(([status]) => status).sort()).toEqual([204, 412])
      expect(await put('', ada, { language: 'nb' })).toEqual([204, '"1"'])
      expect((await get(at(''), { ...ada, 'if-none-match': '"1"' })).status).toBe(304)
      for (const company of ['', 'EN']) expect(await read(company, bo)).toEqual([200, {}, '"0"'])
      for (const company of ['SV', 'XX', 'EN&companyId=SV'])
        expect([company, (await put(company, ada, {}))[0]]).toEqual([company, company.includes('&') ? 400 : 403])
      for (const body of [[], 1, null, 'x']) expect((await put('EN', bo, body))[0]).toBe(400)
      expect((await put('EN', bo, { text: 'x'.repeat(65_000) }))[0]).toBe(204)
      expect((await put('EN', bo, { text: 'ø'.repeat(65_000) }))[0]).toBe(413)
      const stored = await world().query('select company_id, user_id from person_settings order by user_id, company_id')
      expect(stored.map((row) => Object.values(row))).toEqual([
        ['', 'ada'],
        ['EN', 'ada'],
        ['EN', 'bo'],
      ])
    })

    it('leave nothing of what a removed person has chosen', async () => {
      const { store } = world().application.service
      const text = readFileSync(companyWithPeople(), 'utf8')
      const file = join(world().folder, 'people.yaml')
      writeFileSync(file, text.replace(/^ +- { id: ada,.*\n/m, ''))
      await applySetup(setupTask(store, file, () => {}, { prune: ['users'] }))
      expect(await world().query("select * from person_settings where user_id = 'ada'")).toEqual([])
      expect(await world().query("select * from person_settings where user_id = 'bo'")).toHaveLength(1)
    })

    it('end when the person signs out, and for want of use, and after twelve hours', async () => {
      const out = await signedIn('bo')
      const gone = await world().send({ method: 'DELETE', url: '/console/api/session', headers: out })
      expect([gone.status, String(gone.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')])
      expect((await get('/v1/access', out)).status).toBe(401)
      const idle = await signedIn('bo')
      const used = await signedIn('bo')
      for (let hour = 0; hour < 12; hour += 0.75) {
        expect((await get('/v1/access', used)).status).toBe(200)
        now += 0.75 * HOUR_MS
      }
      expect((await get('/v1/access', idle)).status).toBe(401)
      expect((await get('/v1/access', used)).status).toBe(401)
    })
  },
  (kind) => startWorld(kind, companyWithPeople(), '', { clock: () => new Date(now) }),
)
