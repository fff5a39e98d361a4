// Defaults of settings that the command line shows. Alone in a file, because the application takes long to load.

/** What an administrator may bound otherwise. */
export interface Bounds {
  /** Open connections of each process. */
  readonly connections: number
  /** Open connections from one address. */
  readonly connectionsPerAddress: number
  /** Wrong secrets for a client from one address, in a minute. A program with an outdated one is far below. */
  readonly wrongSecrets: number
}

export const BOUNDS: Bounds = {
  connections: 2_000,
  connectionsPerAddress: 200,
  wrongSecrets: 30,
}
/** Size of the response cache of each process. */
export const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024
