// `/console/api/administration/*`: what administrators see of the service itself, and change. They are people, and no
// client has their rights, so it is not a part of the records interface: it has a description of its own.
import { type Administered, administersCompany, isWithin } from '../../access/administrator.ts'
import { describeClient, describeRole, describeUser } from '../../access/described-access.ts'
import type { AccessDefinitions, Directory } from '../../access/directory.ts'
import type { Clock } from '../../base/clock.ts'
import { asBoolean } from '../../base/numbers/scalars.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { entityNotFound, malformed } from '../../errors/catalogue.ts'
import { messageLanguageOf, translatorFor } from '../../http/pipeline/reader.ts'
import type { PlainRequest } from '../../http/route/plain-request.ts'
import type { Reply } from '../../http/route/send.ts'
import type { Router } from '../../http/router.ts'
import type { Observe } from '../../observe/observation.ts'
import type { RecentRequest, RecentRequests } from '../../observe/recent-requests.ts'
import type { PersonSessions } from '../../sessions/sessions.ts'
import type { AccessTask } from '../../setup/apply/change-access.ts'
import { findConsoleSource } from '../../setup/apply/console-source.ts'
import { readItems } from '../../setup/items/setup-item.ts'
import { accessFrom } from '../../setup/rules/access-definitions.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import { listServingProcesses } from '../../store/service-state/serving-store.ts'
import { findSizes } from '../../store/service-state/size-store.ts'
import type { Store } from '../../store/store.ts'
import type { SubscriptionService } from '../../subscriptions/subscription-service.ts'
import { applyToForce, compareWithForce, setupInForce } from '../setup/setup-in-force.ts'
import type { WebhookSettings } from '../setup/setup-task.ts'
import type { Backups } from './backups.ts'
import { clientEntities, subscribeClient } from './client-subscriptions.ts'
import { administrationDescription } from './description.ts'
import { addClient, addPerson, changeClient, changePerson, newClientSecret, newPersonPassword } from './people.ts'
import { requireAdministrator, requireServiceAdministrator } from './require-administrator.ts'

export interface AdministrationParts extends WebhookSettings {
  readonly store: Store
  readonly sessions: PersonSessions
  readonly directory: Directory
  readonly companies: Companies
  readonly recent: RecentRequests
  readonly clock: Clock
  readonly observe: Observe
  readonly backups: Backups
  readonly subscriptions: SubscriptionService
  /** Variables that a setup names; absent: those of the process. */
  readonly environment?: NodeJS.ProcessEnv | undefined
  /** Whether other processes, also of other machines, may serve the same database. */
  readonly isShared: boolean
  /** Resolves when every process answers by the setup that was applied last. */
  readonly inForce: () => Promise<void>
}

const PATH = '/console/api/administration'

export function administrationRoutes(router: Router, parts: AdministrationParts): void {
  serviceReads(router, parts)
  accessReads(router, parts)
  accessChanges(router, parts)
  clientSubscriptions(router, parts)
}

/** What concerns all companies, for who administers the service. */
function serviceReads(router: Router, parts: AdministrationParts): void {
  const { sessions, store } = parts
  const get = (path: string, answer: (request: PlainRequest) => Promise<object>) =>
    router.open('GET', PATH + path, async (request) => {
      await requireServiceAdministrator(sessions, request)
      return json(200, await answer(request))
    })
  get('/health', () => healthOf(parts))
  get('/backups', ({ headers }) => parts.backups.describe(translatorFor(messageLanguageOf(headers))))
  router.open('POST', `${PATH}/backups`, async (request) => {
    const { actor } = await requireServiceAdministrator(sessions, request)
    parts.backups.start()
    parts.observe({ kind: 'backup-begun', userId: actor.userId, requestId: actor.requestId })
    return json(202, await parts.backups.describe())
  })
  get('/setup', async () => ({
    setup: setupInForce(await readItems(store.reading(''))),
    changedInConsole: await findConsoleSource(store),
  }))
  router.open('POST', `${PATH}/setup/comparison`, async (request) => {
    const { actor } = await requireServiceAdministrator(sessions, request)
    const translate = translatorFor(messageLanguageOf(request.headers))
    return json(200, await compareWithForce(setupIn(request), { ...parts, actor }, translate))
  })
  router.open('POST', `${PATH}/setup`, async (request) => {
    const { actor } = await requireServiceAdministrator(sessions, request)
    const changes = await applyToForce(setupIn(request), { ...parts, actor })
    await parts.inForce()
    return json(200, { changes })
  })
}

