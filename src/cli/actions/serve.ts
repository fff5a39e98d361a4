import { startApplication } from '../../app/app.ts'
import type { StartSettings } from '../../app/application.ts'
import { isInstalled, requirePackages } from '../../base/process/optional-packages.ts'
import { createServiceLog } from '../../observe/logger.ts'
import type { Observe } from '../../observe/observation.ts'
import { warnOfPublishedSecrets } from '../settings/published-secrets.ts'
import { type ServeSettings, storeOptions } from '../settings/settings.ts'
import { CRASH_EXIT_CODE, FATAL_EXIT_CODE } from '../terminal/exit-codes.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { gatherMetrics } from './cluster-metrics.ts'
import {
  isWorker,
  keysOf,
  type Listening,
  type ServeExtras,
  STARTED_BY,
  serveByWorkers,
  waitUntilPrepared,
} from './worker-group.ts'

const LAST_RESPONSES_MS = 250
const NO_COMPANY = 'no company is set up: serve --setup company.yaml, or tabularium demo'

/** A worker reports to the primary process, which prints the address once for all workers. */
function reportListening(address: string, { stdout }: Terminal, observe: Observe, { greeting }: ServeExtras): void {
  if (isWorker) {
    process.send?.({ listening: address } satisfies Listening)
    return
  }
  stdout.write(`listening on ${address}\n`)
  observe({ kind: 'listening', address })
  if (greeting) stdout.write(greeting(address))
}

function rateLimitsOf({ rateRequests, rateMegabytes }: ServeSettings): StartSettings['rateLimits'] {
  if (rateRequests === undefined && rateMegabytes === undefined) return undefined
  return {
    requestsPerMinute: rateRequests,
    bytesPerFiveMinutes: rateMegabytes === undefined ? undefined : rateMegabytes * 1_000_000,
  }
}

/** Starts the service, prints its address, and resolves when it has shut down cleanly. */
export async function serve(settings: ServeSettings, terminal: Terminal, extras: ServeExtras = {}): Promise<void> {
  try {
    await serveUntilStopped(settings, terminal, extras)
  } finally {
    // An open IPC channel to the primary process would keep this process alive.
    if (isWorker) process.disconnect()
  }
}

/**
 * Ends the process after an uncaught exception or an unhandled rejection; the supervisor starts another. State in
 * memory may be inconsistent. The error is logged without secrets, like any other.
 */
function endOnCrash(terminal: Terminal, observe: Observe): void {
  terminal.on('uncaughtException', (error) => {
    observe({ kind: 'crashed', error })
    terminal.exit(CRASH_EXIT_CODE)
  })
}

/** What cannot be drawn without a package has an icon instead, unless the settings ask for it. */
function checkPackages({ thumbnails }: ServeSettings, observe: Observe): void {
  if (thumbnails === 'render') requirePackages('--thumbnails render', ['@napi-rs/canvas'])
  if (isInstalled('sharp')) return
  observe({ kind: 'package-missing', package: 'sharp', remedy: 'thumbnails of pictures are icons: npm install sharp' })
}

async function serveUntilStopped(
  settings: ServeSettings,
  terminal: Terminal,
  { prepare, greeting, offeredPerson }: ServeExtras,
): Promise<void> {
  const { observe, logRequest, lostLines } = createServiceLog(settings.logLevel, terminal.stderr)
  endOnCrash(terminal, observe)
  if (!isWorker) checkPackages(settings, observe)
  const extras: ServeExtras = {
    ...(greeting ? { greeting } : {}),
    prepare: async (application) => {
      await warnOfPublishedSecrets(application.service.store, settings.host, observe)
      await prepare?.(application)
      if (application.service.companies.size === 0) observe({ kind: 'no-company', remedy: NO_COMPANY })
    },
  }
  const starting: StartSettings = {
    ...settings,
    ...storeOptions(settings),
    environment: terminal.env,
    rendersPdf: settings.thumbnails === 'render',
    rateLimits: rateLimitsOf(settings),
    trustedProxies: settings.trustProxy,
    allowedOrigins: settings.allowOrigin,
    overloadDelayMs: settings.overloadDelay,
    observe,
    logRequest,
    lostLogLines: lostLines,
    offeredPerson,
    // Delayed, so that waiting requests still get their error responses. No write is acknowledged any more.
    onFatal: () => void setTimeout(() => terminal.exit(FATAL_EXIT_CODE), LAST_RESPONSES_MS),
  }
  if (settings.workers > 1 && !isWorker) return serveByWorkers(starting, terminal, settings.workers, extras)
  if (isWorker) await waitUntilPrepared()
  const application = await startApplication({
    ...starting,
    checksInBackground: true,
    ...(isWorker ? { isWorker, heldBy: STARTED_BY, setup: undefined, keys: keysOf(starting), gatherMetrics } : {}),
    ...(extras.prepare && !isWorker ? { prepare: extras.prepare } : {}),
  })
  const stopped = new Promise<void>((resolve, reject) => {
    const stop = (signal: NodeJS.Signals): void => {
      observe({ kind: 'stopping', signal })
      // After Ctrl-C there is no load balancer that has to notice the shutdown.
      const graceMs = signal === 'SIGTERM' ? settings.shutdownGrace * 1000 : 0
      application.stop(graceMs).then(resolve, reject)
    }
    // `on` and not `once`: a second signal ends the grace period of the first.
    terminal.on('SIGTERM', stop)
    terminal.on('SIGINT', stop)
  })
  reportListening(application.address, terminal, observe, extras)
  await stopped
  observe({ kind: 'stopped' })
}
