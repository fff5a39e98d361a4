// What a limit tells of itself in headers.

/** `resetMs`: until there is as much again as is asked for, when nothing is used meanwhile. */
export function limitHeaders(most: number, left: number, resetMs: number): Record<string, string> {
  return {
    'ratelimit-limit': String(most),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(secondsOf(resetMs)),
  }
}

/** At least one: who comes back at once finds nothing new. */
export function secondsOf(ms: number): number {
  return Math.max(Math.ceil(ms / 1000), 1)
}
