// Defaults of settings that the command line shows. Alone in a file, because the application takes long to load.

/** Maximum number of open connections per client address. */
export const CONNECTIONS_PER_ADDRESS = 200
/** Size of the response cache of each process. */
export const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024
