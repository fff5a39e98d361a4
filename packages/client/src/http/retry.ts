// When a request is sent again, and after how long.

/** The statuses by which a service or a proxy before it says that it cannot answer now. */
const TRANSIENT = [429, 502, 503, 504]

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 20_000

export const isTransient = (status: number): boolean => TRANSIENT.includes(status)

/**
 * What `Retry-After` asks for in milliseconds (RFC 9110, 10.2.3): seconds, or a date. Undefined if it is absent or
 * neither.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}

/**
 * How long to wait before the next try, the first having the number 1: at least as long as the service asks for, and
 * otherwise twice as long each time, so that many clients do not come back together: half of it by chance.
 */
export function waitMs(tries: number, askedMs: number | undefined, random: () => number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS)
  const own = most * (0.5 + random() / 2)
  return askedMs === undefined ? own : askedMs + own - most * 0.5
}
