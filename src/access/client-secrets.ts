// Checks a client's id and secret, for the token endpoint and for HTTP Basic. A secret costs some 50 ms to check, so
// one that was right is remembered (as a digest under a key that only this process has), and few are checked at once.
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../errors/catalogue.ts'
import type { Caller } from './caller.ts'
import type { Directory } from './directory.ts'
import { hashSecret, verifySecret } from './secrets.ts'

const REMEMBERED_SECRETS = 1_000
/** More waiting checks than this would hold up everything else that runs on the thread pool. */
const MAX_CHECKS_AT_ONCE = 32

export class ClientSecrets {
  readonly #directory: Directory
  readonly #processKey = randomBytes(32)
  /** Digest of id and secret -> the stored hash that it matched: a changed secret is checked again. */
  readonly #right = new LRUCache<string, string>({ max: REMEMBERED_SECRETS })
  #checking = 0
  /** What an unknown client is checked against, so that it takes as long as a known one. */
  readonly #decoy = hashSecret(randomBytes(16).toString('hex'))

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** The client's caller when the secret is right. Throws 503 when too many are being checked. */
  async verify(clientId: string, secret: string): Promise<Caller | undefined> {
    const stored = this.#directory.findClient(clientId)?.secretHash
    const digest = createHmac('sha256', this.#processKey).update(`${clientId}\n${secret}`).digest('base64')
    if (stored !== undefined && this.#right.get(digest) === stored) return this.#directory.callerOfClient(clientId)
    if (this.#checking >= MAX_CHECKS_AT_ONCE) throw unavailable('Too many secrets are being checked.', 1)
    this.#checking += 1
    try {
      const isRight = await verifySecret(secret, stored ?? (await this.#decoy))
      if (!isRight || stored === undefined) return undefined
      this.#right.set(digest, stored)
      return this.#directory.callerOfClient(clientId)
    } finally {
      this.#checking -= 1
    }
  }
}
