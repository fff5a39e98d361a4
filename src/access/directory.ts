// The users, roles and clients in force, replaced as a whole when a setup is applied.
import { Caller, type ClientDefinition, type RoleDefinition, type UserDefinition } from './caller.ts'

/** A foreign issuer whose tokens are trusted; all of it is required, because any part alone would be no check. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly audience: string
  readonly keySet: string
  readonly algorithms: readonly string[]
  /** The claim that names the user. */
  readonly userClaim: string
}

export interface AccessDefinitions {
  readonly roles: readonly RoleDefinition[]
  readonly users: readonly UserDefinition[]
  readonly clients: readonly ClientDefinition[]
  readonly basicAllowed: boolean
  readonly issuers: readonly TrustedIssuer[]
}

export class Directory {
  #clients = new Map<string, { definition: ClientDefinition; caller: Caller }>()
  #users = new Map<string, Caller>()
  #basicAllowed = true
  #issuers = new Map<string, TrustedIssuer>()

  replace(definitions: AccessDefinitions): void {
    const roles = new Map(definitions.roles.map((role) => [role.id, role]))
    const users = new Map(definitions.users.map((user) => [user.id, user]))
    this.#users = new Map(definitions.users.map((user) => [user.id, new Caller(user, '', roles)]))
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

  callerOfUser(userId: string): Caller | undefined {
    return this.#users.get(userId)
  }
}
