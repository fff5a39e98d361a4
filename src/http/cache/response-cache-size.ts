/** Default size of the response cache of each process. */
export const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024
