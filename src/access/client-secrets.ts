// Checks a client's id and secret, for the token endpoint and for HTTP Basic. A secret costs some 50 ms to check, so
// one that was right is remembered (as a digest under a key that only this process has), and few are checked at once.
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../errors/catalogue.ts'
import type { Caller } from './caller.ts'
import type { Directory } from './directory.ts'
import { Guesses } from './guesses.ts'
import { hashSecret, verifySecret } from './secrets.ts'

const REMEMBERED_SECRETS = 1_000
/** More waiting checks than this would hold up everything else that runs on the thread pool. */
const MAX_CHECKS_AT_ONCE = 32

interface Given {
  readonly secret: string
  /** Of the client; absent: there is none. */
  readonly stored: string | undefined
  readonly guesser: string
}

export class ClientSecrets {
  readonly #directory: Directory
  readonly #processKey = randomBytes(32)
  /** Digest of id and secret -> the stored hash that it matched: a changed secret is checked again. */
  readonly #right = new LRUCache<string, string>({ max: REMEMBERED_SECRETS })
  readonly #guesses = new Guesses()
  readonly #underWay = new Map<string, Promise<boolean>>()
  /** What an unknown client is checked against, so that it takes as long as a known one. */
  readonly #decoy = hashSecret(randomBytes(16).toString('hex'))

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /**
   * The client's caller when the secret is right. Throws 503 when too many are being checked, and 429 when too many from
   * this address were wrong; one that is remembered is right all the same.
   */
  async verify(clientId: string, secret: string, address: string): Promise<Caller | undefined> {
    const stored = this.#directory.findClient(clientId)?.secretHash
    const digest = createHmac('sha256', this.#processKey).update(`${clientId}\n${secret}`).digest('base64')
    const isRight =
      (stored !== undefined && this.#right.get(digest) === stored) ||
      (await this.#checkOnce(digest, { secret, stored, guesser: `${address} ${clientId}` }))
    return isRight ? this.#directory.callerOfClient(clientId) : undefined
  }

  /** A client that begins with many requests at once has its secret checked, and counted, for all of them together. */
  #checkOnce(digest: string, given: Given): Promise<boolean> {
    let check = this.#underWay.get(digest)
    if (!check) {
      if (this.#underWay.size >= MAX_CHECKS_AT_ONCE) throw unavailable('Too many secrets are being checked.', 1)
      this.#guesses.begin(given.guesser)
      check = this.#check(digest, given).finally(() => this.#underWay.delete(digest))
      this.#underWay.set(digest, check)
    }
    return check
  }

  async #check(digest: string, { secret, stored, guesser }: Given): Promise<boolean> {
    const isRight = await verifySecret(secret, stored ?? (await this.#decoy))
    if (!isRight || stored === undefined) return false
    this.#guesses.forget(guesser)
    this.#right.set(digest, stored)
    return true
  }
}
