// What administrators see of the service in the console, and nobody else does.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { changePerson } from '../../src/app/administration/people.ts'
import { buildApplication } from '../../src/app/app.ts'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { PROGRAM_VERSION } from '../../src/base/process/program-version.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { readItems } from '../../src/setup/items/setup-item.ts'
import type { Store } from '../../src/store/store.ts'
import { consoleRoutes } from '../support/console-routes.ts'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { CLIENT_SECRET, onEachStore, type Sent, startWorld } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const OWN = { 'x-requested-with': 'tabularium-console' }
const PATH = '/console/api/administration'
const BACKUPS = mkdtempSync(join(tmpdir(), 'tabularium-backups-'))
const COMPARISON = `${PATH}/setup/comparison`

async function withPeople(): Promise<string> {
  const hash = await hashSecret(PASSWORD)
  const people = `users:
  - { id: ada, defaultCompany: EN, roles: { EN: [integration] }, passwordHash: "${hash}", administrator: true }
  - { id: bo, defaultCompany: EN, roles: { EN: [integration] }, passwordHash: "${hash}" }
  - { id: eva, defaultCompany: EN, roles: { EN: [reader] }, passwordHash: "${hash}", administrator: [EN] }
`
  const file = join(mkdtempSync(join(tmpdir(), 'tabularium-people-')), 'company.yaml')
  writeFileSync(file, readFileSync('test/fixtures/company.yaml', 'utf8').replace(/^users:\n/m, people))
  return file
}

it('is left alone by the file of a start once it was changed in the console, until `setup` applies the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-source-'))
  const setup = await withPeople()
  const environment = { TEST_CLIENT_SECRET: CLIENT_SECRET }
  const observed: Observation[] = []
  const start = () =>
    buildApplication({
      ...{ data: join(folder, 'data'), setup, environment, basePath: '' },
      observe: (one) => void observed.push(one),
      onFatal: () => {},
    })
  const isDisabled = async (store: Store) =>
    (await readItems(store.reading(''))).some(({ id, definition }) => id === 'bo' && 'disabled' in definition)
  const first = await start()
  const actor = { userId: 'ada', clientId: 'console:ada', requestId: '' }
  await changePerson({ store: first.service.store, actor, validateOnly: false }, 'bo', { disabled: true })
  await first.stop(0)
  const second = await start()
  expect(await isDisabled(second.service.store)).toBe(true)
  expect(observed).toContainEqual(
    expect.objectContaining({ kind: 'setup-left-alone', file: 'company.yaml', changedBy: 'ada' }),
  )
  await applySetup(setupTask(second.service.store, setup, () => {}, { environment }))
  await second.stop(0)
  const third = await start()
  expect([await isDisabled(third.service.store), third.setupReport?.changes.length]).toEqual([
    false,
    expect.any(Number),
  ])
  await third.stop(0)
  rmSync(folder, { recursive: true })
})

