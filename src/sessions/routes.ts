// `/console/api/session`: signing in and out. Not a part of the records interface, so not described there.
import { administersService } from '../access/administrator.ts'
import { Caller } from '../access/caller.ts'
import type { ClientSecrets } from '../access/client-secrets.ts'
import type { Directory } from '../access/directory.ts'
import { personClientId } from '../access/issuer-users.ts'
import { coded, entityNotFound, malformed, notAuthorised } from '../errors/catalogue.ts'
import { addressOf, type Identity } from '../http/pipeline/authenticate.ts'
import type { PlainRequest } from '../http/route/plain-request.ts'
import type { Reply } from '../http/route/send.ts'
import type { Router } from '../http/router.ts'
import { namedLanguages, titleIn } from '../model/titles.ts'
import type { Companies, KnownCompany } from '../setup/rules/companies.ts'
import { cookieOf, ENDED_COOKIE, isOfConsole, keepsCookie, requireSession, sessionSecretIn } from './cookie.ts'
import { idOf, type PersonSessions, type SessionInfo } from './sessions.ts'

/** Offered on the page to sign in: the demo is for everybody. */
export interface OfferedPerson {
  readonly user: string
  readonly password: string
}

export interface SessionRoutes {
  readonly sessions: PersonSessions
  readonly passwords: ClientSecrets
  readonly identity: Identity
  readonly directory: Directory
  readonly companies: Companies
  readonly offered?: OfferedPerson | undefined
}

const MAX_LENGTH = 1_000
const NEEDS_HTTPS = 'Signing in needs https, or localhost: at this address browsers do not keep a session.'

export function sessionRoutes(router: Router, parts: SessionRoutes): void {
  const { sessions } = parts
  router.open('GET', '/console/api/sign-in', () => {
    const issuers = parts.directory.signInIssuers.map(({ issuer, signIn: { name } }) => ({ issuer, name }))
    return json(200, { password: true, issuers, demo: parts.offered })
  })
  router.open('GET', '/console/api/session', async (request) => {
    const session = await requireSession(sessions, request.headers)
    const client = actedAs(parts, session, request)
    return json(200, answerFor(parts, session, request, client), client && { 'acting-as': client.clientId })
  })
  router.open('POST', '/console/api/session', (request) => signIn(parts, request))
  router.open('DELETE', '/console/api/session', async (request) => {
    await sessions.end((await requireSession(sessions, request.headers)).id)
    return { status: 204, cookies: [ENDED_COOKIE] }
  })
  router.open('GET', '/console/api/sessions', async (request) => {
    const own = await requireSession(sessions, request.headers)
    const all = (await sessions.list()).filter((session) => administersService(own.user) || isOf(session, own))
    return json(200, { sessions: all.map((session) => ({ ...listed(session), isThis: session.id === own.id })) })
  })
  router.open('DELETE', '/console/api/sessions/:id', async (request) => {
    const own = await requireSession(sessions, request.headers)
    const { id } = request.params as { id: string }
    const ended = (await sessions.list()).find((session) => session.id === id)
    if (!ended || !(administersService(own.user) || isOf(ended, own))) throw entityNotFound({ id })
    await sessions.end(id)
    return { status: 204 }
  })
}

const isOf = (session: SessionInfo, own: SessionInfo): boolean => session.user.id === own.user.id

/** As slow for an unknown user as for a wrong password, and the same answer. */
async function signIn(parts: SessionRoutes, request: PlainRequest): Promise<Reply> {
  if (!isOfConsole(request.headers)) throw notAuthorised('the request is not of the console')
  if (!keepsCookie(request.headers)) throw coded(403, 2030, NEEDS_HTTPS)
  const { user, password } = (request.body ?? {}) as Record<string, unknown>
  if (!isText(user) || !isText(password)) throw malformed('Give user and password as texts.')
  const { sessions, passwords, identity, directory } = parts
  const address = addressOf(identity.proxies, request.raw)
  const verified = await passwords.verify(personClientId(user), password, address)
  const person = verified instanceof Caller ? directory.findPerson(verified.userId) : undefined
  if (!person) {
    identity.addressLimits.count('failed', address)
    throw wrongPassword()
  }
  const before = sessionSecretIn(request.headers)
  if (before !== undefined) await sessions.end(idOf(before))
  const secret = await sessions.begin(person, { userAgent: request.headers['user-agent'] ?? '', address })
  const session = await sessions.find(secret)
  // The user has changed meanwhile.
  if (!session) throw wrongPassword()
  return { ...json(201, answerFor(parts, session, request)), cookies: [cookieOf(secret)] }
}

const wrongPassword = () => coded(401, 2030, 'The user or the password is wrong.')

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH

/** The client that the request wants to act as. Throws 403 if there is none, or the person may not. */
function actedAs({ directory }: SessionRoutes, { user }: SessionInfo, { headers }: PlainRequest): Caller | undefined {
  const id = headers['act-as']
  if (id === undefined) return undefined
  const client = administersService(user) ? directory.callerOfClient(String(id)) : undefined
  if (!client) throw notAuthorised('only administrators act as a client, and only as one that there is')
  return client
}

/** Who has signed in, and what he or she may, or the client that is acted as. */
function answerFor(
  { companies }: SessionRoutes,
  { user, caller: own, expiresAt }: SessionInfo,
  { headers }: PlainRequest,
  client?: Caller | undefined,
): object {
  const caller = client ?? own
  const languages = namedLanguages(headers['accept-language'])
  return {
    user: user.id,
    name: user.name,
    administrator: administersService(user),
    ...(Array.isArray(user.administrator) ? { administers: user.administrator } : {}),
    actingAs: client?.clientId,
    defaultCompany: caller.defaultCompany,
    companies: [...caller.companyIds].flatMap((id) => {
      const company = companies.known(id)
      if (!company) return []
      const permissions = [...caller.permissionsIn(id)]
      const { name, accent } = company
      const figures = figuresFor(caller, company, languages)
      return [{ id: company.id, name, accent, permissions, figures, source: sourceOf(companies, company) }]
    }),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** Those of documents that the caller may read; a title is the document's where there is none. */
function figuresFor(caller: Caller, { id, figures = [] }: KnownCompany, languages: readonly string[]): object[] {
  return figures
    .filter(({ document }) => caller.mayQuery(id, 'read', document))
    .map(({ title, ...figure }) => ({ ...figure, title: titleIn(title, languages) }))
}

/** For a mirror of an ERP system: where its records are written. */
function sourceOf(companies: Companies, { id, hasSource }: KnownCompany): object | undefined {
  const source = hasSource ? companies.find(id)?.source : undefined
  return source && { url: source.url, writes: source.writes }
}

function listed({ id, user, createdAt, usedAt, expiresAt, userAgent, address }: SessionInfo): object {
  return {
    id,
    user: user.id,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(usedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    userAgent,
    address,
  }
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body: JSON.stringify(body), headers }
}