function setupIn({ body }: PlainRequest): string {
  const { setup } = (body ?? {}) as Record<string, unknown>
  if (typeof setup !== 'string') throw malformed('Give the setup as a text.')
  return setup
}

function accessReads(router: Router, parts: AdministrationParts): void {
  const get = (path: string, answer: (request: PlainRequest, administered: Administered) => Promise<object>) =>
    router.open('GET', PATH + path, async (request) => {
      const { administered } = await requireAdministrator(parts.sessions, request)
      return json(200, await answer(request, administered))
    })
  get('/openapi.json', async () => administrationDescription(PATH, PROGRAM_VERSION))
  const access = async () => accessFrom(await readItems(parts.store.reading('')))
  get('/people', async (_request, administered) => peopleOf(await access(), administered, parts.companies))
  get('/clients', async (_request, administered) => ({ clients: clientsOf(await access(), administered, parts) }))
  get('/clients/:id/requests', async (request, administered) => {
    const { id } = request.params as { id: string }
    const { clients, users } = await access()
    const client = clients.find((one) => one.id === id)
    const user = client && users.find((one) => one.id === client.user)
    if (!user || !isWithin(administered, user) || !parts.directory.callerOfClient(id)) throw entityNotFound({ id })
    return { requests: parts.recent.of(id).map(listedFor(request)) }
  })
  get('/requests', async (request, administered) => {
    const { users } = await access()
    const seen = new Set(users.filter((user) => isWithin(administered, user)).map(({ id }) => id))
    const refused = parts.recent.refused().filter(({ request: { user = '' } }) => seen.has(user))
    return { requests: refused.slice(0, MOST_REQUESTS).map(listedFor(request)) }
  })
  get('/companies', async (_request, administered) => ({ companies: await companiesOf(administered, parts) }))
}

const MOST_REQUESTS = 200

/** With the reasons, and what was told, in the language of the reader. */
function listedFor({ headers }: PlainRequest) {
  const translate = translatorFor(messageLanguageOf(headers))
  return ({ at, message, request: { reason, ...request } }: RecentRequest) => ({
    at: at.toISOString(),
    ...request,
    ...(reason === undefined ? {} : { reason: translate(reason) }),
    ...(message === undefined ? {} : { message: translate(message) }),
  })
}

/** What each keeps, and what its setup lets it keep. */
function companiesOf(administered: Administered, { companies, store }: AdministrationParts): Promise<object[]> {
  const own = companies.all.filter(({ id }) => administersCompany(administered, id))
  return Promise.all(
    own.map(async ({ id, name, quotas }) => {
      const { file_bytes, journal_bytes } = await findSizes(store.reading(id))
      return { id, name, fileBytes: Number(file_bytes), journalBytes: Number(journal_bytes), quotas }
    }),
  )
}

type Change = (
  task: AccessTask,
  request: PlainRequest & { body: JsonValue | undefined },
  id: string,
) => Promise<unknown>

function accessChanges(router: Router, parts: AdministrationParts): void {
  const change = (method: 'POST' | 'PATCH', path: string, status: 200 | 201 | 204, apply: Change) =>
    router.open(method, PATH + path, async (request) => {
      const { actor } = await requireAdministrator(parts.sessions, request)
      const task = { store: parts.store, actor, validateOnly: isValidationOnly(request) }
      const { id = '' } = request.params
      const answer = await apply(task, request as Parameters<Change>[1], id)
      if (!task.validateOnly) await parts.inForce()
      if (status === 204) return { status }
      return { ...json(task.validateOnly ? 200 : status, answer as object), headers: UNKEPT }
    })
  change('POST', '/people', 201, (task, { body }) => addPerson(task, body))
  change('PATCH', '/people/:id', 204, (task, { body }, id) => changePerson(task, id, body))
  change('POST', '/people/:id/password', 200, (task, _request, id) => newPersonPassword(task, id))
  change('POST', '/clients', 201, (task, { body }) => addClient(task, body))
  change('PATCH', '/clients/:id', 204, (task, { body }, id) => changeClient(task, id, body))
  change('POST', '/clients/:id/secret', 200, (task, { body }, id) =>
    newClientSecret(task, { id, now: parts.clock() }, body),
  )
}

