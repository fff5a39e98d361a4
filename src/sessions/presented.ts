import type { IncomingHttpHeaders } from 'node:http'
import { coded } from '../errors/catalogue.ts'
import { sessionSecretIn } from './cookie.ts'
import type { PersonSessions, SessionInfo } from './sessions.ts'

/** Throws 401 if there is none: in the form of the service, and without a challenge that makes browsers ask. */
export async function requireSession(sessions: PersonSessions, headers: IncomingHttpHeaders): Promise<SessionInfo> {
  const secret = sessionSecretIn(headers)
  const session = secret === undefined ? undefined : await sessions.find(secret)
  if (!session) throw coded(401, 2030, 'Nobody has signed in, or the session has ended.')
  return session
}
