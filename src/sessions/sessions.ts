// The sessions of people at the console: who has signed in, until when, and as whom an administrator looks.
import { hash, randomBytes } from 'node:crypto'
import { administersService } from '../access/administrator.ts'
import type { Caller, ClientDefinition, UserDefinition } from '../access/caller.ts'
import type { SecretHolders } from '../access/client-secrets.ts'
import { Denial, RefusedCaller } from '../access/denial.ts'
import type { Directory } from '../access/directory.ts'
import { issuerAndSubject, personClientId, signsPeopleIn } from '../access/issuer-users.ts'
import type { PresentedSession } from '../access/presented-session.ts'
import type { Clock } from '../base/clock.ts'
import { lastUsed } from '../base/last-used.ts'
import { notAuthorised } from '../errors/catalogue.ts'
import type { SessionStore, StoredSession } from './session-store.ts'

/** Without a request. */
const IDLE_MS = 60 * 60_000
const LIFETIME_MS = 12 * 60 * 60_000
/** How long another process may take to hear that a session has ended. */
const KNOWN_MS = 1_000
/** The use of a session is written at most so often. */
const USE_WRITTEN_MS = 60_000
/** Less than 1 MB. */
const MAX_KNOWN = 1_000
/** One person may have as many, wherever he or she has signed in. */
const MAX_SESSIONS = 20
const ID_BYTES = 32
const MAX_USER_AGENT = 200

export interface SessionInfo {
  readonly id: string
  readonly user: UserDefinition
  readonly caller: Caller
  readonly createdAt: number
  readonly usedAt: number
  readonly expiresAt: number
  readonly userAgent: string
  readonly address: string
}

interface SessionParts {
  readonly store: SessionStore
  readonly directory: Directory
  readonly clock: Clock
}

export class PersonSessions {
  readonly #parts: SessionParts
  readonly #known = lastUsed<string, StoredSession>(MAX_KNOWN, KNOWN_MS)
  /** Grows when a session ends: what was read before may have ended meanwhile, and is not kept. */
  #ends = 0

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /**
   * Begins a session of a person who has proved to be one. Returns what the browser holds, told nowhere else. Of too
   * many sessions the longest unused end. `subject` is the client id of who came by an issuer.
   */
  async begin(
    user: UserDefinition,
    { userAgent, address }: { userAgent: string; address: string },
    subject?: string,
  ): Promise<string> {
    const { store, clock } = this.#parts
    const now = clock().getTime()
    await store.forget(now - IDLE_MS, now - LIFETIME_MS)
    const secret = randomBytes(ID_BYTES).toString('base64url')
    const id = idOf(secret)
    await store.add({
      session_id: id,
      user_id: user.id,
      password_mark: subject ?? markOf(user),
      created_at: now,
      used_at: now,
      user_agent: userAgent.slice(0, MAX_USER_AGENT),
      address,
    })
    const others = (await store.idsOf(user.id)).filter((other) => other !== id)
    for (const unused of others.slice(MAX_SESSIONS - 1)) await this.end(unused)
    return secret
  }

  /** The session, if it has not ended and its user may still sign in. */
  async find(secret: string): Promise<SessionInfo | undefined> {
    const id = idOf(secret)
    const known = this.#known.get(id)
    const ends = this.#ends
    const session = known ?? (await this.#parts.store.find(id))
    const info = session && this.#infoOf(session)
    if (!session || !info || ends !== this.#ends) return info
    if (!known) this.#known.set(id, session)
    this.#noteUse(session)
    return info
  }

  /**
   * The caller of a request: the person, or the client that is acted as, asked by the person. Throws 403, which names
   * the person, if an administrator would write as another, or if anybody else would act as one.
   */
  async verify({ secret, method, actAs }: PresentedSession): Promise<Caller | Denial> {
    const session = await this.find(secret)
    if (!session) return new Denial('the session has ended')
    const person = session.caller
    if (actAs === undefined) return person
    if (!administersService(session.user)) throw refused(person, 'only administrators act as a client')
    const client = this.#parts.directory.callerOfClientFor(person, actAs)
    if (!client) throw refused(person, 'there is no such client to act as')
    if (method !== 'GET' && method !== 'HEAD') throw refused(client, 'who acts as a client only reads')
    return client
  }

  /** All that have not ended, the latest used first. */
  async list(): Promise<SessionInfo[]> {
    return (await this.#parts.store.list()).flatMap((session) => this.#infoOf(session) ?? [])
  }

  async end(id: string): Promise<void> {
    this.#forget(id)
    await this.#parts.store.end(id)
    // A read that began meanwhile may still have found it.
    this.#forget(id)
  }

  #forget(id: string): void {
    this.#ends += 1
    this.#known.delete(id)
  }

  #infoOf(session: StoredSession): SessionInfo | undefined {
    const person = this.#personOf(session)
    const expiresAt = Math.min(session.used_at + IDLE_MS, session.created_at + LIFETIME_MS)
    if (!person || this.#parts.clock().getTime() >= expiresAt) return undefined
    return {
      id: session.session_id,
      ...person,
      createdAt: session.created_at,
      usedAt: session.used_at,
      expiresAt,
      userAgent: session.user_agent,
      address: session.address,
    }
  }

  /** As the setup has the person now. Who came by an issuer has the rights that its tokens give. */
  #personOf({ user_id, password_mark }: StoredSession): Pick<SessionInfo, 'user' | 'caller'> | undefined {
    const { directory } = this.#parts
    const user = directory.findPerson(user_id)
    const named = issuerAndSubject(password_mark)
    if (!user || (!named && markOf(user) !== password_mark)) return undefined
    const issuer = named && directory.findIssuer(named.issuer)
    if (named && !(issuer && signsPeopleIn(issuer))) return undefined
    const caller =
      named && issuer
        ? directory.callerOfSubject({ issuer, userId: user_id, subject: named.subject })
        : directory.callerOfPerson(user_id)
    if (!caller) return undefined
    // Who sees all clients and companies cannot be confined to some.
    return { user: issuer?.companies === undefined ? user : { ...user, administrator: false }, caller }
  }

  #noteUse(session: StoredSession): void {
    const now = this.#parts.clock().getTime()
    if (now - session.used_at < USE_WRITTEN_MS) return
    this.#known.set(session.session_id, { ...session, used_at: now })
    // A use that is not written ends the session earlier, and nothing else.
    this.#parts.store.use(session.session_id, now).catch(() => this.#known.delete(session.session_id))
  }
}

const refused = (caller: Caller, reason: string) => new RefusedCaller(caller, notAuthorised(reason))

/** People with passwords, for the checks that clients' secrets go through. */
export function peopleOf(directory: Directory): SecretHolders {
  const definitionOf = (id: string): ClientDefinition | undefined => {
    const user = id.startsWith(PREFIX) ? directory.findPerson(id.slice(PREFIX.length)) : undefined
    return user?.passwordHash === undefined ? undefined : { id, user: user.id, secretHash: user.passwordHash }
  }
  return {
    findClient: definitionOf,
    callerOfClient: (id) => (definitionOf(id) ? directory.callerOfPerson(id.slice(PREFIX.length)) : undefined),
    absenceOf: () => 'no such user, or one without a password',
    get secretCosts() {
      return directory.passwordCosts
    },
  }
}

const PREFIX = personClientId('')

export const idOf = (secret: string): string => hash('sha256', secret, 'base64url')

/** Changes with the password. */
const markOf = ({ passwordHash = '' }: UserDefinition): string => hash('sha256', passwordHash, 'base64url').slice(0, 22)
