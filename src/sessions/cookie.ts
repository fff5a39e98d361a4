// The cookie of a session (RFC 6265bis). Scripts cannot read it, and no other site's page sends it.
import type { IncomingHttpHeaders } from 'node:http'
import { coded } from '../errors/catalogue.ts'
import type { PersonSessions, SessionInfo } from './sessions.ts'

const NAME = '__Host-tabularium-session'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const VALUE = /^[\w-]{43}$/

const OWN_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

/** Only the console's own pages send it: no page of another origin may send a cookie (`CrossOrigin`). */
const OWN_HEADER = 'tabularium-console'

export const cookieOf = (secret: string): string => `${NAME}=${secret}; ${ATTRIBUTES}`

export const ENDED_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`

/** Whether a request comes from a page of the console. */
export function isOfConsole(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return headers['x-requested-with'] === OWN_HEADER && (site === undefined || site === 'same-origin')
}

/**
 * Whether the browser keeps the cookie, which is `Secure`: pages that it got by https, or from its own machine (Secure
 * Contexts, 3.1). Only the browser knows: a proxy in front may speak https for the service.
 */
export function keepsCookie({ origin }: IncomingHttpHeaders): boolean {
  const { protocol, hostname } = URL.parse(origin ?? '') ?? { protocol: '', hostname: '' }
  return protocol !== 'http:' || OWN_MACHINE.test(hostname)
}

/** The session of a request of the console's own pages; of any other the cookie is not looked at. */
export function sessionSecretIn(headers: IncomingHttpHeaders): string | undefined {
  if (headers.cookie === undefined || !isOfConsole(headers)) return undefined
  const found = cookieNamed(NAME, headers)
  return found !== undefined && VALUE.test(found) ? found : undefined
}

/** The value of a cookie; of several with this name the first. */
export function cookieNamed(cookieName: string, { cookie = '' }: IncomingHttpHeaders): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === cookieName)?.[1]
}

/** Throws 401 if there is none: in the form of the service, and without a challenge that makes browsers ask. */
export async function requireSession(sessions: PersonSessions, headers: IncomingHttpHeaders): Promise<SessionInfo> {
  const secret = sessionSecretIn(headers)
  const session = secret === undefined ? undefined : await sessions.find(secret)
  if (!session) throw coded(401, 2030, 'Nobody has signed in, or the session has ended.')
  return session
}
