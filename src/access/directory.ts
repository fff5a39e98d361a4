// The users, roles and clients in force, replaced as a whole when a setup is applied.
import { LRUCache } from 'lru-cache'
import { Caller, type ClientDefinition, type RoleDefinition, type UserDefinition } from './caller.ts'
import { confinedTo, foreignClientId, isBound, mayName } from './foreign-users.ts'

/** A foreign issuer whose tokens are trusted; all of it is required, because any part alone would be no check. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly audience: string
  readonly keySet: string
  readonly algorithms: readonly string[]
  /** The claim that names the user. */
  readonly userClaim: string
  /** Its callers have rights in these companies alone. */
  readonly companies?: readonly string[]
}

/** Whom a verified token of a foreign issuer names. */
export interface ForeignSubject {
  readonly issuer: TrustedIssuer
  readonly userId: string
  /** Its `sub`; what names the user where it has none. */
  readonly subject: string
}

export interface AccessDefinitions {
  readonly roles: readonly RoleDefinition[]
  readonly users: readonly UserDefinition[]
  readonly clients: readonly ClientDefinition[]
  readonly basicAllowed: boolean
  readonly issuers: readonly TrustedIssuer[]
}

/** Each is made anew from the definitions where it is not remembered. */
const REMEMBERED_CALLERS = 1_000

export class Directory {
  #clients = new Map<string, { definition: ClientDefinition; caller: Caller }>()
  #users = new Map<string, UserDefinition>()
  #roles = new Map<string, RoleDefinition>()
  readonly #foreign = new LRUCache<string, Caller>({ max: REMEMBERED_CALLERS })
  #basicAllowed = true
  #issuers = new Map<string, TrustedIssuer>()

  replace(definitions: AccessDefinitions): void {
    const roles = new Map(definitions.roles.map((role) => [role.id, role]))
    const users = new Map(definitions.users.map((user) => [user.id, user]))
    this.#users = users
    this.#roles = roles
    this.#foreign.clear()
    this.#clients = new Map()
    for (const definition of definitions.clients) {
      const user = users.get(definition.user)
      if (user) this.#clients.set(definition.id, { definition, caller: new Caller(user, definition.id, roles) })
    }
    this.#basicAllowed = definitions.basicAllowed
    this.#issuers = new Map(definitions.issuers.map((issuer) => [issuer.issuer, issuer]))
  }

  get basicAllowed(): boolean {
    return this.#basicAllowed
  }

  findIssuer(issuer: string): TrustedIssuer | undefined {
    return this.#issuers.get(issuer)
  }

  findClient(clientId: string): ClientDefinition | undefined {
    return this.#clients.get(clientId)?.definition
  }

  callerOfClient(clientId: string): Caller | undefined {
    return this.#clients.get(clientId)?.caller
  }

  /** Nothing when there is no such user, or the issuer may not name it. */
  callerOfForeign({ issuer, userId, subject }: ForeignSubject): Caller | undefined {
    const clientId = foreignClientId(issuer.issuer, subject)
    const key = JSON.stringify([clientId, userId])
    const known = this.#foreign.get(key)
    if (known) return known
    const user = this.#users.get(userId)
    const confined = user && mayName(issuer, user, this.#users.values()) ? confinedTo(issuer, user) : undefined
    if (!confined) return undefined
    const caller = new Caller(confined, clientId, this.#roles)
    this.#foreign.set(key, caller)
    return caller
  }

  /** Issuers that may name every user of every company. */
  get unboundIssuers(): readonly string[] {
    const users = [...this.#users.values()]
    return [...this.#issuers.values()].filter((issuer) => !isBound(issuer, users)).map(({ issuer }) => issuer)
  }
}
