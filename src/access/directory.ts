// The users, roles, clients and trusted issuers in force, replaced together when a setup is applied.

import { lastUsed } from '../base/last-used.ts'
import { Caller, type ClientDefinition, type RoleDefinition, secretsOf, type UserDefinition } from './caller.ts'
import {
  confinedTo,
  isBound,
  issuerAndSubject,
  issuerClientId,
  mayName,
  personClientId,
  type SignInIssuer,
  signsPeopleIn,
  type TrustedIssuer,
} from './issuer-users.ts'
import { type SecretCosts, secretCostsOf } from './secret-costs.ts'

/** The subject of a verified token of a trusted issuer. */
export interface IssuerSubject {
  readonly issuer: TrustedIssuer
  readonly userId: string
  /** The `sub` claim, or the user id if there is none. */
  readonly subject: string
}

export interface AccessDefinitions {
  readonly roles: readonly RoleDefinition[]
  readonly users: readonly UserDefinition[]
  readonly clients: readonly ClientDefinition[]
  readonly basicAllowed: boolean
  readonly issuers: readonly TrustedIssuer[]
}

/** A caller that is not cached is built again from the definitions. */
const MAX_CACHED_CALLERS = 1_000

export class Directory {
  #clients = new Map<string, { definition: ClientDefinition; caller: Caller }>()
  #users = new Map<string, UserDefinition>()
  #roles = new Map<string, RoleDefinition>()
  readonly #issuerCallers = lastUsed<string, Caller>(MAX_CACHED_CALLERS)
  #disabled = new Set<string>()
  #secretCosts: SecretCosts = secretCostsOf([])
  #passwordCosts: SecretCosts = secretCostsOf([])
  #basicAllowed = true
  #issuers = new Map<string, TrustedIssuer>()
  #setupVersion: number | undefined

  /** `setupVersion`: of the setup that has the definitions. */
  replace(definitions: AccessDefinitions, setupVersion?: number): void {
    this.#setupVersion = setupVersion
    const roles = new Map(definitions.roles.map((role) => [role.id, role]))
    const users = new Map(definitions.users.map((user) => [user.id, user]))
    this.#users = users
    this.#roles = roles
    this.#issuerCallers.clear()
    this.#clients = new Map()
    for (const definition of definitions.clients) {
      const user = users.get(definition.user)
      if (user && !user.disabled && !definition.disabled)
        this.#clients.set(definition.id, { definition, caller: this.#newCaller(user, definition.id) })
    }
    this.#disabled = new Set(definitions.clients.map(({ id }) => id).filter((id) => !this.#clients.has(id)))
    this.#secretCosts = secretCostsOf(definitions.clients.map((client) => secretsOf(client).map(({ hash }) => hash)))
    const passwords = definitions.users.flatMap(({ passwordHash }) => passwordHash ?? [])
    this.#passwordCosts = secretCostsOf(passwords.map((hash) => [hash]))
    this.#basicAllowed = definitions.basicAllowed
    this.#issuers = new Map(definitions.issuers.map((issuer) => [issuer.issuer, issuer]))
  }

  get basicAllowed(): boolean {
    return this.#basicAllowed
  }

  /** What checking the secrets of clients costs: checking an unknown client takes as long. */
  get secretCosts(): SecretCosts {
    return this.#secretCosts
  }

  /** The same of the passwords of people. */
  get passwordCosts(): SecretCosts {
    return this.#passwordCosts
  }

  findIssuer(issuer: string): TrustedIssuer | undefined {
    return this.#issuers.get(issuer)
  }

  /** A client that is not disabled, and whose user is not. */
  findClient(clientId: string): ClientDefinition | undefined {
    return this.#clients.get(clientId)?.definition
  }

  /** Why there is no such client, for the log: only the name of one of the setup is repeated. */
  absenceOf(clientId: string): string {
    return this.#disabled.has(clientId) ? `the client ${clientId} is disabled` : 'unknown client'
  }

