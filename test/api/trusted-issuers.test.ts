// Callers of trusted issuers: each is a separate caller wherever callers are distinguished, and an issuer is trusted
// for its companies or its users alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { type Json, signedToken } from '../support/forgery/signer.ts'
import { objects } from '../support/object-records.ts'
import { soon } from '../support/soon.ts'
import {
  ISSUERS,
  setupTrusting,
  startWithTrustedIssuers,
  type Trust,
  type TrustedIssuerWorld,
} from '../support/trusted-issuers.ts'
import { type Sent, STORE_KINDS, type WorldOptions } from '../support/world.ts'

const HIDDEN = '/v1/customers/1002'
const SEEN = '/v1/customers/1001'
const INVALID = '{"statusCode":401,"message":"Invalid JWT."}'

let keys = 0
const newKey = () => `foreign-${process.pid}-${keys++}`
const rename = (url: string, value: string, key: string): Sent => ({
  method: 'PATCH',
  url,
  headers: { 'idempotency-key': key },
  body: [{ op: 'replace', path: '/customerName', value }],
})

function onEach(
  title: string,
  declare: (world: () => TrustedIssuerWorld) => void,
  trust?: Trust,
  options?: WorldOptions,
): void {
  describe.each(STORE_KINDS)(`${title} on %s`, (kind) => {
    let world: TrustedIssuerWorld
    beforeAll(async () => {
      world = await startWithTrustedIssuers(kind, trust, options)
    })
    afterAll(async () => world?.stop())
    declare(() => world)
  })
}

