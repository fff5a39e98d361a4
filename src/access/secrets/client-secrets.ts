// Verifies a client's id and secret, for the token endpoint and for HTTP Basic. Hashing a secret takes some 50 ms, so a
// correct one is cached, as an HMAC with a key that only this process has.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SharedUsages } from '../../base/concurrency/sliding-window.ts'
import type { QueueFigures } from '../../base/concurrency/waiting-queue.ts'
import { networkOf } from '../../base/network.ts'
import type { AddressLimits } from '../address-limits.ts'
import type { Caller } from '../caller.ts'
import type { Directory } from '../directory.ts'
import { FailedLogins } from '../failed-logins.ts'
import { SecretChecks } from './secret-checks.ts'
import { decoyHash } from './secrets.ts'

const MAX_CACHED_SECRETS = 1_000

interface Attempt {
  readonly secret: string
  readonly digest: string
  /** Empty if there is no such client: all unknown ids of an address are counted together. */
  readonly clientId: string
  /** The client's secret hash; undefined if there is no such client. */
  readonly storedHash: string | undefined
  readonly network: string
}

export class ClientSecrets {
  readonly #directory: Directory
  /** A key object: made from bytes for each request, it would cost 8 us, a tenth of a point read. */
  readonly #processKey = createSecretKey(randomBytes(32))
  /** By digest of id and secret: the stored hash that it matched. A changed hash is thereby checked again. */
  readonly #verified = new LRUCache<string, string>({ max: MAX_CACHED_SECRETS })
  readonly #failedLogins: FailedLogins
  readonly #addressLimits: AddressLimits
  readonly #checks = new SecretChecks()
  readonly #pending = new Map<string, Promise<boolean>>()
  /** The hash that unknown clients are checked against, so that they take as long as known ones. */
  readonly #decoyHash = decoyHash()

  /** `shared`: where the processes on a store count wrong secrets together. */
  constructor(directory: Directory, shared: SharedUsages, addressLimits: AddressLimits) {
    this.#directory = directory
    this.#failedLogins = new FailedLogins(shared)
    this.#addressLimits = addressLimits
  }

  get figures(): QueueFigures {
    return this.#checks.figures
  }

  /**
   * The client's caller if the secret is correct. Throws 503 if too many are being checked, and 429 after too many
   * wrong ones from this address; neither applies to a cached secret.
   */
  async verify(clientId: string, secret: string, address: string): Promise<Caller | undefined> {
    const storedHash = this.#directory.findClient(clientId)?.secretHash
    const digest = createHmac('sha256', this.#processKey).update(`${clientId}\n${secret}`).digest('base64')
    const isCached = storedHash !== undefined && this.#verified.get(digest) === storedHash
    const countedId = storedHash === undefined ? '' : clientId
    const attempt = { secret, digest, storedHash, clientId: countedId, network: networkOf(address) }
    return isCached || (await this.#checkOnce(attempt)) ? this.#directory.callerOfClient(clientId) : undefined
  }

  close(): Promise<void> {
    return this.#checks.close()
  }

  /** Simultaneous requests with the same secret share one check, which counts once. */
  #checkOnce(attempt: Attempt): Promise<boolean> {
    const key = `${attempt.digest} ${attempt.network}`
    let check = this.#pending.get(key)
    if (!check) {
      check = this.#check(attempt).finally(() => this.#pending.delete(key))
      this.#pending.set(key, check)
    }
    return check
  }

  async #check({ secret, digest, storedHash, clientId, network }: Attempt): Promise<boolean> {
    const guesser = `${network} ${clientId}`
    this.#refuseTooMany(network, guesser)
    const flow = { group: network, member: clientId }
    const check = { secret, storedHash: storedHash ?? this.#decoyHash }
    const isCorrect = await this.#checks.check(flow, check, () => {
      this.#refuseTooMany(network, guesser)
      return this.#failedLogins.begin(guesser)
    })
    if (!isCorrect || storedHash === undefined) return false
    await this.#failedLogins.forget(guesser)
    this.#verified.set(digest, storedHash)
    return true
  }

  /**
   * Failed logins of an address lock out only the clients that failed there themselves, not others behind the same
   * address.
   */
  #refuseTooMany(network: string, guesser: string): void {
    this.#failedLogins.refuseTooMany(guesser)
    if (this.#failedLogins.hasBegun(guesser)) this.#addressLimits.refuseTooMany('failed', network)
  }
}
