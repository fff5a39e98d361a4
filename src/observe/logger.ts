// Logs observations as JSON lines on standard error. Of a request, only its id, method and path are logged.
import pino from 'pino'
import { LogThrottle } from './log-throttle.ts'
import type { Observation, Observe } from './observation.ts'
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

/** `level` is the minimum level that is logged. */
export function createLogger(level: string): Observe {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '***' },
    },
    pino.destination({ fd: 2, sync: true }),
  )
  // Under overload, thousands of requests are rejected per second.
  const rejectionThrottle = new LogThrottle()
  return (observation) => {
    const severity = levelOf(observation)
    if (!log.isLevelEnabled(severity)) return
    const { kind, ...fields } = observation
    const isThrottled = kind === 'request-refused' && severity === 'warn'
    const omitted = isThrottled ? rejectionThrottle.pass(performance.now()) : 0
    if (omitted === undefined) return
    log[severity](loggable(omitted === 0 ? fields : { ...fields, leftOut: omitted }), kind)
  }
}

function levelOf(observation: Observation): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  switch (observation.kind) {
    case 'access-refused':
    case 'thumbnail-answered':
    case 'text-read':
      return 'debug'
    case 'request-refused':
      return observation.status >= WARN_FROM_STATUS ? 'warn' : 'debug'
    case 'request-failed':
      return 'error'
    case 'store-failed':
    case 'database-damaged':
    case 'crashed':
      return 'fatal'
    case 'published-secrets':
    case 'no-company':
    case 'connection-refused':
    case 'unbound-issuers':
    case 'store-warning':
    case 'answer-broken':
    case 'text-not-read':
    case 'traces-not-sent':
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
