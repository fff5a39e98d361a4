// `/console/api/administration/*`: what administrators see of the service itself. They are people, and no client has
// their rights, so it is not a part of the records interface and not described there.
import { type ClientDefinition, secretsOf } from '../../access/caller.ts'
import type { Directory } from '../../access/directory.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { entityNotFound, malformed, notAuthorised } from '../../errors/catalogue.ts'
import type { PlainRequest } from '../../http/route/plain-request.ts'
import type { Reply } from '../../http/route/send.ts'
import type { Router } from '../../http/router.ts'
import type { RecentRequests } from '../../observe/recent-requests.ts'
import { requireSession } from '../../sessions/presented.ts'
import type { PersonSessions } from '../../sessions/sessions.ts'
import type { SetupItem } from '../../setup/items/setup-items.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import { listServingProcesses } from '../../store/service-state/serving-store.ts'
import type { Store } from '../../store/store.ts'
import { compareWithForce, setupInForce, setupItems } from './setup-in-force.ts'
import type { WebhookSettings } from './setup-task.ts'

export interface AdministrationParts extends WebhookSettings {
  readonly store: Store
  readonly sessions: PersonSessions
  readonly directory: Directory
  readonly companies: Companies
  readonly recent: RecentRequests
  /** Whether other processes, also of other machines, may serve the same database. */
  readonly isShared: boolean
}

const PATH = '/console/api/administration'

export function administrationReads(router: Router, parts: AdministrationParts): void {
  const get = (path: string, answer: (request: PlainRequest) => Promise<object>) =>
    router.open('GET', PATH + path, async (request) => {
      await requireAdministrator(parts, request)
      return json(await answer(request))
    })
  get('/clients', async () => ({ clients: clientsOf(await setupItems(parts.store), parts) }))
  get('/clients/:id/requests', async (request) => {
    const { id } = request.params as { id: string }
    if (!parts.directory.callerOfClient(id)) throw entityNotFound({ id })
    return { requests: parts.recent.of(id).map(({ at, request: ended }) => ({ at: at.toISOString(), ...ended })) }
  })
  get('/health', () => healthOf(parts))
  get('/setup', async () => ({ setup: setupInForce(await setupItems(parts.store)) }))
  router.open('POST', `${PATH}/setup/comparison`, async (request) => {
    await requireAdministrator(parts, request)
    const { setup } = (request.body ?? {}) as Record<string, unknown>
    if (typeof setup !== 'string') throw malformed('Give the setup as a text.')
    return json(await compareWithForce(parts.store, setup, parts))
  })
}

/** Throws 401 without a session, and 403 if its person is no administrator. */
async function requireAdministrator({ sessions }: AdministrationParts, { headers }: PlainRequest): Promise<void> {
  const { user } = await requireSession(sessions, headers)
  if (!user.administrator) throw notAuthorised('the person is no administrator')
}

/** What each client may, in the companies in which it has a role; nothing of its secrets but when they end. */
function clientsOf(items: readonly SetupItem[], { directory, companies }: AdministrationParts): object[] {
  const clients = items.filter(({ kind }) => kind === 'client').map(({ definition }) => definition as ClientDefinition)
  return clients.map((client) => {
    const { id, user, disabled = false } = client
    const caller = directory.callerOfClient(id)
    return {
      id,
      user,
      isDisabled: disabled || !caller,
      secretsUntil: secretsOf(client).map(({ until = '' }) => until),
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

const json = (body: object): Reply => ({ status: 200, body: JSON.stringify(body) })
