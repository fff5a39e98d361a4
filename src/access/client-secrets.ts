// Verifies a client's id and secret, for the token endpoint and for HTTP Basic. Hashing a secret takes some 50 ms, so a
// correct one is cached, as an HMAC with a key that only this process has.

import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { SharedUsages } from '../base/concurrency/sliding-window.ts'
import type { QueueFigures } from '../base/concurrency/waiting-queue.ts'
import { lastUsed } from '../base/last-used.ts'
import { getOrInsert } from '../base/memo.ts'
import { networkOf } from '../base/network.ts'
import { secondsOf, tooMany } from '../errors/catalogue.ts'
import type { Observe } from '../observe/observation.ts'
import type { AddressLimits } from './address-limits.ts'
import { type Caller, type ClientDefinition, secretsOf } from './caller.ts'
import { Denial } from './denial.ts'
import type { Directory } from './directory.ts'
import { type FailedLogins, failedLogins } from './failed-logins.ts'
import { PACE_MS, PatientChecks } from './patient-checks.ts'
import { SecretChecks } from './secret-checks.ts'
import { missingCosts } from './secret-costs.ts'
import { decoyHash } from './secrets.ts'

const MAX_CACHED_SECRETS = 1_000
const MAX_WRONG_SECRETS = 10_000
/** For a client from one address, in a minute. A program with an outdated one is far below. */
export const MOST_WRONG_SECRETS = 30
/** In a minute, while a client is locked out at an address. */
const MOST_PATIENT_CHECKS = 12

/** What may be locked out: a client at a network. */
interface Place {
  /** Empty if there is no such client: all unknown ids of an address are counted together. */
  readonly clientId: string
  readonly network: string
  /** Both. */
  readonly guesser: string
}

interface Attempt extends Place {
  readonly secrets: readonly string[]
  /** Stands for id, secrets and network. */
  readonly key: string
  /** The client's hashes that have not ended, and decoys. */
  readonly hashes: readonly string[]
}

/** Those who have secrets: clients, or people. */
export type SecretHolders = Pick<Directory, 'findClient' | 'absenceOf' | 'callerOfClient' | 'secretCosts'>

interface ClientSecretsParts {
  readonly directory: SecretHolders
  /** Where the processes on a store count wrong secrets together. */
  readonly shared: SharedUsages
  readonly addressLimits: AddressLimits
  readonly clock: Clock
  readonly observe: Observe
  /** Between two checks while a client is locked out. */
  readonly paceMs?: number | undefined
}

export class ClientSecrets {
  readonly #directory: SecretHolders
  readonly #clock: Clock
  readonly #addressLimits: AddressLimits
  /** A key object: made from bytes for each request, it would cost 8 us, a tenth of a point read. */
  readonly #processKey = createSecretKey(randomBytes(32))
  /** By digest of id and secret: the stored hash that it matched. A changed hash is thereby checked again. */
  readonly #verified = lastUsed<string, string>(MAX_CACHED_SECRETS)
  /** The attempts that were right: a lockout does not touch them. */
  readonly #right = lastUsed<string, true>(MAX_CACHED_SECRETS)
  /** The attempts that were wrong, with the hashes they were checked against: to check them again tells nothing. */
  readonly #wrong = lastUsed<string, string>(MAX_WRONG_SECRETS)
  readonly #failedLogins: FailedLogins
  readonly #patientLogins: FailedLogins
  readonly #patientChecks: PatientChecks
  readonly #paceMs: number
  readonly #countGuess: ReturnType<typeof guessStreaks>
  readonly #checks = new SecretChecks()
  readonly #pending = new Map<string, Promise<string | undefined>>()
  /** By costs: what is checked for whoever has no secret of these, so that it takes as long. */
  readonly #decoys = new Map<string, string>()

  constructor({ directory, shared, addressLimits, clock, observe, paceMs = PACE_MS }: ClientSecretsParts) {
    this.#directory = directory
    this.#clock = clock
    this.#addressLimits = addressLimits
    this.#failedLogins = failedLogins(shared, 'wrong-secrets', MOST_WRONG_SECRETS, clock)
    this.#patientLogins = failedLogins(shared, 'patient-checks', MOST_PATIENT_CHECKS, clock)
    this.#patientChecks = new PatientChecks((guesser) => this.#patientLogins.begin(guesser), paceMs)
    this.#paceMs = paceMs
    this.#countGuess = guessStreaks(observe)
  }

  get figures(): QueueFigures {
    return this.#checks.figures
  }

