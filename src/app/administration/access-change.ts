// The rules of changes of people and clients, checked within the write: the setup may have changed meanwhile.
import { type Administered, administeredBy, administersCompany, isWithin } from '../../access/administrator.ts'
import type { ClientDefinition, UserDefinition } from '../../access/caller.ts'
import type { AccessDefinitions } from '../../access/directory.ts'
import { addressProblem } from '../../base/text.ts'
import { conflict, entityNotFound, invalidRecord, notAuthorised } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import type { AccessItem } from '../../setup/apply/change-access.ts'
import type { SetupItem } from '../../setup/items/setup-items.ts'
import { accessFrom } from '../../setup/rules/access-definitions.ts'
import { MAX_ID } from './access-schema.ts'

export interface GivenRoles {
  readonly companyId?: string
  readonly roles?: readonly string[]
}

/** What a person or client may, as it is given; absent members are not. */
export interface GivenRights {
  readonly defaultCompany?: string
  readonly roles?: readonly GivenRoles[]
}

/** The setup in force, as one administrator may change it. */
export class AccessInForce {
  readonly #access: AccessDefinitions
  /** By their ids in lower case. */
  readonly #companies: ReadonlyMap<string, string>
  readonly #actorId: string
  readonly administered: Administered

  /** Throws 403 for who administers nothing any more. */
  constructor(items: readonly SetupItem[], actorId: string) {
    this.#access = accessFrom(items)
    this.#companies = new Map(items.filter(({ kind }) => kind === 'company').map(({ id }) => [id.toLowerCase(), id]))
    this.#actorId = actorId
    const actor = this.#access.users.find(({ id }) => id === actorId)
    const administered = actor && administeredBy(actor)
    if (!administered) throw notAuthorised('the person is no administrator')
    this.administered = administered
  }

  /** Throws 404 for a person of companies that are not administered. */
  user(id: string): UserDefinition {
    const user = this.#access.users.find((one) => one.id === id)
    if (!user || !isWithin(this.administered, user)) throw entityNotFound({ id })
    return user
  }

  client(id: string): ClientDefinition {
    const client = this.#access.clients.find((one) => one.id === id)
    const user = client && this.#access.users.find((one) => one.id === client.user)
    if (!user || !isWithin(this.administered, user)) throw entityNotFound({ id })
    this.requireMayChange(user, undefined)
    return client
  }

  /** Throws 422 for a text that is no id, and 409 for one that a user or client has. */
  requireFree(id: string, given: object): void {
    const findings = new Findings()
    if (id === '') findings.add('id', 3010, 'The field id is required.')
    if (id.length > MAX_ID) findings.add('id', 3010, `The field id has more than ${MAX_ID} characters.`)
    if (/[\p{Cc}\p{Cs}:/]/u.test(id) || addressProblem(id)) findings.add('id', 3010, `'${id}' cannot be an id.`)
    if (findings.size > 0) throw invalidRecord(given, findings)
    const { users, clients } = this.#access
    if ([...users, ...clients].some((one) => one.id === id)) throw conflict(`The id '${id}' is taken.`)
  }

  /** As the setup has them. Throws 422 with every company and role that there is none, or that is not administered. */
  rights(given: GivenRights): Pick<UserDefinition, 'defaultCompany' | 'roles'> {
    const findings = new Findings()
    const known = new Set(this.#access.roles.map(({ id }) => id))
    const companyAt = (id: string, path: readonly (string | number)[]): string => {
      const company = administersCompany(this.administered, id) ? this.#companies.get(id.toLowerCase()) : undefined
      if (company === undefined) findings.add(path, 3010, `There is no company '${id}'.`)
      return company ?? id
    }
    const defaultCompany = companyAt(given.defaultCompany ?? '', ['defaultCompany'])
    const roles = (given.roles ?? []).map(({ companyId = '', roles: ids = [] }, index): [string, string[]] => {
      const company = companyAt(companyId, ['roles', index, 'companyId'])
      for (const [at, id] of ids.entries())
        if (!known.has(id)) findings.add(['roles', index, 'roles', at], 3010, `There is no role '${id}'.`)
      return [company, [...new Set(ids)]]
    })
    if (findings.size > 0) throw invalidRecord(given, findings)
    return { defaultCompany, roles: Object.fromEntries(roles) }
  }

  /** Throws 403 where somebody who does not administer the service makes or changes one who administers. */
  requireMayChange(user: Pick<UserDefinition, 'administrator'>, becomes: boolean | undefined): void {
    if (this.administered === 'service') return
    if (user.administrator || becomes) throw notAuthorised('only who administers the service changes administrators')
  }

  /** Throws 409: nobody takes his own rights, so somebody always administers. */
  requireOther(id: string): void {
    if (id === this.#actorId) throw conflict('Nobody changes his own rights: another administrator does this.')
  }
}

export const userItem = (definition: UserDefinition): AccessItem => itemOf('user', definition)

export const clientItem = (definition: ClientDefinition): AccessItem => itemOf('client', definition)

function itemOf(kind: AccessItem['kind'], definition: UserDefinition | ClientDefinition): AccessItem {
  return { companyId: '', kind, id: definition.id, definition }
}
