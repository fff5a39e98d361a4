// `serve`: one process, or one that leads workers and loads nothing that serves. `serving.ts` is what serves.
import type { StartSettings } from '../../app/application.ts'
import { collectWhenIdle } from '../../base/process/idle-memory.ts'
import { isInstalled, requirePackages } from '../../base/process/optional-packages.ts'
import { createServiceLog } from '../../observe/logger.ts'
import type { Observe } from '../../observe/observation.ts'
import { type ServeSettings, storeOptions } from '../settings/settings.ts'
import { CRASH_EXIT_CODE, FATAL_EXIT_CODE, type Terminal } from '../terminal/terminal.ts'
import type { ServeExtras } from './serving.ts'
import { isWorker, tellLeader } from './worker.ts'
import { serveByWorkers } from './worker-group.ts'

const LAST_RESPONSES_MS = 250

function rateLimitsOf({ rateRequests, rateMegabytes }: ServeSettings): StartSettings['rateLimits'] {
  if (rateRequests === undefined && rateMegabytes === undefined) return undefined
  return {
    requestsPerMinute: rateRequests,
    bytesPerFiveMinutes: rateMegabytes === undefined ? undefined : rateMegabytes * 1_000_000,
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

/**
 * Ends the process at a signal that asks for it: nobody is served yet. Returns what is to be called when that changes.
 */
function endWhileStarting(terminal: Terminal): () => void {
  let isStarting = true
  const end = (): void => {
    if (isStarting) terminal.exit(0)
  }
  terminal.once('SIGTERM', end)
  terminal.once('SIGINT', end)
  return () => {
    isStarting = false
  }
}

/** What cannot be drawn without a package has an icon instead, unless the settings ask for it. */
function checkPackages({ thumbnails }: ServeSettings, observe: Observe): void {
  if (thumbnails === 'render') requirePackages('--thumbnails render', ['@napi-rs/canvas'])
  if (isInstalled('sharp')) return
  observe({ kind: 'package-missing', package: 'sharp', remedy: 'thumbnails of pictures are icons: npm install sharp' })
}

/** Starts the service, prints its address, and resolves when it has shut down cleanly. */
export async function serve(settings: ServeSettings, terminal: Terminal, extras: ServeExtras = {}): Promise<void> {
  const { observe, logRequest, lostLines } = createServiceLog(settings.logLevel, terminal.stderr)
  endOnCrash(terminal, observe)
  // Until what is awaited below has ended.
  using _idle = collectWhenIdle()
  if (!isWorker) checkPackages(settings, observe)
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
    faults: extras.faults,
    offeredPerson: extras.offeredPerson,
    // Delayed, so that waiting requests still get their error responses. No write is acknowledged any more.
    onFatal: () => void setTimeout(() => terminal.exit(FATAL_EXIT_CODE), LAST_RESPONSES_MS),
  }
  const reportListening = (address: string): void => {
    terminal.stdout.write(`listening on ${address}\n`)
    observe({ kind: 'listening', address })
    if (extras.greeting) terminal.stdout.write(extras.greeting(address))
  }
  if (settings.workers > 1 && !isWorker) {
    await serveByWorkers(starting, terminal, settings.workers, reportListening)
    return
  }
  const noteStarted = isWorker ? undefined : endWhileStarting(terminal)
  const { serveAlone, serveAsWorker } = await import('./serving.ts')
  if (!isWorker) {
    const onReady = (address: string): void => {
      noteStarted?.()
      reportListening(address)
    }
    await serveAlone(starting, settings, { terminal, extras, onReady })
    return
  }
  await serveAsWorker(starting, settings, { terminal, extras, onReady: (listening) => tellLeader({ listening }) })
  // The open channel to the process that leads would keep this one alive.
  process.disconnect()
}