  /**
   * The client's caller if the secret is correct, otherwise what is wrong. Throws 503 if too many are being checked,
   * and 429 after too many wrong ones from this address; neither applies to a secret that was right there before.
   * `decoded`: another spelling of the secret, which is as good and counts with it.
   */
  async verify(clientId: string, secret: string, address: string, decoded = secret): Promise<Caller | Denial> {
    const client = this.#directory.findClient(clientId)
    const valid = client ? this.#validHashes(client) : []
    const secrets = decoded === secret ? [secret] : [secret, decoded]
    const shown = JSON.stringify([clientId, ...secrets])
    const digest = createHmac('sha256', this.#processKey).update(shown).digest('base64')
    const network = networkOf(address)
    const key = `${digest} ${network}`
    const place = { clientId: client?.id ?? '', network, guesser: `${network} ${client?.id ?? ''}` }
    const known = this.#verified.get(digest)
    const isKnown = known !== undefined && valid.includes(known)
    const isRight = isKnown && (this.#right.get(key) || !this.#isLockedOut(place))
    const matched = isRight ? known : await this.#checkOnce({ ...place, secrets, key, hashes: this.#withDecoys(valid) })
    // The setup may have changed meanwhile.
    const caller = matched === undefined ? undefined : this.#directory.callerOfClient(clientId)
    if (caller && matched !== undefined) {
      this.#verified.set(digest, matched)
      this.#right.set(key, true)
      return caller
    }
    return new Denial(client ? `wrong secret for the client ${clientId}` : this.#directory.absenceOf(clientId))
  }

  async close(): Promise<void> {
    this.#patientChecks.close()
    await this.#checks.close()
  }

  /** The hashes of the secrets that have not ended. */
  #validHashes(client: ClientDefinition): readonly string[] {
    const secrets = secretsOf(client)
    if (secrets.every(({ until }) => until === undefined)) return secrets.map(({ hash }) => hash)
    const now = this.#clock().toISOString()
    return secrets.flatMap(({ hash, until }) => (until === undefined || until > now ? [hash] : []))
  }

  #withDecoys(hashes: readonly string[]): readonly string[] {
    const decoyOf = (costs: string) => getOrInsert(this.#decoys, costs, () => decoyHash(costs))
    return [...hashes, ...missingCosts(this.#directory.secretCosts, hashes).map(decoyOf)]
  }

  /**
   * Wrong secrets from an address lock out only the clients that failed there themselves, not others behind the same
   * address.
   */
  #isLockedOut({ network, guesser }: Place): boolean {
    if (this.#failedLogins.isFull(guesser)) return true
    return this.#failedLogins.hasBegun(guesser) && this.#addressLimits.isFull('failed', network)
  }

  /** Simultaneous requests with the same secret share one check, which counts once. */
  #checkOnce(attempt: Attempt): Promise<string | undefined> {
    const check = () => this.#check(attempt).finally(() => this.#pending.delete(attempt.key))
    return getOrInsert(this.#pending, attempt.key, check)
  }

  /** The hash that the secret matches; undefined if it is wrong. Throws 429 where that is not told. */
  async #check(attempt: Attempt): Promise<string | undefined> {
    const { key, secrets, hashes, clientId, network, guesser } = attempt
    const isKnownWrong = this.#wrong.get(key) === hashes.join()
    if (isKnownWrong || this.#isLockedOut(attempt)) return this.#checkLocked(attempt, isKnownWrong)
    const flow = { group: network, member: clientId }
    const mayCheck = async () => !this.#isLockedOut(attempt) && (await this.#failedLogins.begin(guesser))
    const checked = await this.#checks.check(flow, { secrets, hashes }, mayCheck)
    if (!checked) return this.#checkLocked(attempt, false)
    if (checked.matched === undefined) this.#noteWrong(attempt)
    else await this.#failedLogins.forget(guesser)
    return checked.matched
  }

  /** The secret is known to be wrong, or its client is locked out here: only the right one is told apart. */
  async #checkLocked(attempt: Attempt, isKnownWrong: boolean): Promise<string | undefined> {
    const { key, secrets, hashes, clientId, network, guesser } = attempt
    if (isKnownWrong) {
      this.#noteWrong(attempt)
      if (!this.#isLockedOut(attempt)) return undefined
    } else if (clientId !== '' && (await this.#patientChecks.turn(guesser, key))) {
      const flow = { group: network, member: clientId }
      const checked = await this.#checks.check(flow, { secrets, hashes }, () => Promise.resolve(true))
      if (checked?.matched !== undefined) return checked.matched
      this.#noteWrong(attempt)
    } else this.#countGuess(clientId, network)
    throw tooMany(
      'Too many wrong secrets.',
      secondsOf(clientId === '' ? this.#failedLogins.waitOf(guesser) : this.#paceMs),
    )
  }

  #noteWrong({ key, hashes, clientId, network }: Attempt): void {
    this.#wrong.set(key, hashes.join())
    this.#countGuess(clientId, network)
  }
}

/** Fewer are a person who mistypes. */
const STREAK = 5
const REPORT_EACH_MS = 60_000
const MOST_STREAKS = 1_000

interface Streak {
  count: number
  reportedAt: number
}

/** Streaks of wrong secrets, for the log: one report for a streak, and one a minute while it goes on. */
function guessStreaks(observe: Observe) {
  /** A streak ends after a minute without a wrong secret. */
  const streaks = lastUsed<string, Streak>(MOST_STREAKS, REPORT_EACH_MS)
  /** Counts a wrong secret, or one that was not checked. `clientId` is empty where there is no such client. */
  return (clientId: string, address: string): void => {
    const key = `${address} ${clientId}`
    const now = performance.now()
    const streak = streaks.get(key) ?? { count: 0, reportedAt: Number.NEGATIVE_INFINITY }
    streak.count += 1
    streaks.set(key, streak)
    if (streak.count < STREAK || now - streak.reportedAt < REPORT_EACH_MS) return
    streak.reportedAt = now
    observe({ kind: 'wrong-secrets', client: clientId || undefined, address, count: streak.count })
  }
}
