// A process that serves: alone, or as one of several workers.
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import { type ClientDefinition, secretsOf, type UserDefinition } from '../../access/caller.ts'
import { buildApplication, startApplication } from '../../app/app.ts'
import type { Application, StartSettings } from '../../app/application.ts'
import type { Observe } from '../../observe/observation.ts'
import type { OfferedPerson } from '../../sessions/routes.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import type { Store } from '../../store/store.ts'
import type { ServeSettings } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { gatherMetrics } from './cluster-metrics.ts'
import { STARTED_BY, untilAdmitted } from './worker.ts'

const NO_COMPANY = 'no company is set up: serve --setup company.yaml, or tabularium demo'

/** Additional work of the demo command. */
export interface ServeExtras {
  /** Prepares records before the first request. */
  readonly prepare?: (application: Application) => Promise<void>
  /** Called when the service listens, in the process that looks after the store. */
  readonly started?: (application: Application) => void
  /** Text to print on standard output once the service listens. */
  readonly greeting?: (address: string) => string
  /** How badly the service behaves. */
  readonly faults?: StartSettings['faults']
  /** Whom the page to sign in offers. */
  readonly offeredPerson?: OfferedPerson
}

interface ServingParts {
  readonly terminal: Terminal
  readonly extras: ServeExtras
  readonly onReady: (address: string) => void
}

type Grace = Pick<ServeSettings, 'shutdownGrace'>

export async function serveAlone(starting: StartSettings, grace: Grace, parts: ServingParts): Promise<void> {
  const prepare = (application: Application) => prepareRecords(application, starting, parts.extras)
  await serveUntilStopped({ ...starting, prepare }, grace, parts)
}

/**
 * Opens the store when it is up to date. The worker that looks after it rotates generated keys, builds indexes and
 * deletes what has expired.
 */
export async function serveAsWorker(starting: StartSettings, grace: Grace, parts: ServingParts): Promise<void> {
  const { looksAfter } = await untilAdmitted(() => prepareOnce(starting, parts.extras))
  const keys = looksAfter ? starting.keys : (starting.keys ?? join(starting.data, 'keys.json'))
  const asWorker = { isWorker: true, heldBy: STARTED_BY, setup: undefined, gatherMetrics }
  await serveUntilStopped({ ...starting, ...asWorker, keys, looksAfter }, grace, parts)
}

/** Migrates the store, applies the setup and loads the demo data before any worker opens the store. */
async function prepareOnce(starting: StartSettings, extras: ServeExtras): Promise<void> {
  const application = await buildApplication(starting)
  try {
    await prepareRecords(application, starting, extras)
  } finally {
    await application.stop(0)
  }
}

async function prepareRecords(
  application: Application,
  { host, observe }: StartSettings,
  { prepare }: ServeExtras,
): Promise<void> {
  await warnOfPublishedSecrets(application.service.store, host, observe)
  await prepare?.(application)
  if (application.service.companies.size === 0) observe({ kind: 'no-company', remedy: NO_COMPANY })
}

async function serveUntilStopped(
  settings: StartSettings,
  { shutdownGrace }: Grace,
  { terminal, extras, onReady }: ServingParts,
): Promise<void> {
  const application = await startApplication({ ...settings, checksInBackground: true })
  const stopped = new Promise<void>((resolve, reject) => {
    const stop = (signal: NodeJS.Signals): void => {
      settings.observe({ kind: 'stopping', signal })
      // After Ctrl-C there is no load balancer that has to notice the shutdown.
      const graceMs = signal === 'SIGTERM' ? shutdownGrace * 1000 : 0
      application.stop(graceMs).then(resolve, reject)
    }
    // `on` and not `once`: a second signal ends the grace period of the first.
    terminal.on('SIGTERM', stop)
    terminal.on('SIGINT', stop)
  })
  onReady(application.address)
  if (settings.looksAfter ?? true) extras.started?.(application)
  await stopped
  settings.observe({ kind: 'stopped' })
}

// Detects the published secrets of the demo company. Anybody can use a client, or sign in as a person, that has one.

const DEMO_SETUP = new URL('../../../examples/demo/company.yaml', import.meta.url)
const HASH = /(?:secret|password)Hash: "([^"]+)"/g

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Warns of clients with published secrets. Throws a usage error when the service listens beyond the local machine. */
async function warnOfPublishedSecrets(store: Store, host: string, observe: Observe): Promise<void> {
  const published = new Set([...readFileSync(DEMO_SETUP, 'utf8').matchAll(HASH)].map(([, hash]) => hash))
  const items = await listSetupItems(store.reading(''))
  const clients = items
    .filter(
      ({ kind, definition }) =>
        (kind === 'client' || kind === 'user') && hashesIn(definition).some((hash) => published.has(hash)),
    )
    .map(({ id }) => id)
  if (clients.length === 0) return
  if (isLoopback(host)) {
    observe({ kind: 'published-secrets', clients: clients.join(', ') })
    return
  }
  throw badUsage(
    `option '--host': ${host} is open to others, and the secrets of the clients ${clients.join(', ')} are published with the demo: give them others, or serve on 127.0.0.1`,
  )
}

function hashesIn(definition: string): string[] {
  const holder = JSON.parse(definition) as ClientDefinition & UserDefinition
  return [...secretsOf(holder).map(({ hash }) => hash), ...(holder.passwordHash ? [holder.passwordHash] : [])]
}

function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
