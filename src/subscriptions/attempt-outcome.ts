// How an attempt to deliver ended, in the few words that the log of attempts and the metrics have.
import { codeOf } from '../base/thrown.ts'
import { AddressRefused } from './address-guard.ts'

export const ATTEMPT_OUTCOMES = [
  /** The receiver has answered 2xx. */
  'delivered',
  /** It has answered anything else. */
  'status',
  /** There was no connection: the name is unknown, or nobody listens. */
  'refused',
  /** There was no whole answer in time. */
  'timeout',
  /** The connection was broken, or spoke no HTTP. */
  'reset',
  /** The address is not allowed. */
  'address',
  /** The certificate is not trusted, or there is no TLS. */
  'tls',
] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/** What is told of each: nothing of the error itself, which may name addresses of a network. */
const TEXTS: Readonly<Record<Exclude<AttemptOutcome, 'delivered' | 'status'>, string>> = {
  refused: 'no connection: the name is unknown, or nobody listens there',
  timeout: 'no answer in time',
  reset: 'the connection was closed, or the answer was no HTTP',
  address: 'the name resolves to an address that is not public',
  tls: 'no trusted TLS connection',
}

const REFUSED_CODES = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ENOTFOUND|EAI_\w+|ENODATA)$/
const TLS_CODES =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|CRL_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH)/

/** The outcome of an attempt that has failed without an answer. */
export function outcomeOf(error: unknown, signal: AbortSignal): { outcome: AttemptOutcome; excerpt: string } {
  const outcome = kindOf(error, signal)
  return { outcome, excerpt: TEXTS[outcome] }
}

function kindOf(error: unknown, signal: AbortSignal): keyof typeof TEXTS {
  if (signal.aborted) return 'timeout'
  if (error instanceof AddressRefused) return 'address'
  // Node.js tries all addresses of a name, and tells of each.
  const errors = error instanceof AggregateError ? error.errors : [error]
  const codes = errors.map((one) => codeOf(one) ?? '')
  if (codes.some((code) => code === 'ETIMEDOUT')) return 'timeout'
  if (codes.some((code) => TLS_CODES.test(code))) return 'tls'
  return codes.some((code) => REFUSED_CODES.test(code)) ? 'refused' : 'reset'
}
