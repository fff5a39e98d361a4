// Defaults of settings that the command line shows. Alone in a file, because the application takes long to load.

/** What an administrator may bound otherwise. */
export interface Bounds {
  /** Open connections of each process. */
  readonly connections: number
  /** Open connections from one address. */
  readonly connectionsPerAddress: number
  /** Requests without credentials from one address, in a second; five times as many in a burst. */
  readonly anonymousPerSecond: number
  /** Requests with wrong credentials from one address, in a second; five times as many in a burst. */
  readonly failuresPerSecond: number
  /** Wrong secrets for a client from one address, in a minute. A program with an outdated one is far below. */
  readonly wrongSecrets: number
}

export const BOUNDS: Bounds = {
  connections: 2_000,
  connectionsPerAddress: 200,
  anonymousPerSecond: 20,
  failuresPerSecond: 10,
  wrongSecrets: 30,
}
/** Size of the response cache of each process. */
export const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024