onEach('A caller of a trusted issuer', (world) => {
  it('never gets the stored answer of another one, neither of another issuer nor of its own', async () => {
    const key = newKey()
    const sent = rename(HIDDEN, 'By an administrator', key)
    const first = await world().sendAs('rsa', { upn: 'svc-admin', sub: 'a' }, sent)
    expect([first.status, first.text.includes('canary')]).toEqual([200, true])
    for (const [issuer, claims] of [
      ['ec', { upn: 'svc-norwegian', sub: 'a' }],
      ['rsa', { upn: 'svc-norwegian', sub: 'b' }],
      ['rsa', { upn: 'svc-norwegian' }],
    ] as const) {
      const answer = await world().sendAs(issuer, claims, sent)
      expect([answer.status, answer.text.includes('canary'), answer.headers['idempotency-replayed']]).toEqual([
        404,
        false,
        undefined,
      ])
    }
    expect((await world().sendAs('rsa', { upn: 'svc-admin', sub: 'a' }, sent)).headers['idempotency-replayed']).toBe(
      'true',
    )
  })

  it('may use a key that another one has used, and its write is executed', async () => {
    const key = newKey()
    const names = []
    for (const [issuer, sub] of [
      ['rsa', 'a'],
      ['rsa', 'b'],
      ['ec', 'a'],
    ] as const) {
      const name = `${issuer} ${sub}`
      const answer = await world().sendAs(issuer, { upn: 'svc-admin', sub }, rename(SEEN, name, key))
      names.push([answer.status, answer.json.customerName])
    }
    expect(names).toEqual([
      [200, 'rsa a'],
      [200, 'rsa b'],
      [200, 'ec a'],
    ])
  })

  it('appears in the change log with issuer and subject', async () => {
    for (const [issuer, sub] of [
      ['rsa', 'someone'],
      ['ec', 'someone'],
      ['rsa', 'a|b %7C'],
    ] as const) {
      await world().sendAs(issuer, { upn: 'svc-admin', sub }, rename(SEEN, `${issuer} ${sub} journal`, newKey()))
    }
    const url = objects('audit-entries', {
      filter: "entity eq 'customer'",
      select: 'clientId,userId',
      orderby: 'entryNo desc',
      limit: '3',
    })
    const { json } = await world().send({ as: 'admin', url })
    expect(json).toEqual([
      { clientId: `foreign:${ISSUERS.rsa}|a|b %7C`, userId: 'svc-admin' },
      { clientId: `foreign:${ISSUERS.ec}|someone`, userId: 'svc-admin' },
      { clientId: `foreign:${ISSUERS.rsa}|someone`, userId: 'svc-admin' },
    ])
  })

  it('appears in the log of denied accesses with issuer and subject', async () => {
    await world().sendAs('ec', { upn: 'svc-swedish', sub: 'curious' }, { url: '/v1/documents' })
    const refused = world().observed.findLast(({ kind }) => kind === 'access-refused')
    expect(refused).toMatchObject({ userId: 'svc-swedish', clientId: `foreign:${ISSUERS.ec}|curious` })
  })

  it.each(['', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\ud800', 7, null, ['a']])(
    'is refused with an invalid subject: %j',
    async (sub) => {
      const answer = await world().sendAs('rsa', { upn: 'svc-admin', sub }, { url: SEEN })
      expect([answer.status, answer.text]).toEqual([401, INVALID])
    },
  )
})

onEach(
  'The limits of callers of trusted issuers',
  (world) => {
    it('are for each of them: one at its limit takes nothing from another', async () => {
      const statusOf = async (issuer: 'rsa' | 'ec', sub: string) =>
        (await world().sendAs(issuer, { upn: 'svc-admin', sub }, { url: SEEN })).status
      const statuses = []
      for (let count = 0; count < 6; count++) statuses.push(await statusOf('rsa', 'busy'))
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      expect(await statusOf('rsa', 'other')).toBe(200)
      expect(await statusOf('ec', 'busy')).toBe(200)
    })
  },
  {},
  { rateLimits: { requestsPerMinute: 5, bytesPerFiveMinutes: undefined } },
)

/** Whether a token is accepted, and in which companies. */
async function reachOf(world: TrustedIssuerWorld, issuer: 'rsa' | 'ec', upn: string) {
  const statusIn = async (companyId: string) => {
    const query = companyId === '' ? '' : `?companyId=${companyId}`
    return (await world.sendAs(issuer, { upn, sub: upn }, { url: `/v1/attribute-values/C1${query}` })).status
  }
  return [await statusIn('EN'), await statusIn('SE'), await statusIn('')]
}

onEach(
  'An issuer that is restricted to companies',
  (world) => {
    it('causes no warning', () => {
      expect(world().observed).toContainEqual({ kind: 'unbound-issuers', issuers: ISSUERS.rsa })
    })

    it('grants rights in these only, whoever its tokens name', async () => {
      expect(await reachOf(world(), 'ec', 'svc-both')).toEqual([403, 200, 200])
      expect(await reachOf(world(), 'rsa', 'svc-both')).toEqual([200, 200, 200])
    })

    it('does not know users without rights there, such as those of the service itself', async () => {
      for (const upn of ['svc-admin', 'svc-rows', 'nobody']) {
        expect(await reachOf(world(), 'ec', upn)).toEqual([401, 401, 401])
      }
    })

    it('writes in these only, and its denied accesses appear in their change log', async () => {
      const body = { attributeId: 'C1', attributeValue: 'F1' }
      const post = (url: string) => world().sendAs('ec', { upn: 'svc-both', sub: 'x' }, { method: 'POST', url, body })
      expect((await post('/v1/attribute-values?companyId=EN')).status).toBe(403)
      expect((await post('/v1/attribute-values')).json.companyId).toBe('SE')
      const refused = world().observed.findLast(({ kind }) => kind === 'access-refused')
      expect(refused).toMatchObject({ companyId: 'SE' })
    })

    it('gets no answer that was stored for a caller with other rights', async () => {
      const url = '/v1/attribute-values/C1'
      const ask = (issuer: 'rsa' | 'ec') => world().sendAs(issuer, { upn: 'svc-both', sub: 'same' }, { url })
      for (let time = 0; time < 4; time++) {
        expect((await ask('rsa')).text).toContain('"companyId":"EN"')
        expect((await ask('ec')).text).not.toContain('"companyId":"EN"')
      }
    })
  },
  { companies: { ec: ['SE'] } },
)

onEach(
  'A user of an issuer',
  (world) => {
    it('can be named by that issuer only', async () => {
      expect(await reachOf(world(), 'ec', 'svc-both')).toEqual([200, 200, 200])
      expect(await reachOf(world(), 'rsa', 'svc-both')).toEqual([401, 401, 401])
    })

    it('is all that its issuer may name, without a restriction to companies', async () => {
      expect(await reachOf(world(), 'ec', 'svc-admin')).toEqual([401, 401, 401])
      expect(await reachOf(world(), 'rsa', 'svc-admin')).toEqual([200, 403, 200])
    })

    it('is out when it is disabled, and its issuer may still name no other', async () => {
      const setup = setupTrusting(world().issuers.address, { users: { 'svc-both': ISSUERS.ec } })
      const disabled = setup.replace('id: svc-both,', 'id: svc-both, disabled: true,')
      expect(disabled).not.toBe(setup)
      const file = join(world().folder, 'disabled.yaml')
      writeFileSync(file, disabled)
      await applySetup(setupTask(world().application.service.store, file, () => {}))
      await soon(async () => expect(await reachOf(world(), 'ec', 'svc-both')).toEqual([401, 401, 401]))
      expect(await reachOf(world(), 'ec', 'svc-admin')).toEqual([401, 401, 401])
      expect(await reachOf(world(), 'rsa', 'svc-admin')).toEqual([200, 403, 200])
    })
  },
  { users: { 'svc-both': ISSUERS.ec } },
)

onEach('An unrestricted issuer', (world) => {
  it('may name every user, and causes a warning at each start', async () => {
    expect(await reachOf(world(), 'ec', 'svc-both')).toEqual([200, 200, 200])
    const told = world().observed.filter(({ kind }) => kind === 'unbound-issuers')
    expect(told).toEqual([{ kind: 'unbound-issuers', issuers: `${ISSUERS.rsa}, ${ISSUERS.ec}` }])
  })
})

onEach('A changed setup', (world) => {
  it('holds for cached and replayed answers: rows, properties and trust', async () => {
    const key = newKey()
    const own = rename(HIDDEN, 'By its own client', newKey())
    const foreign = (sent: Sent) => world().sendAs('ec', { upn: 'svc-admin', sub: 'a' }, sent)
    const first = await foreign(rename(HIDDEN, 'By a stranger', key))
    expect([first.status, first.text.includes('canary')]).toEqual([200, true])
    expect((await world().send({ as: 'admin', ...own })).text).toContain('canary')

    const apply = (change: (text: string) => string, trust: Trust = {}) => {
      const file = join(world().folder, 'changed.yaml')
      writeFileSync(file, change(setupTrusting(world().issuers.address, trust)))
      return applySetup(setupTask(world().application.service.store, file, () => {}))
    }
    const ofAdmin = (role: string) => (text: string) =>
      text.replace(
        '{ id: svc-admin, defaultCompany: EN, roles: { EN: [admin] } }',
        `{ id: svc-admin, defaultCompany: EN, roles: { EN: [${role}] } }`,
      )
    const replays = async () => [
      await foreign(rename(HIDDEN, 'By a stranger', key)),
      await world().send({ as: 'admin', ...own }),
    ]

    await apply(ofAdmin('fields'))
    await soon(async () => {
      for (const answer of await replays()) {
        expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, 'true'])
        expect(answer.text).not.toMatch(/canary-bank|canary-reference|"invoice"|"contactPoints"/)
        expect(answer.json.customerId).toBe('1002')
      }
    })
    await apply(ofAdmin('rows'))
    await soon(async () => {
      for (const answer of await replays()) {
        expect([answer.status, answer.text]).toEqual([404, (await world().send({ as: 'rows', url: HIDDEN })).text])
      }
    })
    await apply(ofAdmin('admin'), { companies: { ec: ['SE'] } })
    await soon(async () => expect((await foreign(rename(HIDDEN, 'By a stranger', key))).status).toBe(401))
    expect((await world().send({ as: 'admin', ...own })).headers['idempotency-replayed']).toBe('true')
  })
})

