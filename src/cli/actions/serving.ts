// A process that serves: alone, or as one of several workers.
import { join } from 'node:path'
import { buildApplication, startApplication } from '../../app/app.ts'
import type { Application, StartSettings } from '../../app/application.ts'
import type { OfferedPerson } from '../../sessions/routes.ts'
import { warnOfPublishedSecrets } from '../settings/published-secrets.ts'
import type { ServeSettings } from '../settings/settings.ts'
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
