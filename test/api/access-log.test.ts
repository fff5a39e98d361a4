// The access log: a line for each request, with the reason of each refusal, and nothing that callers have sent.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { expect, it, vi } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import type { EndedRequest } from '../../src/observe/observation.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { soon } from '../support/soon.ts'
import { uniqueAddress } from '../support/unique-address.ts'
import { CLIENT_SECRET, onEachStore, type Sent, startWorld, type World } from '../support/world.ts'

const URL = '/v1/attribute-values/C1/CC100/0'
const ROUTE = '/v1/attribute-values/:attributeId/*'
const CANARY = 'canary51b2'
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const ended: EndedRequest[] = []
const options = { logRequest: (request: EndedRequest) => void ended.push(request) }

/** The line of a request. */
async function lineOf(world: World, sent: Sent): Promise<EndedRequest> {
  const requestId = `id-${ended.length}`
  await world.send({ ...sent, headers: { ...sent.headers, 'x-request-id': requestId } })
  return soon(() => {
    const lines = ended.filter((one) => one.requestId === requestId)
    expect(lines).toHaveLength(1)
    return lines[0] as EndedRequest
  })
}

async function tokenWith(
  world: World,
  claims: object,
  issuedAt = Math.floor(Date.now() / 1000),
  other: object = {},
): Promise<string> {
  const { kid, alg, key } = await world.application.keys.signing()
  const header = { alg, kid, typ: 'at+jwt', ...other }
  const good = { iss: 'urn:tabularium', aud: 'urn:tabularium:records', sub: 'reader', client_id: 'reader' }
  return new SignJWT({ ...good, iat: issuedAt, exp: issuedAt + 600, ...claims }).setProtectedHeader(header).sign(key)
}

