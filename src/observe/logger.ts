// Logs observations and requests on standard error: of a request, who has asked for which route, and how it ended.
import type { Writable } from 'node:stream'
import pino from 'pino'
import { BufferedDestination, immediateDestination, type LogDestination } from './log-destination.ts'
import { LogThrottle } from './log-throttle.ts'
import type { EndedRequest, LogRequest, Observation, Observe } from './observation.ts'
import { withoutSecrets } from './without-secrets.ts'

const WARN_FROM_STATUS = 500
/** No observation has such a field; should one ever be added, it is censored. */
const SECRET_FIELDS = [
  'authorization',
  'password',
  'secret',
  'token',
  'access_token',
  'client_secret',
  'content',
  'body',
]

interface ServiceLog {
  readonly observe: Observe
  /** Absent: the level leaves requests out. */
  readonly logRequest: LogRequest | undefined
  /** How many lines nobody has read in time, since the start. */
  readonly lostLines: () => number
}

/** Standard error, or what takes its place. */
type LogOutput = Writable & { readonly isTTY?: boolean; readonly fd?: number }

/** The log of a command, which ends soon: each line is written at once. */
export function createLogger(level: string, output: LogOutput): Observe {
  return observerOf(level, immediateDestination(output))
}

/** The log of the service, with its requests. */
export function createServiceLog(level: string, output: LogOutput): ServiceLog {
  const isBuffered = output.fd !== undefined && !output.isTTY
  const destination = isBuffered ? new BufferedDestination() : immediateDestination(output)
  const logsRequests = pino({ level }).isLevelEnabled('info')
  return {
    observe: observerOf(level, destination),
    logRequest: logsRequests ? (request) => destination.write(lineOf(request)) : undefined,
    lostLines: () => destination.lost,
  }
}

const OPTIONS = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
}

/** As pino writes it, at half the cost: no field of a request can hold a secret, so none is looked for. */
function lineOf(request: EndedRequest): string {
  const fields = JSON.stringify(request).slice(1, -1)
  return `{"level":"info","time":"${new Date().toISOString()}",${fields},"msg":"request"}\n`
}

function observerOf(level: string, destination: LogDestination): Observe {
  const redact = { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '***' }
  const log = pino({ level, redact, ...OPTIONS }, destination)
  // Under overload, thousands of requests are rejected per second.
  const rejectionThrottle = new LogThrottle()
  return (observation) => {
    const severity = levelOf(observation)
    if (!log.isLevelEnabled(severity)) return
    const { kind, ...fields } = observation
    const isThrottled = (kind === 'request-refused' && severity === 'warn') || kind === 'wrong-secrets'
    const omitted = isThrottled ? rejectionThrottle.pass(performance.now()) : 0
    if (omitted === undefined) return
    log[severity](loggable(omitted === 0 ? fields : { ...fields, leftOut: omitted }), kind)
  }
}

function levelOf(observation: Observation): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  switch (observation.kind) {
    case 'access-refused':
    case 'acting':
    case 'thumbnail-answered':
    case 'text-read':
      return 'debug'
    case 'request-refused':
      return observation.status >= WARN_FROM_STATUS ? 'warn' : 'debug'
    case 'request-failed':
    case 'delivery-failed':
    case 'batch-operation-failed':
      return 'error'
    case 'store-failed':
    case 'database-damaged':
    case 'crashed':
      return 'fatal'
    case 'published-secrets':
    case 'no-company':
    case 'package-missing':
    case 'connection-refused':
    case 'wrong-secrets':
    case 'unbound-issuers':
    case 'kept-though-not-in-file':
    case 'setup-left-alone':
    case 'secrets-end-soon':
    case 'store-warning':
    case 'answer-broken':
    case 'text-not-read':
    case 'traces-not-sent':
    case 'subscription-paused':
    case 'replica-left':
      return 'warn'
    default:
      return 'info'
  }
}

function loggable(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'error') return [name, errorFields(value)]
      return [name, typeof value === 'string' ? withoutSecrets(value) : value]
    }),
  )
}

function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) }
  const cause = error.cause === undefined ? {} : { cause: errorFields(error.cause) }
  // The stack starts with the message.
  return { message: withoutSecrets(error.message), stack: withoutSecrets(error.stack ?? ''), ...cause }
}
