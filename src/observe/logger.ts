// The log: one reader of what is observed. JSON lines on standard error; nothing of a request but its id, method and path.
import pino from 'pino'
import { Flood } from './flood.ts'
import type { Observation, Observe } from './observation.ts'
import { withoutSecrets } from './without-secrets.ts'

const REFUSALS_WORTH_WARNING = 500
/** No observation has such a field. Should one ever, it stays out. */
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

/** Writes observations at the level that they deserve; `level` is the least that is written. */
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
  // An overload is told by thousands of requests a second.
  const warnedRefusals = new Flood()
  return (observation) => {
    const levelOfIt = levelOf(observation)
    if (!log.isLevelEnabled(levelOfIt)) return
    const { kind, ...fields } = observation
    const isFlood = kind === 'request-refused' && levelOfIt === 'warn'
    const leftOut = isFlood ? warnedRefusals.pass(performance.now()) : 0
    if (leftOut === undefined) return
    log[levelOfIt](readable(leftOut === 0 ? fields : { ...fields, leftOut }), kind)
  }
}

function levelOf(observation: Observation): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  switch (observation.kind) {
    case 'access-refused':
    case 'thumbnail-answered':
    case 'text-read':
      return 'debug'
    case 'request-refused':
      return observation.status >= REFUSALS_WORTH_WARNING ? 'warn' : 'debug'
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

function readable(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'error') return [name, described(value)]
      return [name, typeof value === 'string' ? withoutSecrets(value) : value]
    }),
  )
}

function described(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) }
  const cause = error.cause === undefined ? {} : { cause: described(error.cause) }
  // The stack begins with the message.
  return { message: withoutSecrets(error.message), stack: withoutSecrets(error.stack ?? ''), ...cause }
}