onEachStore(
  'The service as administrators see it',
  (world) => {
    const sessions = new Map<string, Record<string, string>>()
    const signedIn = async (user: string): Promise<Record<string, string>> => {
      const known = sessions.get(user)
      if (known) return known
      const body = { user, password: PASSWORD }
      const { headers } = await world().send({ method: 'POST', url: '/console/api/session', body, headers: OWN })
      const session = { ...OWN, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
      sessions.set(user, session)
      return session
    }
    const get = async (url: string, user = 'ada') => world().send({ url, headers: await signedIn(user) })
    const compare = async (setup: unknown, user = 'ada') =>
      world().send({ method: 'POST', url: COMPARISON, body: { setup }, headers: await signedIn(user) })

    it('is shown to no one else', async () => {
      const before = await get(`${PATH}/setup`)
      for (const url of [`${PATH}/clients`, `${PATH}/clients/reader/requests`, `${PATH}/health`, `${PATH}/setup`]) {
        const [person, nobody, client] = [
          await get(url, 'bo'),
          await world().send({ url, headers: OWN }),
          await world().send({ as: 'integration', url }),
        ]
        expect([url, person.status, nobody.status, client.status]).toEqual([url, 403, 401, 401])
        expect(person.text + nobody.text + client.text).not.toMatch(/svc-|scrypt|attributes/)
      }
      expect((await compare('version: 1', 'bo')).status).toBe(403)
      expect((await world().send({ method: 'POST', url: COMPARISON, body: { setup: '' } })).status).toBe(401)
      expect((await get(`${PATH}/setup`)).json).toEqual(before.json)
    })

    it('has the clients with what they may, and nothing of their secrets', async () => {
      const { status, json, text } = await get(`${PATH}/clients`)
      expect(status).toBe(200)
      const { clients } = json as { clients: { id: string }[] }
      expect(clients.find(({ id }) => id === 'reader')).toEqual({
        id: 'reader',
        user: 'svc-reader',
        isDisabled: false,
        secretsUntil: [''],
        roles: { EN: ['reader'] },
        companies: [{ id: 'EN', permissions: expect.arrayContaining(['attribute-values:read']) }],
      })
      expect(text).not.toMatch(/scrypt|hash/i)
    })

    it('has what a client has asked lately, by its routes alone', async () => {
      await world().send({ as: 'reader', url: '/v1/attribute-values/C1?$filter=attributeValue eq %27canary%27' })
      await world().send({ as: 'reader', method: 'POST', url: '/v1/attribute-values', body: {} })
      const { json, text } = await get(`${PATH}/clients/reader/requests`)
      expect((json as { requests: object[] }).requests.slice(0, 2)).toMatchObject([
        { method: 'POST', route: '/v1/attribute-values', status: 403, user: 'svc-reader' },
        { method: 'GET', route: '/v1/attribute-values/:attributeId', status: 200 },
      ])
      expect(text).not.toContain('canary')
      expect((await get(`${PATH}/clients/stranger/requests`)).status).toBe(404)
      const refused = (await get(`${PATH}/requests`)).json as { requests: { client: string }[] }
      expect(refused.requests.find(({ client }) => client === 'reader')).toMatchObject({
        route: '/v1/attribute-values',
        status: 403,
        reason: expect.stringMatching(/attribute-values:create/),
      })
      const headers = { ...(await signedIn('ada')), 'accept-language': 'de' }
      const german = (await world().send({ url: `${PATH}/requests`, headers })).json as typeof refused
      expect(german.requests.find(({ client }) => client === 'reader')).toMatchObject({
        reason: expect.stringMatching(/^keine Rolle .*gibt attribute-values:create$/),
      })
    })

    it('has the words that the caller has read, with names of properties and nothing else of what was sent', async () => {
      const ask = (url: string, sent: Partial<Sent> = {}) => world().send({ as: 'integration', url, ...sent })
      const ledger = '/v1/objects/customers'
      const told = async (language: string) => {
        const headers = { ...(await signedIn('ada')), 'accept-language': language }
        const { json } = await world().send({ url: `${PATH}/clients/integration/requests`, headers })
        return (json as { requests: { message?: string }[] }).requests[0]?.message
      }
      const grouped = await ask(`${ledger}?$groupby=dimensions&$aggregate=count() as n`)
      expect(grouped.json.message).toMatch(/'dimensions' at position 0 of \$groupby/)
      expect([await told('en'), await told('de')]).toEqual([
        expect.stringMatching(/.dimensions. at position 0 of \$groupby/),
        expect.stringMatching(/.dimensions. .*\$groupby/),
      ])
      expect(await told('de')).not.toBe(await told('en'))
      const canary = 'Canary8-19850312-4410'
      const sent = [
        ask(`${ledger}?$filter=customerName eq '${canary}`),
        ask(`${ledger}?$filter=${canary} eq 'x'`),
        ask(`${ledger}?$orderby=aB3dE9kQx7`),
        ask(`${ledger}?$format=${canary}`),
        ask(`/v1/attribute-values/C1/${canary}/0`),
        ask(`/v1/${canary}`),
        ask('/v1/attribute-values', {
          method: 'POST',
          body: { attributeId: canary, attributeValue: canary.repeat(9) },
        }),
        ask('/v1/attribute-values', { method: 'POST', body: `{"attributeId": "${canary}` }),
      ]
      const statuses = (await Promise.all(sent)).map(({ status }) => status)
      expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
      const { json, text } = await get(`${PATH}/requests`)
      const messages = (json as { requests: { message?: string }[] }).requests.slice(0, sent.length)
      expect(messages.filter(({ message }) => message !== undefined).length).toBeGreaterThan(5)
      expect(text).not.toMatch(/canary|aB3dE9/i)
    })

    it('has what companies keep, and their quotas', async () => {
      const { json } = await get(`${PATH}/companies`, 'eva')
      expect(json).toEqual({
        companies: [{ id: 'EN', name: expect.any(String), fileBytes: 0, journalBytes: expect.any(Number), quotas: {} }],
      })
    })

    it('has its health', async () => {
      const { status, json } = await get(`${PATH}/health`)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        version: expect.stringMatching(/^\d+\./),
        isShared: world().kind === 'postgres',
        databaseBytes: expect.any(Number),
        processes: expect.any(Array),
      })
    })

    it('has the setup in force as a file, without the hashes of secrets and passwords', async () => {
      const { json } = await get(`${PATH}/setup`)
      const { setup } = json as { setup: string }
      expect(setup).toContain('id: EN')
      expect(setup).toMatch(/passwordHash: hidden-[0-9a-f]{16}/)
      expect(setup).not.toContain('scrypt$')
    })

    it('finds no difference in the file that it has told', async () => {
      const { json } = await get(`${PATH}/setup`)
      const compared = await compare((json as { setup: string }).setup)
      expect((compared.json as { changes: string }).changes).toMatch(/^0 created, 0 changed, \d+ unchanged/)
      expect(compared.text).not.toContain('scrypt$')
    })

    it('tells what a file would change, changes nothing, and tells each fault with its line', async () => {
      const before = await get(`${PATH}/setup`)
      const setup = `version: 1
companies:
  - id: EN
    name: Another name AS
    attributes:
      - { id: C1, name: COSTC, description: Cost centre }
`
      const { status, json } = await compare(setup)
      expect(status).toBe(200)
      expect((json as { changes: string }).changes).toMatch(/^~ company EN: name/m)
      const wrong = await compare('version: 1\ncompanies:\n  - { id: EN, nmae: X }\n')
      expect([wrong.status, (wrong.json as { problems: string[] }).problems[0]]).toEqual([
        200,
        expect.stringMatching(/^line:3:/),
      ])
      expect(wrong.text).not.toContain('/tmp')
      const inGerman = async (url: string, text: string) => {
        const headers = { ...(await signedIn('ada')), 'accept-language': 'de' }
        return (await world().send({ method: 'POST', url, body: { setup: text }, headers })).json
      }
      const faulty =
        'version: 1\ncompanies:\n  - { id: EN, nmae: X }\nusers: [{ id: a, defaultCompany: EN, roles: { EN: [lost] } }]\n'
      const faults = [
        'line:3:15 companies[0].nmae: unbekannter Schlüssel „nmae“; meinten Sie „name“?',
        'line:4:52 users[0].roles.EN[0]: Rolle „lost“ gibt es nicht',
      ]
      expect(await inGerman(COMPARISON, faulty)).toEqual({ problems: faults })
      expect(await inGerman(`${PATH}/setup`, faulty)).toEqual({ code: 3010, message: faults.join('\n') })
      expect(await inGerman(COMPARISON, 'version: 1\nroles: [\n')).toEqual({
        problems: [expect.stringMatching(/^line:\d+:\d+: die Liste oder Gruppe ist nicht beendet: .* fehlt/)],
      })
      for (const body of [{}, { setup: 7 }]) expect((await compare(Object.values(body)[0])).status).toBe(400)
      expect((await get(`${PATH}/setup`)).json).toEqual(before.json)
    })

    const change = async (method: 'POST' | 'PATCH', path: string, body?: unknown, user = 'ada', headers = {}) =>
      world().send({ method, url: PATH + path, body, headers: { ...(await signedIn(user)), ...headers } })
    const signIn = (user: string, password: string) =>
      world().send({ method: 'POST', url: '/console/api/session', body: { user, password }, headers: OWN })
    const personOf = async (id: string, user = 'ada') => {
      const { people } = (await get(`${PATH}/people`, user)).json as { people: { id: string }[] }
      return people.find((one) => one.id === id)
    }
    const READS = [{ companyId: 'EN', roles: ['reader'] }]

    it('adds a person, whose password is told once, and who has its roles at once', async () => {
      const anna = { id: 'anna', name: 'Anna Lie', defaultCompany: 'en', roles: READS }
      const tried = await change('POST', '/people?validateOnly=true', anna)
      expect([tried.status, tried.json, await personOf('anna')]).toEqual([200, { id: 'anna' }, undefined])
      const { status, json, headers } = await change('POST', '/people', anna)
      const { password } = json as { password: string }
      expect([status, headers['cache-control'], password]).toEqual([
        201,
        'no-store',
        expect.stringMatching(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/),
      ])
      const session = await signIn('anna', password)
      expect(session.json).toMatchObject({ user: 'anna', name: 'Anna Lie', administrator: false, defaultCompany: 'EN' })
      expect(await personOf('anna')).toMatchObject({ name: 'Anna Lie', disabled: false, roles: { EN: ['reader'] } })
      expect((await change('POST', '/people', anna)).status).toBe(409)
      expect(JSON.stringify(await world().dump())).not.toContain(password)
    })

    it('tells everything that is wrong with a person, in its place', async () => {
      const roles = [
        { companyId: 'XX', roles: ['reader'] },
        { companyId: 'EN', roles: ['raeder'] },
      ]
      const wrong = await change('POST', '/people', { id: 'nora', defaultCompany: 'EN', roles })
      expect(wrong.status).toBe(422)
      expect(wrong.json).toMatchObject({
        roles: [
          { notificationMessages: { companyId: [{ code: 3010, message: "There is no company 'XX'." }] } },
          { notificationMessages: { roles: [{ message: "There is no role 'raeder'." }] } },
        ],
      })
      for (const id of ['', '..', 'a:b', 'a/b', 'x'.repeat(101)])
        expect((await change('POST', '/people', { id, defaultCompany: 'EN', roles: READS })).status).toBe(422)
      const long = { id: 'ola', name: 'x'.repeat(101), defaultCompany: 'EN', roles: READS }
      const refused = await change('POST', '/people', long)
      expect([refused.status, Object.keys(refused.json.notificationMessages)]).toEqual([422, ['name']])
      for (const body of [undefined, [], 'anna', { id: {} }])
        expect((await change('POST', '/people', body)).status).toBe(400)
      expect((await change('PATCH', '/people/nobody', { disabled: true })).status).toBe(404)
    })

    it('ends the sessions of who is disabled, or gets another password', async () => {
      const made = await change('POST', '/people', { id: 'dag', defaultCompany: 'EN', roles: READS })
      const { password } = made.json as { password: string }
      const { headers } = await signIn('dag', password)
      const session = { ...OWN, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
      const asks = () => world().send({ url: '/v1/attribute-values/C1', headers: session })
      expect((await asks()).status).toBe(200)
      const other = await change('POST', '/people/dag/password')
      expect([(await asks()).status, (await signIn('dag', password)).status]).toEqual([401, 401])
      const { password: next } = other.json as { password: string }
      expect((await signIn('dag', next)).status).toBe(201)
      expect((await change('PATCH', '/people/dag', { disabled: true })).status).toBe(204)
      expect((await signIn('dag', next)).status).toBe(401)
      await change('PATCH', '/people/dag', { disabled: false, roles: [{ companyId: 'EN', roles: ['integration'] }] })
      expect((await signIn('dag', next)).status).toBe(201)
      expect(await personOf('dag')).toMatchObject({ disabled: false, roles: { EN: ['integration'] } })
    })

    it('adds a client, and gives it another secret beside the one before', async () => {
      const made = await change('POST', '/clients', { id: 'bi-tool', defaultCompany: 'EN', roles: READS })
      const { secret } = made.json as { secret: string }
      const asks = (given: string) => {
        const authorization = `Basic ${Buffer.from(`bi-tool:${given}`).toString('base64')}`
        return world().send({ url: '/v1/attribute-values/C1', headers: { authorization } })
      }
      expect([made.status, (await asks(secret)).status]).toEqual([201, 200])
      const next = (await change('POST', '/clients/bi-tool/secret', { keepHours: 24 })).json as { secret: string }
      expect([(await asks(secret)).status, (await asks(next.secret)).status]).toEqual([200, 200])
      const last = (await change('POST', '/clients/bi-tool/secret', { keepHours: 0 })).json as { secret: string }
      expect([(await asks(next.secret)).status, (await asks(last.secret)).status]).toEqual([401, 200])
      for (const body of [{}, { keepHours: -1 }, { keepHours: 169 }])
        expect((await change('POST', '/clients/bi-tool/secret', body)).status).toBe(400)
      expect((await change('PATCH', '/clients/bi-tool', { disabled: true })).status).toBe(204)
      expect((await asks(last.secret)).status).toBe(401)
    })

    const HOOK = { companyId: 'EN', name: 'Web shop', url: 'https://hooks.example.com/x' }
    const subscribe = (body: object, { client = 'integration', user = 'ada', headers = {}, query = '' } = {}) =>
      change('POST', `/clients/${client}/subscriptions${query}`, { ...HOOK, ...body }, user, headers)
    const subscriptions = () => world().query('select client_id, user_id, updated_by, definition from subscription')

    it('makes a webhook of a client, which is told what the client may see, and signed by what is told once', async () => {
      const { json: may } = await get(`${PATH}/clients/both/entities`, 'ada')
      expect(may.companies).toMatchObject([
        { id: 'EN', entities: expect.arrayContaining(['attribute-values']) },
        { id: 'SV', entities: expect.arrayContaining(['attribute-values']) },
      ])
      expect((await get(`${PATH}/clients/reader/entities`, 'eva')).json).toEqual({
        companies: [{ id: 'EN', entities: [] }],
      })
      const receiver = await WebhookReceiver.start()
      const body = { url: receiver.url, entities: ['attribute-values'], payload: 'full' }
      const tried = await subscribe(body, { query: '?validateOnly=true' })
      expect([tried.status, tried.json.secret, await subscriptions()]).toEqual([200, undefined, []])
      const { status, json, headers } = await subscribe(body)
      expect([status, headers['cache-control'], json.clientId]).toEqual([201, 'no-store', 'integration'])
      expect(await subscriptions()).toMatchObject([
        { client_id: 'integration', user_id: 'svc-integration', updated_by: 'ada' },
      ])
      const entries = "select user_id, client_id from audit_entry where entity = 'subscription'"
      expect(await world().query(entries)).toEqual([{ user_id: 'ada', client_id: 'console:ada' }])
      world().application.deliveries.start()
      const value = { attributeId: 'C1', attributeValue: 'HOOKED', description: 'Told' }
      expect(
        (await world().send({ as: 'integration', method: 'POST', url: '/v1/attribute-values', body: value })).status,
      ).toBe(201)
      await expect.poll(() => receiver.received.length, { timeout: 120_000, interval: 20 }).toBe(1)
      const [told] = receiver.received
      expect(new Webhook(json.secret).verify(told?.body ?? '', told?.headers ?? {})).toMatchObject({
        data: { record: { attributeValue: 'HOOKED' } },
      })
      await world().application.deliveries.stop()
      await receiver.stop()
    })

    it('makes no webhook that breaks the rules of one, or gives anybody a right that he has not', async () => {
      const before = await subscriptions()
      const wrong = await subscribe({ url: 'https://10.0.0.1/', name: '', entities: ['custumers'] })
      expect([wrong.status, Object.keys(wrong.json.notificationMessages).sort()]).toEqual([
        422,
        ['entities', 'name', 'url'],
      ])
      const elsewhere = await subscribe({ companyId: 'SV' })
      expect([elsewhere.status, elsewhere.json.notificationMessages]).toEqual([
        422,
        { companyId: [{ code: 3010, message: "The client has no role in the company 'SV'." }] },
      ])
      const refused = [
        await subscribe({}, { user: 'bo' }),
        await subscribe({}, { headers: { 'act-as': 'reader' } }),
        await subscribe({}, { headers: { 'sec-fetch-site': 'cross-site' } }),
        await world().send({ as: 'both', method: 'POST', url: `${PATH}/clients/reader/subscriptions`, body: HOOK }),
        // The client may not read them.
        await subscribe({ entities: ['attribute-values'] }, { client: 'reader' }),
        await subscribe({}, { client: 'stranger' }),
        // She does not administer the company.
        await subscribe({ companyId: 'SV' }, { client: 'both', user: 'eva' }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 401, 401, 403, 404, 404])
      expect(await subscriptions()).toEqual(before)
    })

    it('leaves nobody without an administrator', async () => {
      for (const body of [{ disabled: true }, { administrator: false }, { roles: [] }])
        expect((await change('PATCH', '/people/ada', body)).status).toBe(409)
      const { setup } = (await get(`${PATH}/setup`)).json as { setup: string }
      const without = setup.replace(/administrator: true/, 'administrator: false')
      expect((await change('POST', '/setup', { setup: without })).status).toBe(409)
      expect((await compare(without)).status).toBe(409)
      expect((await change('PATCH', '/people/ada', { name: 'Ada Berg' })).status).toBe(204)
      expect(await personOf('ada')).toMatchObject({ administrator: true, name: 'Ada Berg' })
    })

    it('takes a backup on request, one at a time, and tells of the last one', async () => {
      const taken = () => get(`${PATH}/backups`)
      expect([(await taken()).json, (await get(`${PATH}/backups`, 'eva')).status]).toEqual([{ folder: BACKUPS }, 403])
      expect((await change('POST', '/backups', {}, 'eva')).status).toBe(403)
      // At once: a small one may be taken before another request is prepared.
      const both = await Promise.all([change('POST', '/backups'), change('POST', '/backups')])
      expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
      await expect.poll(async () => (await taken()).json.running).toBeUndefined()
      const { json } = await taken()
      expect(json).toEqual({
        folder: BACKUPS,
        last: expect.objectContaining({ ended: expect.any(String), program: PROGRAM_VERSION, missing: 0 }),
      })
      const faults: string[] = []
      await verifyBackup({ target: BACKUPS, report: (fault) => faults.push(fault), progress: () => {} })
      expect(faults).toEqual([])
    })

    it('says in the words of the reader why a backup cannot be written', async () => {
      rmSync(BACKUPS, { recursive: true })
      writeFileSync(BACKUPS, '')
      expect((await change('POST', '/backups')).status).toBe(202)
      const headers = { ...(await signedIn('ada')), 'accept-language': 'de' }
      const told = async () => (await world().send({ url: `${PATH}/backups`, headers })).json
      await expect.poll(async () => (await told()).running, { timeout: 60_000 }).toBeUndefined()
      expect((await told()).problem).toBe(
        'Die Sicherung kann nicht angelegt werden: der Ordner fehlt, oder an seiner Stelle liegt eine Datei.',
      )
      rmSync(BACKUPS)
    })

    it('has a description with each of its requests, in OpenAPI', async () => {
      const { status, json } = await get(`${PATH}/openapi.json`, 'eva')
      const { openapi, paths } = json as { openapi: string; paths: Record<string, Record<string, object>> }
      const described = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      )
      const served = consoleRoutes(world())
        .filter(({ method, path }) => path.startsWith(PATH) && method !== 'HEAD')
        .map(({ method, path }) => `${method} ${path}`)
      expect([status, openapi, described.sort()]).toEqual([200, '3.1.0', served.sort()])
    })

    it('is administered by no one else: no client, nobody who sees as one, no page of another site', async () => {
      const nora = { id: 'nora', defaultCompany: 'EN', roles: READS }
      const refused = [
        await change('POST', '/people', nora, 'bo'),
        await change('POST', '/people', nora, 'ada', { 'act-as': 'reader' }),
        await change('POST', '/people', nora, 'ada', { 'x-requested-with': 'XMLHttpRequest' }),
        await change('POST', '/people', nora, 'ada', { 'sec-fetch-site': 'cross-site' }),
        await world().send({ as: 'integration', method: 'POST', url: `${PATH}/people`, body: nora }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 401, 401, 401])
      expect(await personOf('nora')).toBeUndefined()
    })

    it('shows who administers a company nothing of others', async () => {
      const { people, companies } = (await get(`${PATH}/people`, 'eva')).json as Record<string, { id: string }[]>
      expect(companies).toEqual([{ id: 'EN', name: expect.any(String) }])
      expect(people?.map(({ id }) => id)).toContain('bo')
      expect((await get(`${PATH}/clients`, 'eva')).text).not.toMatch(/"SV"/)
      for (const path of ['/setup', '/health']) expect((await get(PATH + path, 'eva')).status).toBe(403)
      const there = [{ companyId: 'SV', roles: ['reader'] }]
      const asked = await change('POST', '/people', { id: 'stig', defaultCompany: 'SV', roles: there }, 'eva')
      const unknown = await change('POST', '/people', { id: 'stig', defaultCompany: 'XX', roles: [] }, 'eva')
      expect([asked.status, unknown.status]).toEqual([422, 422])
      expect((await change('POST', '/people', { id: 'stig', defaultCompany: 'SV', roles: there })).status).toBe(201)
      expect(await personOf('stig', 'eva')).toBeUndefined()
      expect((await change('PATCH', '/people/stig', { disabled: true }, 'eva')).status).toBe(404)
      const boss = { id: 'boss', defaultCompany: 'EN', roles: [], administrator: true }
      expect((await change('POST', '/people', boss, 'eva')).status).toBe(403)
      for (const path of ['/people/ada', '/people/eva'])
        expect((await change('PATCH', path, { disabled: true }, 'eva')).status).toBe(403)
      const ida = { id: 'ida', defaultCompany: 'EN', roles: READS }
      expect((await change('POST', '/people', ida, 'eva')).status).toBe(201)
    })

    it('takes a setup, tells what has changed, and is then administered here', async () => {
      const { setup } = (await get(`${PATH}/setup`)).json as { setup: string }
      const next = setup.replace(/^( +- id: EN\n +)name: .*$/m, '$1name: Nordic Pumps AS\n    accent: violet')
      const { status, json } = await change('POST', '/setup', { setup: next })
      expect([status, (json as { changes: string }).changes]).toEqual([200, expect.stringMatching(/^~ company EN: /m)])
      const { companies } = (await signIn('ada', PASSWORD)).json as { companies: object[] }
      expect(companies[0]).toMatchObject({ name: 'Nordic Pumps AS', accent: 'violet' })
      const now = (await get(`${PATH}/setup`)).json as { changedInConsole: object }
      expect(now.changedInConsole).toEqual({ userId: 'ada', at: expect.any(String) })
      const wrong = await change('POST', '/setup', { setup: 'version: 1\ncompanies:\n  - { id: EN, nmae: X }\n' })
      expect([wrong.status, wrong.json]).toEqual([422, { code: 3010, message: expect.stringMatching(/^line:3:/) }])
    })
  },
  async (kind) => startWorld(kind, await withPeople(), '', { backups: BACKUPS }),
)
