// The key sets of trusted issuers, fetched on demand and cached for ten minutes. Clients cannot force fetches by
// sending tokens: an unknown key causes at most two per minute, and after a failed fetch there is none for a while.
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import { TokenDefect } from './token-denial.ts'

const TIMEOUT_MS = 5_000
const REST_AFTER_FAILURE_MS = 5_000

export class IssuerKeySets {
  /** By URL. */
  readonly #sets = new Map<string, JWTVerifyGetKey>()

  /** A function that finds the key of a token in the set at the URL. */
  at(url: string): JWTVerifyGetKey {
    let keys = this.#sets.get(url)
    if (!keys) {
      keys = createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, [customFetch]: throttledFetch() })
      this.#sets.set(url, keys)
    }
    return keys
  }
}

function throttledFetch(): FetchImplementation {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (url, options) => {
    if (performance.now() - failedAt < REST_AFTER_FAILURE_MS)
      throw new TokenDefect('the key set of the issuer could not be fetched just now')
    const response = await fetch(url, options).catch(() => undefined)
    if (response?.ok) return response
    failedAt = performance.now()
    throw new TokenDefect('the key set of the issuer cannot be fetched')
  }
}
