// The keys of foreign issuers: fetched when a token needs them and kept for ten minutes. Whoever sends tokens does not
// decide how often: an unknown key is looked for twice a minute at most, and a set that could not be had is left alone.
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose'

const TIMEOUT_MS = 5_000
const REST_AFTER_FAILURE_MS = 5_000

export class ForeignKeys {
  /** By their address. */
  readonly #sets = new Map<string, JWTVerifyGetKey>()

  /** Finds the key of a token in the set at an address. */
  at(address: string): JWTVerifyGetKey {
    let keys = this.#sets.get(address)
    if (!keys) {
      keys = createRemoteJWKSet(new URL(address), { timeoutDuration: TIMEOUT_MS, [customFetch]: sparingFetch() })
      this.#sets.set(address, keys)
    }
    return keys
  }
}

function sparingFetch(): FetchImplementation {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (url, options) => {
    if (performance.now() - failedAt < REST_AFTER_FAILURE_MS) throw new Error('the key set could not be had just now')
    const response = await fetch(url, options).catch(() => undefined)
    if (response?.ok) return response
    failedAt = performance.now()
    throw new Error('the key set cannot be had')
  }
}
