// Authentication: specification, authentication; decisions 0, 1 and 7. Forged tokens:
// test/reliability/auth/forged-tokens.test.ts.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { KeyRing } from '../../src/access/keys.ts'
import { AUDIENCE } from '../../src/access/token-use.ts'
import { ISSUER } from '../../src/access/tokens.ts'
import { CLIENT_SECRET, onEachStore } from '../support/world.ts'

const url = '/v1/attribute-values/C1/CC100/0'
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const form = { 'content-type': 'application/x-www-form-urlencoded' }

onEachStore('Authentication', (world) => {
  const get = (authorization?: string, at = url) =>
    world().send({ url: at, headers: authorization === undefined ? {} : { authorization } })
  const refusal = async (authorization?: string, at = url) => {
    const answer = await get(authorization, at)
    return [answer.status, answer.text, answer.headers['www-authenticate']]
  }
  const challenges = 'Bearer, Basic realm="Tabularium", charset="UTF-8"'
  const invalid = [401, '{"statusCode":401,"message":"Invalid JWT."}', challenges]
  const refused = [
    ...invalid.slice(0, 2),
    challenges.replace(
      'Bearer',
      'Bearer error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service."',
    ),
  ]

  it('refuses a request without a token, on known and unknown paths alike', async () => {
    expect(await refusal()).toEqual(invalid)
    expect(await refusal(undefined, '/nowhere')).toEqual(invalid)
    expect(await refusal(undefined, '/v1/attribute-values/%zz')).toEqual(invalid)
    expect(await refusal(undefined, `/v1/attribute-values/${'x'.repeat(600)}`)).toEqual(invalid)
  })

  it('rejects a token with the same message whatever is wrong with it', async () => {
    const token = await world().token('integration')
    for (const wrong of ['x', 'a.b.c', `${token}x`, token.slice(0, -20)]) {
      expect(await refusal(`Bearer ${wrong}`)).toEqual(refused)
    }
  })

  it('accepts a bearer token with the scheme in any letter case', async () => {
    const token = await world().token('integration')
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect((await get(`${scheme} ${token}`)).status).toBe(200)
  })

  it('takes Basic with the id and secret of a client, and refuses wrong ones with both schemes (decision 7)', async () => {
    expect((await get(basic('integration', CLIENT_SECRET))).status).toBe(200)
    expect((await get(basic('integration', CLIENT_SECRET).replace('Basic', 'bAsIc'))).status).toBe(200)
    for (const wrong of [
      basic('integration', 'wrong'),
      basic('nobody-at-all', CLIENT_SECRET),
      'Basic',
      'Basic %%%',
      `Basic !!!!${btoa(`integration:${CLIENT_SECRET}`)}`,
      `${basic('integration', CLIENT_SECRET)} x`,
      basic('integration', CLIENT_SECRET).replace(/.$/, ''),
      'Basic OjI=',
    ]) {
      const [status, text, challenge] = await refusal(wrong)
      expect([status, text]).toEqual(invalid.slice(0, 2))
      expect(challenge).toMatch(/Bearer.*Basic|Bearer/)
    }
    expect((await refusal(basic('integration', 'wrong')))[2]).toMatch(/Bearer.*Basic/)
  })

  it('issues a token for id and secret, in the form or by Basic', async () => {
    const body = `grant_type=client_credentials&client_id=integration&client_secret=${encodeURIComponent(CLIENT_SECRET)}`
    const inForm = await world().send({ method: 'POST', url: '/oauth/token', body, headers: form })
    expect(inForm.status).toBe(200)
    expect(inForm.json).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: '' })
    expect(inForm.headers['cache-control']).toBe('no-store')
    const byBasic = await world().send({
      method: 'POST',
      url: '/oauth/token',
      body: 'grant_type=client_credentials',
      headers: { ...form, authorization: basic('integration', CLIENT_SECRET) },
    })
    expect((await get(`Bearer ${byBasic.json.access_token}`)).status).toBe(200)
  })

  it.each([
    ['grant_type=client_credentials&client_id=integration&client_secret=wrong', 401, 'invalid_client'],
    ['grant_type=client_credentials&client_id=unknown&client_secret=x', 401, 'invalid_client'],
    ['grant_type=client_credentials', 401, 'invalid_client'],
    ['grant_type=password', 400, 'unsupported_grant_type'],
    ['', 400, 'invalid_request'],
  ])('refuses the token request %j', async (body, status, error) => {
    const answer = await world().send({ method: 'POST', url: '/oauth/token', body, headers: form })
    expect([answer.status, answer.json.error]).toEqual([status, error])
  })

  it('publishes the key set, without private parts', async () => {
    const { status, json } = await world().send({ url: '/.well-known/jwks.json' })
    expect(status).toBe(200)
    expect(json.keys).toHaveLength(1)
    expect(Object.keys(json.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('keeps tokens valid when the keys are rotated', async () => {
    const before = await world().application.tokens.issue('integration')
    const kid = await world().application.keys.rotate()
    const after = await world().application.tokens.issue('integration')
    expect((await get(`Bearer ${before}`)).status).toBe(200)
    expect((await get(`Bearer ${after}`)).status).toBe(200)
    const { json } = await world().send({ url: '/.well-known/jwks.json' })
    expect(json.keys.map((key: { kid: string }) => key.kid)[0]).toBe(kid)
    expect(json.keys).toHaveLength(2)
  })

  it('puts a new key in front every month, and drops an old one when no token can need it', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const day = 24 * 60 * 60 * 1000
    const ring = await KeyRing.managed(join(world().folder, `aging-${now}.json`), () => new Date(now))
    const ids = () => ring.published().keys.map((key) => key.kid)
    const [first] = ids()
    now += 29 * day
    expect(await ring.rotateWhenDue()).toBeUndefined()
    now += day
    const second = await ring.rotateWhenDue()
    expect(ids()).toEqual([second, first])
    now += 30 * day
    const third = await ring.rotateWhenDue()
    expect(ids()).toEqual([third, second])
    const read = KeyRing.provided(join(world().folder, 'aging-1767225600000.json'), () => new Date(now))
    expect(read.published()).toEqual(ring.published())
  })

  it('refuses a key file that others can read', () => {
    const file = join(world().folder, 'open-keys.json')
    writeFileSync(file, '{"keys":[]}')
    chmodSync(file, 0o644)
    expect(() => KeyRing.provided(file, () => new Date())).toThrow('chmod 600')
  })

  it('stores secrets only as hashes', async () => {
    const stored = await world().query("select definition from setup_item where kind = 'client'")
    const texts = stored.map((row) =>
      typeof row.definition === 'string' ? row.definition : JSON.stringify(row.definition),
    )
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) {
      expect(text).toContain('scrypt$')
      expect(text).not.toContain(CLIENT_SECRET)
    }
  })
})

it('names issuer and audience in its own tokens', () => {
  expect([ISSUER, AUDIENCE]).toEqual(['urn:tabularium', 'urn:tabularium:records'])
})