onEach(
  'An issuer by which people sign in',
  (world) => {
    const ask = async (issuer: 'rsa' | 'ec', claims: Json, header: Json = {}) => {
      const [rsa, ec] = world().issuers.signers
      const token = signedToken(issuer === 'rsa' ? rsa : ec, { header, claims: { ...SOMEBODY, ...claims } })
      const headers = { authorization: `Bearer ${token}` }
      return (await world().send({ url: '/v1/attribute-values/C1', headers })).status
    }
    const OF_ID_TOKENS: Json[] = [
      ...['nonce', 'at_hash', 'c_hash', 's_hash'].map((name) => ({ [name]: 'x' })),
      { auth_time: 1 },
      { typ: 'ID' },
      { nonce: 'x', at_hash: 'y', auth_time: 1, azp: 'records', scope: 'openid' },
    ]

    it.each(OF_ID_TOKENS)(
      'gives no access by an ID token, which has %j, where both are for one client',
      async (claims) => {
        for (const header of [{}, { typ: 'JWT' }, { typ: undefined }]) expect(await ask('ec', claims, header)).toBe(401)
        // The other issuer has another client for people, so that its ID tokens have another audience.
        expect(await ask('rsa', claims)).toBe(200)
      },
    )

    it('gives access by access tokens of every form', async () => {
      for (const header of [{ typ: 'at+jwt' }, { typ: 'application/at+jwt' }, { typ: 'JWT' }, { typ: undefined }]) {
        expect(await ask('ec', { scope: 'records', client_id: 'app' }, header)).toBe(200)
      }
      expect(await ask('ec', { auth_time: 1, acr: '1' }, { typ: 'at+jwt' })).toBe(200)
      // As Keycloak makes them.
      expect(await ask('ec', { typ: 'Bearer', auth_time: 1, nonce: 'x' })).toBe(200)
    })
  },
  { clientIds: { ec: 'records', rsa: 'people' } },
)

const SOMEBODY = { upn: 'svc-both', sub: 'svc-both' }
