// `/console/api/oidc/*`: people sign in by their company's own issuer. Whatever goes wrong is told on the page to sign
// in, by one of a few words: nothing of an issuer's answer is repeated.

import type { IncomingHttpHeaders } from 'node:http'
import type { Directory } from '../access/directory.ts'
import { issuerClientId, isValidSubject, type SignInIssuer, signsPeopleIn } from '../access/issuer-users.ts'
import { jsonOrUndefined } from '../base/strict-json.ts'
import { addressOf, type Identity } from '../http/pipeline/authenticate.ts'
import type { PlainRequest } from '../http/route/plain-request.ts'
import type { Reply } from '../http/route/send.ts'
import type { Router } from '../http/router.ts'
import { cookieNamed, cookieOf } from './cookie.ts'
import { type IssuerClient, issuerClient, type SignInTransaction } from './issuer-client.ts'
import type { PersonSessions } from './sessions.ts'

interface IssuerSignInParts {
  readonly basePath: string
  readonly sessions: PersonSessions
  readonly directory: Directory
  readonly identity: Identity
}

/** What the page to sign in has a sentence for. */
type SignInProblem = 'issuer' | 'refused' | 'expired' | 'unknown-person'

const PATH = '/console/api/oidc'
/** An address within the console: it is put behind the console's own. */
const WITHIN = /^\/[^\p{Cc}\\]{0,1000}$/u

export function issuerSignInRoutes(router: Router, parts: IssuerSignInParts): void {
  const client = issuerClient(process.env)
  router.open('GET', `${PATH}/sign-in`, (request) => leave(parts, client, request))
  router.open('GET', `${PATH}/callback`, (request) => comeBack(parts, client, request))
}

/** To the issuer. */
async function leave({ basePath, directory }: IssuerSignInParts, client: IssuerClient, request: PlainRequest) {
  const query = new URLSearchParams(queryOf(request))
  const issuer = signInIssuer(directory, query.get('issuer') ?? '')
  if (!issuer) return toSignIn(basePath, 'issuer')
  const to = query.get('to') ?? ''
  try {
    const { url, transaction } = await client.begin(issuer, WITHIN.test(to) ? to : '/')
    return redirect(url, [transactionCookie(transaction)])
  } catch {
    return toSignIn(basePath, 'issuer')
  }
}

/** From the issuer, with a code or a refusal. */
async function comeBack(parts: IssuerSignInParts, client: IssuerClient, request: PlainRequest): Promise<Reply> {
  const { basePath, sessions, directory, identity } = parts
  const transaction = transactionIn(request.headers)
  const issuer = transaction && signInIssuer(directory, transaction.issuer)
  if (!transaction || !issuer) return toSignIn(basePath, 'expired')
  const address = addressOf(identity.proxies, request.raw)
  const failed = (problem: SignInProblem) => {
    identity.addressLimits.count('failed', address)
    return toSignIn(basePath, problem)
  }
  const claims = await client.end(issuer, transaction, `?${queryOf(request)}`).catch(() => undefined)
  if (!claims) return failed('refused')
  const userId = claims[issuer.userClaim]
  const caller =
    isValidSubject(userId) && isValidSubject(claims.sub)
      ? directory.callerOfSubject({ issuer, userId, subject: claims.sub })
      : undefined
  const user = caller && directory.findPerson(caller.userId)
  if (!user) return failed('unknown-person')
  const secret = await sessions.begin(
    user,
    { userAgent: request.headers['user-agent'] ?? '', address },
    issuerClientId(issuer.issuer, claims.sub),
  )
  return redirect(`${basePath}/console${transaction.to}`, [cookieOf(secret), ENDED_TRANSACTION_COOKIE])
}

function signInIssuer(directory: Directory, name: string): SignInIssuer | undefined {
  const issuer = directory.findIssuer(name)
  return issuer && signsPeopleIn(issuer) ? issuer : undefined
}

/** As it was sent: the server decodes no query. */
const queryOf = ({ query }: PlainRequest): string => query

const toSignIn = (basePath: string, problem: SignInProblem): Reply =>
  redirect(`${basePath}/console/sign-in?problem=${problem}`)

const redirect = (location: string, cookies: readonly string[] = []): Reply => ({
  status: 302,
  body: '',
  headers: { location, 'cache-control': 'no-store' },
  cookies,
})

const NAME = '__Host-tabularium-sign-in'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const SECONDS = 600
const MAX_LENGTH = 4_000

/**
 * The cookie of somebody who is on the way to an issuer and back. `Lax`, because the issuer's page leads back; it opens
 * nothing, and its state and nonce must be those of the answer.
 */
function transactionCookie(transaction: SignInTransaction): string {
  const value = Buffer.from(JSON.stringify(transaction)).toString('base64url')
  return `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${SECONDS}`
}

/** Once the person has signed in it is of no more use. */
const ENDED_TRANSACTION_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`

function transactionIn(headers: IncomingHttpHeaders): SignInTransaction | undefined {
  const value = cookieNamed(NAME, headers)
  if (value === undefined || value.length > MAX_LENGTH) return undefined
  const found = jsonOrUndefined(Buffer.from(value, 'base64url').toString('utf8'))
  return isTransaction(found) ? found : undefined
}

function isTransaction(value: unknown): value is SignInTransaction {
  const members = ['issuer', 'state', 'nonce', 'codeVerifier', 'to'] as const
  return (
    typeof value === 'object' &&
    value !== null &&
    members.every((member) => typeof (value as Record<string, unknown>)[member] === 'string')
  )
}
