// Checks a client's id and secret, for the token endpoint and for HTTP Basic. A secret costs some 50 ms to check, so
// one that was right is remembered (as a digest under a key that only this process has): nobody else waits for a check.
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../base/network.ts'
import type { SharedUsages } from '../base/sliding-window.ts'
import type { Caller } from './caller.ts'
import type { Directory } from './directory.ts'
import { Guesses } from './guesses.ts'
import { SecretChecks } from './secret-checks.ts'
import { decoyHash } from './secrets.ts'
import type { Strangers } from './strangers.ts'

const REMEMBERED_SECRETS = 1_000

interface Given {
  readonly secret: string
  readonly digest: string
  /** Empty for one that there is not: all of an address are one. */
  readonly clientId: string
  /** Of the client; absent: there is none. */
  readonly stored: string | undefined
  readonly network: string
}

export class ClientSecrets {
  readonly #directory: Directory
  readonly #processKey = randomBytes(32)
  /** Digest of id and secret -> the stored hash that it matched: a changed secret is checked again. */
  readonly #right = new LRUCache<string, string>({ max: REMEMBERED_SECRETS })
  readonly #guesses: Guesses
  readonly #strangers: Strangers
  readonly #checks = new SecretChecks()
  readonly #underWay = new Map<string, Promise<boolean>>()
  /** What an unknown client is checked against, so that it takes as long as a known one. */
  readonly #decoy = decoyHash()

  /** `shared`: where the processes on a store count wrong secrets together. */
  constructor(directory: Directory, shared: SharedUsages, strangers: Strangers) {
    this.#directory = directory
    this.#guesses = new Guesses(shared)
    this.#strangers = strangers
  }

  /**
   * The client's caller when the secret is right. Throws 503 when too many are being checked, and 429 when too many from
   * this address were wrong; one that is remembered is right all the same.
   */
  async verify(clientId: string, secret: string, address: string): Promise<Caller | undefined> {
    const stored = this.#directory.findClient(clientId)?.secretHash
    const digest = createHmac('sha256', this.#processKey).update(`${clientId}\n${secret}`).digest('base64')
    const isKnown = stored !== undefined && this.#right.get(digest) === stored
    const counted = stored === undefined ? '' : clientId
    const given = { secret, digest, stored, clientId: counted, network: networkOf(address) }
    return isKnown || (await this.#checkOnce(given)) ? this.#directory.callerOfClient(clientId) : undefined
  }

  close(): Promise<void> {
    return this.#checks.close()
  }

  /** A client that begins with many requests at once has its secret checked, and counted, for all of them together. */
  #checkOnce(given: Given): Promise<boolean> {
    const key = `${given.digest} ${given.network}`
    let check = this.#underWay.get(key)
    if (!check) {
      check = this.#check(given).finally(() => this.#underWay.delete(key))
      this.#underWay.set(key, check)
    }
    return check
  }

  async #check({ secret, digest, stored, clientId, network }: Given): Promise<boolean> {
    const guesser = `${network} ${clientId}`
    this.#refuseTooMany(network, guesser)
    const flow = { group: network, member: clientId }
    const question = { secret, stored: stored ?? this.#decoy }
    const isRight = await this.#checks.check(flow, question, () => {
      this.#refuseTooMany(network, guesser)
      return this.#guesses.begin(guesser)
    })
    if (!isRight || stored === undefined) return false
    await this.#guesses.forget(guesser)
    this.#right.set(digest, stored)
    return true
  }

  /** Who guesses at others' secrets keeps no client out that comes from the same address, and was not wrong there itself. */
  #refuseTooMany(network: string, guesser: string): void {
    this.#guesses.refuseTooMany(guesser)
    if (this.#guesses.hasBegun(guesser)) this.#strangers.refuseTooMany('failed', network)
  }
}
