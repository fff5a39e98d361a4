// The log: one reader of what is observed. JSON lines on standard error; nothing of a request but its id, method and path.
import pino from 'pino'
import type { Observation, Observe } from './observation.ts'

const REFUSALS_WORTH_WARNING = 500

/** Writes observations at the level that they deserve; `level` is the least that is written. */
export function createLogger(level: string): Observe {
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  return (observation) => {
    const { kind, ...fields } = observation
    log[levelOf(observation)]('error' in fields ? { ...fields, error: described(fields.error) } : fields, kind)
  }
}

function levelOf(observation: Observation): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  switch (observation.kind) {
    case 'record-written':
      return 'debug'
    case 'request-refused':
      return observation.status >= REFUSALS_WORTH_WARNING ? 'warn' : 'debug'
    case 'request-failed':
      return 'error'
    case 'store-failed':
      return 'fatal'
    case 'store-warning':
    case 'answer-broken':
    case 'text-not-read':
      return 'warn'
    default:
      return 'info'
  }
}

function described(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const cause = error.cause === undefined ? {} : { cause: described(error.cause) }
  return { message: error.message, stack: error.stack, ...cause }
}
