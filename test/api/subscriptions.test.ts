// /v1/subscriptions: create, list, read, change and delete; who may, and what nobody is told.
import { beforeAll, describe, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const URL = 'https://hooks.example.com/tabularium'
const COLLECTION = '/v1/subscriptions'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const NEVER = '1900-01-01T00:00:00.000Z'

const create = (body: object, sent: Partial<Sent> = {}): Sent => ({
  as: 'integration',
  method: 'POST',
  url: COLLECTION,
  body: { name: 'Web shop', url: URL, ...body },
  ...sent,
})

const refused = (name: string, body: object, field: string, code: number, message: string, status = 422): Scenario => ({
  name,
  ...create(body),
  status,
  findings: { [field]: [code, message] },
})

const cannotBeUsed = (url: string, why: string) =>
  refused(`subscriptions: refuses the url ${url}`, { url }, 'url', 3010, `The url cannot be used: ${why}.`)

const HTTPS = 'a URL with https is expected; http is for localhost only'
const PRIVATE = 'the address is not public'

const refusals: Scenario[] = [
  {
    name: 'subscriptions: refuses all mistakes at once',
    method: 'POST',
    url: COLLECTION,
    body: { payload: 'thick', signature: 'rsa', since: 'yesterday' },
    status: 422,
    findings: {
      name: [1010, 'The Name field is required.'],
      url: [1010, 'The Url field is required.'],
      payload: [3010, 'The field payload must be thin or full.'],
      signature: [3010, 'The field signature must be hmac or ed25519.'],
      since: [1020, 'The field since must be now, or a number that X-ERP-Change-Number named.'],
    },
  },
  refused(
    'subscriptions: refuses a name of more than 100 characters',
    { name: 'x'.repeat(101) },
    'name',
    1010,
    'The field Name must be a string or array type with a maximum length of 100.',
    400,
  ),
  cannotBeUsed('http://hooks.example.com/', HTTPS),
  cannotBeUsed('ftp://hooks.example.com/', HTTPS),
  cannotBeUsed('https://10.0.0.1/', PRIVATE),
  cannotBeUsed('https://0x7f.1/', PRIVATE),
  cannotBeUsed('https://[::ffff:169.254.169.254]/', PRIVATE),
  cannotBeUsed('https://me:secret@hooks.example.com/', 'a URL without user and password is expected'),
  cannotBeUsed('https://hooks.example.com/#part', 'a URL without fragment is expected'),
  {
    name: 'subscriptions: refuses an entity that is none with 400, at its field',
    ...create({ entities: ['custumers'] }),
    status: 400,
    includes: { notificationMessages: { entities: [{ code: 1020 }] } },
  },
  {
    name: 'subscriptions: refuses a wrong filter with 400, at its field',
    ...create({ entities: ['customers'], filter: 'nowhere eq 1' }),
    status: 400,
    includes: { notificationMessages: { filter: [{ code: 1020 }] } },
  },
  {
    name: 'subscriptions: refuses a wrong select with 400, at its field',
    ...create({ entities: ['customers'], select: 'nowhere' }),
    status: 400,
    includes: { notificationMessages: { select: [{ code: 1020 }] } },
  },
  {
    name: 'subscriptions: refuses an entity that the client may not read with 403',
    ...create({ entities: ['customers'] }, { as: 'values' }),
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'subscriptions: refuses a number that the log has not reached',
    ...create({ since: 999_999_999 }),
    status: 400,
    findings: { since: [1020, 'The field since must be now, or a number that X-ERP-Change-Number named.'] },
  },
  {
    name: 'subscriptions: refuses a caller without the permission',
    ...create({}, { as: 'watcher' }),
    status: 403,
    code: 2030,
  },
  { name: 'subscriptions: refuses a caller who may nothing', as: 'nobody', url: COLLECTION, status: 403, code: 2030 },
  {
    name: 'subscriptions: refuses another company like one that is not there',
    url: `${COLLECTION}?companyId=SV`,
    status: 403,
    code: 2030,
  },
  { name: 'subscriptions: refuses a misspelt option', url: `${COLLECTION}?$fitler=x`, status: 400, code: 1020 },
  {
    name: 'subscriptions: names the key of one that is not there',
    url: `${COLLECTION}/${UNKNOWN}`,
    status: 404,
    json: {
      code: 1040,
      message: `The entity of the following parameters [Company: EN, Subscription: ${UNKNOWN}] was not found.`,
    },
  },
  {
    name: 'subscriptions: deletes none that is not there',
    method: 'DELETE',
    url: `${COLLECTION}/${UNKNOWN}`,
    status: 404,
    code: 1040,
  },
]

onEachStore(
  'subscriptions',
  (world) => {
    runScenarios(world, refusals)

    const made = async (body: object = {}, sent: Partial<Sent> = {}) => (await world().send(create(body, sent))).json
    const read = async (id: string, as = 'integration') => (await world().send({ as, url: `${COLLECTION}/${id}` })).json
    const patch = (id: string, operations: object[], sent: Partial<Sent> = {}) =>
      world().send({ as: 'integration', method: 'PATCH', url: `${COLLECTION}/${id}`, body: operations, ...sent })

    it('subscriptions: creates one with 201, its address, a tag and a secret that is shown once', async () => {
      const answer = await world().send(create({ entities: ['customers'], filter: "customerGroupId eq 'DOM'" }))
      expect(answer.status).toBe(201)
      const { id, secret, lastUpdated, position, ...rest } = answer.json
      expect(rest).toEqual({
        companyId: 'EN',
        name: 'Web shop',
        url: URL,
        entities: ['customers'],
        filter: "customerGroupId eq 'DOM'",
        select: '',
        payload: 'thin',
        batch: false,
        signature: 'hmac',
        publicKey: '',
        clientId: 'integration',
        userId: 'svc-integration',
        isSetup: false,
        state: 'active',
        reason: '',
        pending: 0,
        deadLetters: 0,
        oldestUndelivered: NEVER,
        failingSince: NEVER,
        previousSecretUntil: NEVER,
      })
      expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
      expect(answer.headers.location).toBe(`${COLLECTION}/${id}`)
      expect(answer.headers.etag).toBe(`"${position}"`)
      const again = await world().send({ as: 'integration', url: `${COLLECTION}/${id}` })
      expect([again.status, again.headers.etag]).toEqual([200, answer.headers.etag])
      const { json: described } = await world().send({ url: '/openapi.json' })
      expect(JSON.stringify(described.paths[`${COLLECTION}/{id}`])).not.toContain('If-None-Match')
      expect(again.json).toEqual({ id, lastUpdated, position, ...rest, pending: again.json.pending })
      expect(again.text).not.toContain('whsec_')
    })

    it('subscriptions: makes the payload full when there is a select', async () => {
      const { payload, select } = await made({ entities: ['customers'], select: 'customerName', payload: 'thin' })
      expect([payload, select]).toEqual(['full', 'customerName'])
    })

    it('subscriptions: tells the public key of ed25519 to its own client alone, and the private one to nobody', async () => {
      const { id, secret, publicKey } = await made({ signature: 'ed25519' })
      expect(secret).toBe('')
      expect(Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64')).toHaveLength(32)
      expect((await read(id)).publicKey).toBe(publicKey)
      expect((await read(id, 'watcher')).publicKey).toBe('')
    })

    it('subscriptions: starts at the number that is named', async () => {
      const first = await made()
      const { id, position } = await made({ since: first.position })
      expect(position).toBe(first.position)
      expect((await read(id)).pending).toBeGreaterThan(0)
      expect((await made({ since: String(first.position) })).position).toBe(first.position)
    })

    it('subscriptions: lists those of the company to all who may read them, and none to another company', async () => {
      const { id } = await made()
      const listed = await world().send({ as: 'watcher', url: COLLECTION })
      expect(listed.status).toBe(200)
      expect(listed.json.map((one: { id: string }) => one.id)).toContain(id)
      expect(listed.text).not.toMatch(/whsec_|whpk_|secret"/)
      expect((await world().send({ as: 'sv', url: COLLECTION })).json).toEqual([])
      expect((await world().send({ as: 'sv', url: `${COLLECTION}/${id}` })).status).toBe(404)
    })

    it('subscriptions: only validates when asked to', async () => {
      const before = await world().dump()
      const answer = await world().send(create({}, { url: `${COLLECTION}?validateOnly=true` }))
      expect([answer.status, answer.json.state, answer.json.secret]).toEqual([200, 'active', ''])
      expect([answer.headers.location, answer.headers.etag]).toEqual([undefined, undefined])
      expect(await world().changesSince(before)).toEqual([])
    })

    it('subscriptions: answers a repeat with the same secret, which is stored with the subscription alone', async () => {
      const sent = create({}, { headers: { 'idempotency-key': 'made-once' } })
      const first = await world().send(sent)
      const again = await world().send(sent)
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
      expect(again.json).toEqual(first.json)
      const secret = first.json.secret.slice('whsec_'.length)
      const holding = [...(await world().dump())].filter((row) => row.includes(secret))
      expect(holding.map((row) => row.split(' ')[0])).toEqual(['subscription'])
    })

    it('subscriptions: journals each change without a secret', async () => {
      const { id, secret } = await made({ name: 'Journaled' })
      await patch(id, [{ op: 'replace', path: '/name', value: 'Renamed' }])
      await world().send({ as: 'integration', method: 'DELETE', url: `${COLLECTION}/${id}` })
      const url = `/v1/objects/audit-entries?$filter=entity eq 'subscription' and contains(recordKey,'${id}')`
      const { json, text } = await world().send({ as: 'values', url: encodeURI(url) })
      expect(json.map(({ operation }: { operation: string }) => operation)).toEqual(['create', 'update', 'delete'])
      expect(text).toContain('Renamed')
      expect(text).not.toContain(secret.slice('whsec_'.length, 20))
    })

    describe('a patch', () => {
      let id: string
      beforeAll(async () => {
        id = (await made({ name: 'To be patched', entities: ['customers'] })).id
      })

      it('subscriptions: changes what describes it, with a new tag, and keeps the position', async () => {
        const before = await read(id)
        const answer = await patch(id, [
          { op: 'replace', path: '/name', value: 'Other' },
          { op: 'replace', path: '/url', value: 'http://localhost:8080/hook' },
          { op: 'add', path: '/entities/-', value: 'attribute-values' },
          { op: 'replace', path: '/batch', value: true },
        ])
        expect(answer.status).toBe(200)
        expect(answer.json).toMatchObject({
          name: 'Other',
          url: 'http://localhost:8080/hook',
          entities: ['customers', 'attribute-values'],
          batch: true,
          position: before.position,
        })
        expect((await read(id)).name).toBe('Other')
      })

      it('subscriptions: refuses a tag that no longer holds with 409', async () => {
        const before = await world().dump()
        const body = [{ op: 'replace', path: '/name', value: 'Never' }]
        const answer = await patch(id, body, { headers: { 'if-match': '"1"' } })
        expect([answer.status, answer.json.code]).toEqual([409, 3090])
        expect(await world().changesSince(before)).toEqual([])
      })

      it.each([
        ['the signature', [{ op: 'replace', path: '/signature', value: 'ed25519' }], 400, 4020],
        ['what is none', [{ op: 'replace', path: '/secret', value: 'x' }], 400, 4020],
        ['no name', [{ op: 'replace', path: '/name', value: '' }], 422, undefined],
        ['a private url', [{ op: 'replace', path: '/url', value: 'https://192.168.0.1' }], 422, undefined],
      ])('subscriptions: refuses %s, and changes nothing', async (_name, body, status, code) => {
        const before = await world().dump()
        const answer = await patch(id, body)
        expect([answer.status, answer.json.code]).toEqual([status, code])
        expect(await world().changesSince(before)).toEqual([])
      })

      it('subscriptions: refuses a client that it does not belong to with 403', async () => {
        const before = await world().dump()
        const body = [{ op: 'replace', path: '/url', value: 'https://thief.example.com' }]
        const answer = await patch(id, body, { as: 'values' })
        expect([answer.status, answer.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
        expect(await world().changesSince(before)).toEqual([])
      })

      it('subscriptions: writes nothing when nothing changes', async () => {
        const before = await world().dump()
        const { name } = await read(id)
        expect((await patch(id, [{ op: 'replace', path: '/name', value: name }])).status).toBe(200)
        // As every write it has taken a number.
        const changes = await world().changesSince(before)
        expect(changes.filter((row) => !row.startsWith('journal_counter'))).toEqual([])
      })
    })

    it('subscriptions: deletes one with 200 and no content, also for another client with the permission', async () => {
      const { id } = await made()
      const deleted = await world().send({ as: 'values', method: 'DELETE', url: `${COLLECTION}/${id}` })
      expect([deleted.status, deleted.text]).toEqual([200, ''])
      expect(await read(id)).toMatchObject({ code: 1040 })
    })

    it('subscriptions: takes at most 100 of a company', async () => {
      const { length } = (await world().send({ as: 'integration', url: COLLECTION })).json
      for (let count = length; count < 100; count++) expect((await world().send(create({}))).status).toBe(201)
      const before = await world().dump()
      const answer = await world().send(create({}))
      expect([answer.status, answer.json]).toEqual([
        422,
        { code: 3010, message: 'The company has 100 subscriptions, which is the most.' },
      ])
      expect(await world().changesSince(before)).toEqual([])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/subscriptions.yaml'),
)
