// People who sign in to the console by their company's own issuer: OpenID Connect's authorization code flow with PKCE,
// against an issuer of the tests.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const OWN = { 'x-requested-with': 'tabularium-console' }
const PATH = '/console/api/oidc'
const REDIRECT = 'https://records.example.com/console/api/oidc/callback'
const COOKIE = '__Host-tabularium-sign-in'

const base64url = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** An issuer whose person, and whose faults, a test chooses. */
class TestIssuer {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #codes = new Map<string, { nonce: string; challenge: string }>()
  readonly #server: Server
  /** Changes the claims of the next id tokens. */
  claims: Record<string, unknown> = {}
  isDown = false

  constructor() {
    this.#server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '', this.url)
      const body = await this.#answer(pathname, new URLSearchParams(await text(request)))
      response.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? { error: 'invalid_grant' }))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** What the person's browser brings back, once he or she has signed in there. */
  authorise(location: string): URLSearchParams {
    const { searchParams: asked } = new URL(location)
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'tabularium',
      redirect_uri: REDIRECT,
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    const code = randomUUID()
    this.#codes.set(code, { nonce: asked.get('nonce') ?? '', challenge: asked.get('code_challenge') ?? '' })
    return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.url })
  }

  async #answer(path: string, form: URLSearchParams): Promise<object | undefined> {
    if (this.isDown) return undefined
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        jwks_uri: `${this.url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      }
    }
    if (path === '/keys') {
      return { keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }
    }
    const code = this.#codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || form.get('client_secret') !== 'the secret of the service') return undefined
    this.#codes.delete(form.get('code') ?? '')
    return { access_token: 'none', token_type: 'Bearer', expires_in: 60, id_token: this.#idToken(code.nonce) }
  }

  #idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: this.url, aud: 'tabularium', sub: 'anna', upn: 'svc-anna', nonce, iat: now, exp: now + 60 }
    const signed = `${base64url({ alg: 'RS256', kid: 'one' })}.${base64url({ ...claims, ...this.claims })}`
    return `${signed}.${sign('sha256', Buffer.from(signed), this.#keys.privateKey).toString('base64url')}`
  }
}

function setupWith(issuer: TestIssuer): string {
  const users = `users:
  - { id: svc-anna, name: Anna Lie, defaultCompany: SV, roles: { EN: [integration], SV: [integration] }, administrator: true }
  - { id: svc-elsewhere, defaultCompany: SV, roles: { SV: [integration] } }
`
  const authentication = `
authentication:
  issuers:
    - issuer: "${issuer.url}"
      audience: records
      keySet: "${issuer.url}/keys"
      algorithms: [RS256]
      userClaim: upn
      companies: [EN]
      signIn: { name: Example Login, clientId: tabularium, secretEnv: TEST_ISSUER_SECRET, redirectUri: "${REDIRECT}" }
`
  const file = join(mkdtempSync(join(tmpdir(), 'tabularium-issuer-')), 'company.yaml')
  writeFileSync(file, readFileSync('test/fixtures/company.yaml', 'utf8').replace(/^users:\n/m, users) + authentication)
  process.env.TEST_ISSUER_SECRET = 'the secret of the service'
  return file
}

const issuers = new Map<World, TestIssuer>()