/** Webhooks with the rights of a client. */
function clientSubscriptions(router: Router, parts: AdministrationParts): void {
  router.open('GET', `${PATH}/clients/:id/entities`, async (request) => {
    const administrator = await requireAdministrator(parts.sessions, request)
    return json(200, await clientEntities(parts, administrator, request.params.id ?? ''))
  })
  router.open('POST', `${PATH}/clients/:id/subscriptions`, async (request) => {
    const { caller, ...administrator } = await requireAdministrator(parts.sessions, request)
    const validateOnly = isValidationOnly(request)
    const body = (request.body ?? null) as JsonValue
    const asked = { caller, requestId: request.id, validateOnly, body }
    const made = await subscribeClient(parts, administrator, request.params.id ?? '', asked)
    return { status: validateOnly ? 200 : 201, body: made, headers: UNKEPT }
  })
}

/** Answers that hold a secret. */
const UNKEPT = { 'cache-control': 'no-store' }

function isValidationOnly({ query }: PlainRequest): boolean {
  const given = new URLSearchParams(query).getAll('validateOnly')
  const flag = asBoolean(given[0] ?? 'false')
  if (given.length > 1 || flag === undefined) throw malformed('Give validateOnly once, as true or false.')
  return flag
}

/** Those of companies that are administered; users that serve clients alone are told with these. */
function peopleOf(access: AccessDefinitions, administered: Administered, companies: Companies): object {
  const { users, clients, roles } = access
  const people = users
    .filter((user) => isWithin(administered, user))
    .filter(({ id, passwordHash, issuer }) => passwordHash || issuer || !clients.some(({ user }) => user === id))
  return {
    people: people.map((user) => ({
      ...describeUser(user, clients),
      name: user.name ?? '',
      administrator: user.administrator ?? false,
      hasPassword: user.passwordHash !== undefined,
    })),
    roles: roles.map((role) => {
      const { users: _others, rules, ...described } = describeRole(role, [])
      return { ...described, restricted: Object.keys(rules) }
    }),
    companies: companies.all
      .filter(({ id }) => administersCompany(administered, id))
      .map(({ id, name }) => ({ id, name })),
  }
}

/** What each client may, in the companies in which it has a role; nothing of its secrets but when they end. */
function clientsOf(access: AccessDefinitions, administered: Administered, parts: AdministrationParts): object[] {
  const { users, clients } = access
  const { directory, companies } = parts
  return clients
    .filter((client) => users.some((user) => user.id === client.user && isWithin(administered, user)))
    .map((client) => {
      const { secrets, roles, disabled } = describeClient(client, access)
      const caller = directory.callerOfClient(client.id)
      return {
        id: client.id,
        user: client.user,
        isDisabled: disabled || !caller,
        secretsUntil: secrets.map(({ until }) => until ?? ''),
        roles,
        companies: [...(caller?.companyIds ?? [])]
          .flatMap((companyId) => companies.known(companyId) ?? [])
          .map((company) => ({ id: company.id, permissions: [...(caller?.permissionsIn(company.id) ?? [])] })),
      }
    })
}

async function healthOf({ store, isShared }: AdministrationParts): Promise<object> {
  const [databaseBytes, processes] = await Promise.all([store.databaseBytes(), listServingProcesses(store)])
  return {
    version: PROGRAM_VERSION,
    node: process.versions.node,
    isShared,
    databaseBytes,
    integrity: store.integrity()?.condition ?? '',
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    processes: processes.map(({ host, pid, setup_version }) => ({ host, pid, setupVersion: setup_version })),
  }
}

const json = (status: number, body: object): Reply => ({ status, body: JSON.stringify(body) })