  callerOfClient(clientId: string): Caller | undefined {
    return this.#clients.get(clientId)?.caller
  }

  /** A user that is not disabled: one who may sign in, if there is a password. */
  findPerson(userId: string): UserDefinition | undefined {
    const user = this.#users.get(userId)
    return user?.disabled ? undefined : user
  }

  /** The caller of a person who has signed in. */
  callerOfPerson(userId: string): Caller | undefined {
    const clientId = personClientId(userId)
    const cached = this.#issuerCallers.get(clientId)
    if (cached) return cached
    const user = this.findPerson(userId)
    if (!user) return undefined
    const caller = this.#newCaller(user, clientId)
    this.#issuerCallers.set(clientId, caller)
    return caller
  }

  /** The client as an administrator sees it: answered as the client, and asked by that person. */
  callerOfClientFor(person: Caller, clientId: string): Caller | undefined {
    const client = this.#clients.get(clientId)
    const user = client && this.#users.get(client.definition.user)
    if (!user) return undefined
    const key = JSON.stringify([clientId, person.clientId])
    const cached = this.#issuerCallers.get(key)
    if (cached?.actor === person) return cached
    const caller = this.#newCaller(user, clientId, person)
    this.#issuerCallers.set(key, caller)
    return caller
  }

  /** The caller that these ids were of, as it is now: of a client, or of a subject of a trusted issuer. */
  callerOf({ clientId, userId }: { readonly clientId: string; readonly userId: string }): Caller | undefined {
    const named = issuerAndSubject(clientId)
    const issuer = named && this.#issuers.get(named.issuer)
    if (named) return issuer && this.callerOfSubject({ issuer, userId, subject: named.subject })
    const caller = clientId === personClientId(userId) ? this.callerOfPerson(userId) : this.callerOfClient(clientId)
    return caller?.userId === userId ? caller : undefined
  }

  /** Undefined if there is no such user, it is disabled, or the issuer may not name it. */
  callerOfSubject({ issuer, userId, subject }: IssuerSubject): Caller | undefined {
    const clientId = issuerClientId(issuer.issuer, subject)
    const key = JSON.stringify([clientId, userId])
    const cached = this.#issuerCallers.get(key)
    if (cached) return cached
    const user = this.#users.get(userId)
    const confined =
      user && !user.disabled && mayName(issuer, user, this.#users.values()) ? confinedTo(issuer, user) : undefined
    if (!confined) return undefined
    const caller = this.#newCaller(confined, clientId)
    this.#issuerCallers.set(key, caller)
    return caller
  }

  #newCaller(user: UserDefinition, clientId: string, actor?: Caller): Caller {
    return new Caller(user, clientId, this.#roles, { actor, setupVersion: this.#setupVersion })
  }

  /** Secrets that end after the one time and before the other, with their clients. */
  secretsEnding(after: Date, before: Date): { clientId: string; until: string }[] {
    const [from, to] = [after.toISOString(), before.toISOString()]
    return [...this.#clients.values()].flatMap(({ definition }) =>
      secretsOf(definition).flatMap(({ until }) =>
        until !== undefined && until > from && until < to ? [{ clientId: definition.id, until }] : [],
      ),
    )
  }

  /** Those by which people sign in to the console. */
  get signInIssuers(): SignInIssuer[] {
    return [...this.#issuers.values()].filter(signsPeopleIn)
  }

  /** Issuers whose tokens may open the tools of agents. */
  get agentIssuers(): readonly string[] {
    return [...this.#issuers.values()]
      .filter(({ mcpAudience }) => mcpAudience !== undefined)
      .map(({ issuer }) => issuer)
  }

  /** Issuers that may name any user in any company. */
  get unboundIssuers(): readonly string[] {
    const users = [...this.#users.values()]
    return [...this.#issuers.values()].filter((issuer) => !isBound(issuer, users)).map(({ issuer }) => issuer)
  }
}