onEachStore(
  'Signing in by an issuer',
  (world) => {
    const issuer = () => issuers.get(world()) as TestIssuer
    const get = (url: string, headers: Record<string, string> = {}) => world().send({ url, headers })
    const leave = async (to = '/EN/documents') => {
      const query = new URLSearchParams({ issuer: issuer().url, to })
      const { status, headers } = await get(`${PATH}/sign-in?${query}`)
      return { status, location: String(headers.location), cookie: String(headers['set-cookie']) }
    }
    const comeBack = (query: URLSearchParams, cookie: string) =>
      get(`${PATH}/callback?${query}`, { cookie: cookie.split(';')[0] ?? '' })
    const problemOf = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => {
      expect([status, headers['set-cookie']]).toEqual([302, undefined])
      return new URL(String(headers.location), 'http://x').searchParams.get('problem')
    }
    const signedIn = async () => {
      const { location, cookie } = await leave()
      const { headers } = await comeBack(issuer().authorise(location), cookie)
      return { ...OWN, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
    }
    /** It counts the sessions of the one person that may sign in. */
    const countOf = async (watching: Record<string, string>) => {
      const { json } = await get('/console/api/sessions', watching)
      return (json as { sessions: object[] }).sessions.length
    }

    it('is offered on the page, leads there and back, and opens a session with the rights that its tokens give', async () => {
      expect((await get('/console/api/sign-in')).json).toMatchObject({
        issuers: [{ issuer: issuer().url, name: 'Example Login' }],
      })
      const { status, location, cookie } = await leave()
      expect([status, location.startsWith(`${issuer().url}/authorize?`)]).toEqual([302, true])
      expect(cookie).toMatch(/^__Host-tabularium-sign-in=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/)
      const back = await comeBack(issuer().authorise(location), cookie)
      expect([back.status, back.headers.location]).toEqual([302, '/console/EN/documents'])
      const [begun = '', ended] = back.headers['set-cookie'] as unknown as string[]
      expect(ended).toBe(`${COOKIE}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`)
      const session = { ...OWN, cookie: begun.split(';')[0] ?? '' }
      expect((await get('/console/api/session', session)).json).toMatchObject({
        user: 'svc-anna',
        name: 'Anna Lie',
        // The issuer is bound to one company: its people see no others, and administer nothing.
        administrator: false,
        defaultCompany: 'EN',
        companies: [{ id: 'EN' }],
      })
      expect((await get('/v1/attribute-values/C1?companyId=EN', session)).status).toBe(200)
      expect((await get('/v1/attribute-values/C1?companyId=SV', session)).status).toBe(403)
      expect((await get('/v1/access', session)).json).toMatchObject({ clientId: `foreign:${issuer().url}|anna` })
    })

    it('takes a code once, and only with the state of the browser that has left', async () => {
      const watching = await signedIn()
      const before = await countOf(watching)
      const { location, cookie } = await leave()
      const query = issuer().authorise(location)
      const other = await leave()
      expect(problemOf(await comeBack(query, other.cookie))).toBe('refused')
      expect(problemOf(await get(`${PATH}/callback?${query}`))).toBe('expired')
      for (const forged of [`${COOKIE}=x`, `${COOKIE}=${base64url({ issuer: 'x' })}`, `${COOKIE}=${'x'.repeat(9_000)}`])
        expect(problemOf(await comeBack(query, forged))).toBe('expired')
      expect((await comeBack(query, cookie)).headers.location).toBe('/console/EN/documents')
      expect(problemOf(await comeBack(query, cookie))).toBe('refused')
      expect(await countOf(watching)).toBe(before + 1)
    })

    it.each([
      ['another nonce', { nonce: 'another' }, 'refused'],
      ['another audience', { aud: 'somebody else' }, 'refused'],
      ['another issuer', { iss: 'https://elsewhere.example' }, 'refused'],
      ['an end in the past', { exp: 1_000 }, 'refused'],
      ['nobody', { upn: undefined }, 'unknown-person'],
      ['an unknown person', { upn: 'stranger' }, 'unknown-person'],
      ['a person of another company', { upn: 'svc-elsewhere' }, 'unknown-person'],
    ])('refuses an id token with %s', async (_what, claims, problem) => {
      const watching = await signedIn()
      const before = await countOf(watching)
      const { location, cookie } = await leave()
      issuer().claims = claims
      expect(problemOf(await comeBack(issuer().authorise(location), cookie))).toBe(problem)
      issuer().claims = {}
      expect(await countOf(watching)).toBe(before)
    })

    it('leads to no other host, whatever is asked for', async () => {
      for (const to of ['//evil.example/', 'https://evil.example/', '/\\evil.example', '/a\r\nb: c', '']) {
        const { location, cookie } = await leave(to)
        const { headers } = await comeBack(issuer().authorise(location), cookie)
        expect(new URL(String(headers.location), 'http://here.example').host).toBe('here.example')
        expect(String(headers.location)).toMatch(/^\/console\//)
      }
    })

    it('says so on the page when the issuer refuses, is unknown or does not answer', async () => {
      const { location, cookie } = await leave()
      const state = new URL(location).searchParams.get('state') ?? ''
      const denied = new URLSearchParams({
        error: 'access_denied',
        error_description: '<b>canary</b>',
        state,
        iss: issuer().url,
      })
      const answer = await comeBack(denied, cookie)
      expect(problemOf(answer)).toBe('refused')
      expect(JSON.stringify(answer.headers)).not.toContain('canary')
      expect(problemOf(await get(`${PATH}/sign-in?issuer=https://elsewhere.example`))).toBe('issuer')
      const next = await leave()
      issuer().isDown = true
      expect(problemOf(await comeBack(issuer().authorise(next.location), next.cookie))).toBe('refused')
      issuer().isDown = false
    })
  },
  async (kind) => {
    const issuer = new TestIssuer()
    await issuer.listen()
    const world = await startWorld(kind, setupWith(issuer))
    issuers.set(world, issuer)
    const { stop } = world
    return Object.assign(world, {
      stop: async () => {
        issuer.close()
        await stop()
      },
    })
  },
)
