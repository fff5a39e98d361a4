import { type Application, type StartSettings, startApplication } from '../app.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import { createLogger } from '../observe/logger.ts'
import type { Observe } from '../observe/observation.ts'
import { gatherFigures } from './gather-figures.ts'
import { warnOfPublishedSecrets } from './published-secrets.ts'
import { type ServeSettings, storeOptions } from './settings.ts'
import { isWorker, keysOf, type Listening, prepared, STARTED_BY, serveByWorkers } from './workers.ts'

const FATAL_EXIT_CODE = 70
const CRASH_EXIT_CODE = 1
const LAST_REPLIES_MS = 250
const NO_COMPANY = 'no company is set up: serve --setup company.yaml, or tabularium demo'

/** One of several tells the first, which tells once for all. */
function tellListening(address: string, observe: Observe, { greeting }: ServeExtras): void {
  if (isWorker) {
    process.send?.({ listening: address } satisfies Listening)
    return
  }
  process.stdout.write(`listening on ${address}\n`)
  observe({ kind: 'listening', address })
  if (greeting) process.stdout.write(greeting(address))
}

function rateLimitsOf({ rateRequests, rateMegabytes }: ServeSettings): RateLimits | undefined {
  if (rateRequests === undefined && rateMegabytes === undefined) return undefined
  return {
    requestsPerMinute: rateRequests,
    bytesPerFiveMinutes: rateMegabytes === undefined ? undefined : rateMegabytes * 1_000_000,
  }
}

/** What the demo does beside serving. */
export interface ServeExtras {
  /** Work on the records before the first request. */
  readonly prepare?: (application: Application) => Promise<void>
  /** Told on standard output once the service listens. */
  readonly greeting?: (address: string) => string
}

/** Starts the service, tells its address, and resolves when it has stopped in good order. */
export async function serve(settings: ServeSettings, extras: ServeExtras = {}): Promise<void> {
  try {
    await serveToEnd(settings, extras)
  } finally {
    // The line to the first process would keep this one from ending.
    if (isWorker) process.disconnect()
  }
}

/**
 * An error that nobody has caught, or a promise: nobody can tell what was left half done in memory, so the process ends and
 * whoever looks after it starts another. The log has it as any error, without secrets.
 */
function endOnCrash(observe: Observe): void {
  process.on('uncaughtException', (error) => {
    observe({ kind: 'crashed', error })
    process.exit(CRASH_EXIT_CODE)
  })
}

async function serveToEnd(settings: ServeSettings, { prepare, greeting }: ServeExtras): Promise<void> {
  const observe = createLogger(settings.logLevel)
  endOnCrash(observe)
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
    rendersPdf: settings.thumbnails === 'render',
    rateLimits: rateLimitsOf(settings),
    connectionsPerAddress: settings.connectionsPerAddress,
    overloadDelayMs: settings.overloadDelay,
    answerCacheBytes: settings.answerCache,
    slowQueryMs: settings.slowQuery,
    observe,
    // Those who wait are told first; nothing is acknowledged any more.
    onFatal: () => void setTimeout(() => process.exit(FATAL_EXIT_CODE), LAST_REPLIES_MS),
  }
  if (settings.workers > 1 && !isWorker) return serveByWorkers(starting, settings.workers, extras)
  if (isWorker) await prepared()
  const application = await startApplication({
    ...starting,
    checksInBackground: true,
    ...(isWorker ? { isWorker, heldBy: STARTED_BY, setup: undefined, keys: keysOf(starting), gatherFigures } : {}),
    ...(extras.prepare && !isWorker ? { prepare: extras.prepare } : {}),
  })
  const stopped = new Promise<void>((resolve, reject) => {
    const stop = (signal: NodeJS.Signals): void => {
      observe({ kind: 'stopping', signal })
      // At a keyboard nobody waits for a load balancer to notice.
      const graceMs = signal === 'SIGTERM' ? settings.shutdownGrace * 1000 : 0
      application.stop(graceMs).then(resolve, reject)
    }
    // Not once: a second signal cuts the wait of the first short.
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
  tellListening(application.address, observe, extras)
  await stopped
  observe({ kind: 'stopped' })
}