onEachStore(
  'The access log',
  (world) => {
    const bearer = (token: string) => ({ url: URL, headers: { authorization: `Bearer ${token}` } })

    it('tells who has asked for which route in which company, and how it ended', async () => {
      expect(await lineOf(world(), { as: 'reader', url: URL })).toEqual({
        client: 'reader',
        user: 'svc-reader',
        company: 'EN',
        method: 'GET',
        route: ROUTE,
        status: 200,
        code: undefined,
        reason: undefined,
        bytes: expect.any(Number),
        ms: expect.any(Number),
        address: '127.0.0.1',
        requestId: expect.stringMatching(/^id-/),
      })
      const route = '/v1/objects/attribute-values'
      const refused = await lineOf(world(), { as: 'integration', url: `${route}?companyId=EN&$filter=${CANARY}` })
      expect(refused).toMatchObject({ client: 'integration', company: 'EN', route, status: 400, code: 1020 })
      expect(JSON.stringify(ended)).not.toMatch(/canary|CC100/)
    })

    it('tells the client that a token was given to, and the address of a stranger', async () => {
      const body = `grant_type=client_credentials&client_id=reader&client_secret=${encodeURIComponent(CLIENT_SECRET)}`
      const line = await lineOf(world(), { method: 'POST', url: '/oauth/token', headers: form, body })
      expect(line).toMatchObject({ client: 'reader', user: 'svc-reader', route: '/oauth/token', status: 200 })
      const stranger = await lineOf(world(), { from: '192.0.2.9', url: '/openapi.json' })
      expect(stranger).toMatchObject({ client: undefined, user: undefined, status: 200, address: '192.0.2.9' })
    })

    it.each<[reason: string, authorization: () => string | undefined | Promise<string>]>([
      ['no credentials', () => undefined],
      ['the scheme of the credentials is not accepted', () => `Digest ${CANARY}`],
      ['the credentials are malformed', () => `Basic ${CANARY}`],
      ['unknown client', () => basic(CANARY, CANARY)],
      ['wrong secret for the client reader', () => basic('reader', CANARY)],
      ['the token does not have three parts', () => 'Bearer YWJj.YWJj'],
      ['a part of the token is not base64url', () => `Bearer ${CANARY}.${CANARY}=.${CANARY}`],
      ['a part of the token is no JSON object', () => 'Bearer YQ.YQ.YQ'],
      ['the token is too long', () => `Bearer ${'a'.repeat(9_000)}`],
      ['the token has expired', async () => `Bearer ${await tokenWith(world(), {}, 1_700_000_000)}`],
      ['the audience of the token is wrong', async () => `Bearer ${await tokenWith(world(), { aud: CANARY })}`],
      ['the issuer of the token is not trusted', async () => `Bearer ${await tokenWith(world(), { iss: CANARY })}`],
      ['unknown client', async () => `Bearer ${await tokenWith(world(), { client_id: CANARY })}`],
      [
        'the algorithm of the token is not allowed',
        async () => `Bearer ${await withHeader(world(), { alg: 'ES384' })}`,
      ],
      ['the type of the token is wrong', async () => `Bearer ${await withHeader(world(), { typ: 'JWT' }, true)}`],
      ['the token is signed with an unknown key', async () => `Bearer ${await withHeader(world(), { kid: CANARY })}`],
      ['the signature of the token is wrong', async () => `Bearer ${await withOtherSignature(world())}`],
    ])('gives the reason of a 401: %s', async (reason, authorization) => {
      const sent = await authorization()
      const headers: Record<string, string> = sent === undefined ? {} : { authorization: sent }
      const request = { from: uniqueAddress(), url: URL, headers }
      const line = await lineOf(world(), request)
      expect([line.status, line.code, line.reason, line.client]).toEqual([401, undefined, reason, undefined])
    })

    it('tells the holder of an expired token that it has expired, and nobody else anything', async () => {
      const challengeOf = async (token: string) => {
        const { status, json, headers } = await world().send(bearer(token))
        expect([status, json]).toEqual([401, { statusCode: 401, message: 'Invalid JWT.' }])
        return String(headers['www-authenticate'])
      }
      const old = 1_700_000_000
      expect(await challengeOf(await tokenWith(world(), {}, old))).toContain(
        'error="invalid_token", error_description="The access token has expired."',
      )
      const others = [
        `${await tokenWith(world(), { aud: 'x' }, old)}`,
        await withOtherSignature(world(), old),
        await tokenWith(world(), { client_id: 'x' }),
        'x',
      ]
      const challenges = await Promise.all(others.map(challengeOf))
      expect(new Set(challenges).size).toBe(1)
      expect(challenges[0]).toContain('malformed, expired, revoked or not for this service')
    })

    it.each<[status: number, reason: string, sent: Sent]>([
      [403, 'no role of the caller has attribute-values:read', { as: 'nobody', url: URL }],
      [403, 'the caller has no role in the company', { as: 'reader', url: `${URL}?companyId=SV` }],
      [403, 'the caller has no role in the company', { as: 'reader', url: `${URL}?companyId=${CANARY}` }],
      [404, 'no resource matches the address, or not with this method', { as: 'reader', url: `/v1/${CANARY}` }],
      ...(
        [
          ['an unknown function at position 0 of $filter', `$filter=${CANARY}(customerId) eq 'x'`],
          ['an unknown property at position 0 of $filter', `$filter=${CANARY} eq 'x'`],
          ['an unknown property at position 0 of $orderby', `$orderby=${CANARY}`],
          ['what is not possible at position 0 of $filter', `$filter=contactPoints eq '${CANARY}'`],
          ['a syntax error at position 14 of $filter', `$filter=customerId eq '${CANARY}`],
          ["Unknown query option '...'.", `$${CANARY}=x`],
          [
            "The value '...' is not valid for $format; it must be json, ndjson, csv, excel or parquet.",
            `$format=${CANARY}'s`,
          ],
          ['Limit is invalid. Value should be greater than 0.', '$limit=0'],
        ] as const
      ).map(([reason, query]): [number, string, Sent] => [
        400,
        reason,
        { as: 'integration', url: `/v1/objects/customers?${query}` },
      ]),
      [
        400,
        'an unknown property at position 0 of $filter',
        { as: 'integration', url: `/odata/v4/EN/customers?$filter=${CANARY} eq 'x'` },
      ],
      [
        422,
        '1010 attributeValue',
        { as: 'integration', method: 'POST', url: '/v1/attribute-values', body: { attributeId: 'C1' } },
      ],
      [
        400,
        'grant_type is missing: send client_credentials',
        { method: 'POST', url: '/oauth/token', headers: form, body: `x=${CANARY}` },
      ],
    ])('gives the reason of a %i: %s', async (status, reason, sent) => {
      const line = await lineOf(world(), sent)
      expect([line.status, line.reason]).toEqual([status, reason])
    })

    it('names the limit of a 429', async () => {
      let line = await lineOf(world(), { from: '192.0.2.50', url: URL })
      while (line.status === 401) line = await lineOf(world(), { from: '192.0.2.50', url: URL })
      expect([line.status, line.reason]).toEqual([429, 'Too many requests without credentials from this address.'])
    })

    it('names what was scarce of a 503', async () => {
      const from = ended.length
      const write = (at: number) => {
        const body = { attributeId: 'C6', attributeValue: `Q${at}` }
        return world().send({ as: 'integration', method: 'POST', url: '/v1/attribute-values', body })
      }
      const answers = await Promise.all(Array.from({ length: 800 }, (_, at) => write(at)))
      const refused = answers.filter(({ status }) => status === 503)
      expect(refused.length).toBeGreaterThan(0)
      await soon(() => expect(ended.length - from).toBe(800))
      const reasons = new Set(ended.slice(from).flatMap(({ status, reason }) => (status === 503 ? [reason] : [])))
      expect([...reasons]).toContain('too many requests are in flight (queue requests)')
    })

    it('tells that a client is disabled, whose secret or token it gets', async () => {
      const { store } = world().application.service
      const file = join(world().folder, 'disabled.yaml')
      const setup = readFileSync('test/fixtures/company.yaml', 'utf8')
      const token = await world().token('watcher')
      writeFileSync(file, setup.replace('{ id: watcher, user', '{ id: watcher, disabled: true, user'))
      await applySetup(setupTask(store, file, () => {}))
      const reason = 'the client watcher is disabled'
      await soon(async () => {
        expect(await lineOf(world(), bearer(token))).toMatchObject({ status: 401, reason })
      })
      const headers = { authorization: basic('watcher', CLIENT_SECRET) }
      expect(await lineOf(world(), { url: URL, headers })).toMatchObject({ status: 401, reason })
    })

    it('has the reason why the service is not ready', async () => {
      const { store } = world().application.service
      const ping = vi.spyOn(store, 'ping').mockRejectedValue(new Error('gone'))
      await soon(async () => {
        const line = await lineOf(world(), { url: '/health/ready' })
        expect([line.status, line.reason]).toEqual([503, 'the store does not answer'])
      })
      ping.mockRestore()
    })

    it('has nothing that a caller has sent', () => {
      expect(JSON.stringify(ended)).not.toContain(CANARY)
    })
  },
  (kind) => startWorld(kind, undefined, '', options),
)

/** A token with another header, signed for it or not. */
async function withHeader(world: World, header: object, isSigned = false): Promise<string> {
  if (isSigned) return tokenWith(world, {}, undefined, header)
  const [first = '', ...others] = (await tokenWith(world, {})).split('.')
  const changed = { ...JSON.parse(Buffer.from(first, 'base64url').toString()), ...header }
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...others].join('.')
}

async function withOtherSignature(world: World, issuedAt?: number): Promise<string> {
  const [one, other] = [await tokenWith(world, {}, issuedAt), await tokenWith(world, { jti: 'other' }, issuedAt)]
  return `${one.slice(0, one.lastIndexOf('.'))}${other.slice(other.lastIndexOf('.'))}`
}
