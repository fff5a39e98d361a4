// Who administers: people who have signed in to the console, and nobody else. No client has their rights, and who sees
// as a client has not either.
import { type Administered, administeredBy } from '../../access/administrator.ts'
import type { Caller } from '../../access/caller.ts'
import { notAuthorised } from '../../errors/catalogue.ts'
import type { PlainRequest } from '../../http/route/plain-request.ts'
import { requireSession } from '../../sessions/cookie.ts'
import type { PersonSessions } from '../../sessions/sessions.ts'
import type { Actor } from '../../store/store.ts'

export interface Administrator {
  readonly administered: Administered
  readonly caller: Caller
  readonly actor: Actor
}

/** Throws 401 without a session, and 403 if its person administers nothing. */
export async function requireAdministrator(sessions: PersonSessions, request: PlainRequest): Promise<Administrator> {
  const { headers, id } = request
  const { user, caller } = await requireSession(sessions, headers)
  const administered = administeredBy(user)
  if (!administered) throw notAuthorised('the person is no administrator')
  if (headers['act-as'] !== undefined) throw notAuthorised('who acts as a client only reads records')
  return { administered, caller, actor: { userId: caller.userId, clientId: caller.clientId, requestId: id } }
}

/** The same for what concerns all companies. */
export async function requireServiceAdministrator(
  sessions: PersonSessions,
  request: PlainRequest,
): Promise<Administrator> {
  const administrator = await requireAdministrator(sessions, request)
  if (administrator.administered !== 'service') throw notAuthorised('the person administers some companies alone')
  return administrator
}
