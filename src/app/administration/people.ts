// People and clients are added, changed and given new secrets. A secret is made here and told once: it is in the answer
// to the request, and nowhere else.

import { randomBytes } from 'node:crypto'
import type { TObject } from 'typebox'
import { type Administered, administeredBy, administersCompany, isWithin } from '../../access/administrator.ts'
import { type ClientDefinition, type StoredSecret, secretsOf, type UserDefinition } from '../../access/caller.ts'
import type { AccessDefinitions } from '../../access/directory.ts'
import { hashSecret } from '../../access/secrets.ts'
import { defined } from '../../base/defined.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { addressProblem, isLongerThan } from '../../base/text.ts'
import { conflict, entityNotFound, invalidRecord, malformed, notAuthorised } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { GivenOf } from '../../model/schema.ts'
import { tooLong } from '../../records/shared/check-lengths.ts'
import { type AccessItem, type AccessTask, changeAccess } from '../../setup/apply/change-access.ts'
import type { SetupItem } from '../../setup/items/setup-item.ts'
import { accessFrom } from '../../setup/rules/access-definitions.ts'
import {
  ChangedClient,
  ChangedPerson,
  MAX_ID,
  MAX_KEEP_HOURS,
  MAX_NAME,
  NewClient,
  NewPerson,
  NewSecret,
} from './access-schema.ts'

const HOUR_MS = 3_600_000
const SECRET_BYTES = 32
/** 32 letters that are not mistaken for each other: 100 bits in 20 of them, in groups that can be read out. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const PASSWORD_LETTERS = 20
const GROUP = /.{5}(?!$)/g

export async function addPerson(task: AccessTask, body: JsonValue | undefined): Promise<object> {
  const given = read(NewPerson, body)
  const { id = '', name, administrator = false } = given
  const password = newPassword()
  const passwordHash = await hashSecret(password)
  await changeAccess(task, (items) => {
    const access = new AccessInForce(items, task.actor.userId)
    access.requireFree(id, given)
    access.requireMayChange({}, administrator)
    return [
      userItem(withMembers<UserDefinition>({ id, ...access.rights(given) }, { name, administrator, passwordHash })),
    ]
  })
  return { id, ...(task.validateOnly ? {} : { password }) }
}

export async function changePerson(task: AccessTask, id: string, body: JsonValue | undefined): Promise<void> {
  const given = read(ChangedPerson, body)
  const { name, administrator, disabled } = given
  await changeAccess(task, (items) => {
    const access = new AccessInForce(items, task.actor.userId)
    const user = access.user(id)
    access.requireMayChange(user, administrator)
    const isOfRights = [administrator, disabled, given.roles, given.defaultCompany].some((one) => one !== undefined)
    if (isOfRights) access.requireOther(id)
    const { defaultCompany = user.defaultCompany, roles = rolesOf(user) } = given
    return [
      userItem(
        withMembers({ ...user, ...access.rights({ defaultCompany, roles }) }, { name, administrator, disabled }),
      ),
    ]
  })
}

/** The person's sessions end: each is of the password that it was begun with. */
export async function newPersonPassword(task: AccessTask, id: string): Promise<object> {
  const password = newPassword()
  const passwordHash = await hashSecret(password)
  await changeAccess(task, (items) => {
    const access = new AccessInForce(items, task.actor.userId)
    const user = access.user(id)
    access.requireMayChange(user, undefined)
    return [userItem({ ...user, passwordHash })]
  })
  return { id, ...(task.validateOnly ? {} : { password }) }
}

/** A client, and a user of its own that it acts for. */
export async function addClient(task: AccessTask, body: JsonValue | undefined): Promise<object> {
  const given = read(NewClient, body)
  const { id = '' } = given
  const secret = newSecret()
  const secretHash = await hashSecret(secret)
  await changeAccess(task, (items) => {
    const access = new AccessInForce(items, task.actor.userId)
    access.requireFree(id, given)
    return [userItem({ id, ...access.rights(given) }), clientItem({ id, user: id, secretHash })]
  })
  return { id, ...(task.validateOnly ? {} : { secret }) }
}

export async function changeClient(task: AccessTask, id: string, body: JsonValue | undefined): Promise<void> {
  const { disabled } = read(ChangedClient, body)
  await changeAccess(task, (items) => {
    const client = new AccessInForce(items, task.actor.userId).client(id)
    return [clientItem(withMembers<ClientDefinition>(client, { disabled }))]
  })
}

/** The newest of the secrets before is accepted for some hours, so that programs can take the new one meanwhile. */
export async function newClientSecret(
  task: AccessTask,
  { id, now }: { readonly id: string; readonly now: Date },
  body: JsonValue | undefined,
): Promise<object> {
  const { keepHours } = read(NewSecret, body)
  if (keepHours === undefined || keepHours < 0 || keepHours > MAX_KEEP_HOURS)
    throw malformed(`Give keepHours, from 0 to ${MAX_KEEP_HOURS}.`)
  const until = new Date(now.getTime() + keepHours * HOUR_MS).toISOString()
  const secret = newSecret()
  const hash = await hashSecret(secret)
  await changeAccess(task, (items) => {
    const client = new AccessInForce(items, task.actor.userId).client(id)
    const kept =
      keepHours === 0
        ? []
        : secretsOf(client)
            .slice(0, 1)
            .map((one) => endingBy(one, until))
    const { secretHash: _before, ...others } = client
    return [clientItem({ ...others, secrets: [{ hash }, ...kept] })]
  })
  return { id, ...(task.validateOnly ? {} : { secret, ...(keepHours > 0 ? { previousUntil: until } : {}) }) }
}

const endingBy = ({ hash, until }: StoredSecret, end: string): StoredSecret => ({
  hash,
  until: until !== undefined && until < end ? until : end,
})

function read<Schema extends TObject>(schema: Schema, body: JsonValue | undefined): GivenOf<Schema> {
  const findings = new Findings()
  const given = readRecord(schema, body ?? null, findings)
  const { name = '' } = given as { readonly name?: string }
  if (isLongerThan(name, MAX_NAME)) findings.add('name', 3010, tooLong('name', MAX_NAME))
  if (findings.size > 0) throw invalidRecord(given, findings)
  return given
}

const rolesOf = ({ roles = {} }: UserDefinition) =>
  Object.entries(roles).map(([companyId, ids]) => ({ companyId, roles: [...ids] }))

/** Absent members stay; an empty text and false are no members of a setup. */
function withMembers<Definition extends object>(
  definition: Definition,
  members: { readonly [Name in keyof Definition]?: Definition[Name] | undefined },
): Definition {
  const merged = Object.entries({ ...definition, ...defined(members) })
  return Object.fromEntries(merged.filter(([, value]) => value !== '' && value !== false)) as Definition
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

function newPassword(): string {
  const letters = [...randomBytes(PASSWORD_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.replaceAll(GROUP, '$&-')
}

// The rules of changes of people and clients, checked within the write: the setup may have changed meanwhile.

interface GivenRoles {
  readonly companyId?: string
  readonly roles?: readonly string[]
}

/** What a person or client may, as it is given; absent members are not. */
interface GivenRights {
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

const userItem = (definition: UserDefinition): AccessItem => itemOf('user', definition)

const clientItem = (definition: ClientDefinition): AccessItem => itemOf('client', definition)

function itemOf(kind: AccessItem['kind'], definition: UserDefinition | ClientDefinition): AccessItem {
  return { companyId: '', kind, id: definition.id, definition }
}
