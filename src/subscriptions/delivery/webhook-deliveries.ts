// Delivers the subscriptions of all companies that no other process delivers: leases are taken, renewed and given back.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { DeliveryLag } from '../../observe/delivery-metrics.ts'
import { Deliverer } from './deliverer.ts'
import { type DelivererParts, type DeliveryParts, SYSTEM_TIME } from './delivery-parts.ts'
import { MAX_IN_FLIGHT } from './next-groups.ts'
import type { WebhookReply, WebhookRequest } from './sending/webhook-sender.ts'
import { listFree, releaseLease, renewLeases, takeLease } from './state/lease-store.ts'

/** Attempts under way, of all subscriptions, and of those of one company. */
const MAX_ATTEMPTS = 64
const MAX_COMPANY_ATTEMPTS = 48
/** More than all subscriptions of many companies can ask for at once. */
const MAX_WAITING_ATTEMPTS = 100_000
/** Of a process that has ended without giving its leases back, others take them after as long. */
const LEASE_MS = 30_000
/** How often it is looked for subscriptions that no process delivers. */
const LOOK_MS = 5_000
/** When the service stops, attempts may take as long to end. */
const GRACE_MS = 5_000

interface Held {
  readonly deliverer: Deliverer
  readonly ended: Promise<void>
}

export interface DeliverySettings extends Omit<DeliveryParts, 'time'> {
  /** Default: that of the system. */
  readonly time?: DeliveryParts['time']
  readonly leaseMs?: number
  readonly lookMs?: number
}

export class WebhookDeliveries {
  /** The path below which the service answers; empty at the root. */
  readonly basePath: string
  readonly #parts: DelivererParts
  readonly #leaseMs: number
  readonly #lookMs: number
  readonly #holder = randomUUID()
  /** By company and subscription. */
  readonly #held = new Map<string, Held>()
  readonly #timers: NodeJS.Timeout[] = []
  /** The looks under way. */
  readonly #looks = new Set<Promise<void>>()
  #isServing = false

  constructor({ leaseMs = LEASE_MS, lookMs = LOOK_MS, time = SYSTEM_TIME, ...parts }: DeliverySettings) {
    this.basePath = parts.basePath
    this.#leaseMs = leaseMs
    this.#lookMs = lookMs
    const slots = new AdmissionQueue({
      inFlight: MAX_ATTEMPTS,
      maxPerGroup: MAX_COMPANY_ATTEMPTS,
      maxPerMember: MAX_IN_FLIGHT,
      waiting: MAX_WAITING_ATTEMPTS,
      refusal: () => unavailable('Too many webhooks are being delivered.', 5),
    })
    this.#parts = { ...parts, time, slots }
    parts.metrics.lag = () => this.#lag()
  }

  /** Why webhooks cannot be sent to the URL, as far as it tells without a look-up; undefined if they can. */
  refusalOf(url: string): string | undefined {
    return this.#parts.sender.refusalOf(url)
  }

  /** From now on this process delivers. */
  start(): void {
    this.#isServing = true
    const every = (ms: number, work: () => Promise<void>) =>
      this.#timers.push(setInterval(() => this.#inBackground(work), ms).unref())
    every(this.#lookMs, () => this.#lookEverywhere())
    every(this.#leaseMs / 3, () => this.#renew())
    this.#inBackground(() => this.#lookEverywhere())
  }

  /** Something of the company may be due. */
  wake(companyId: string): void {
    for (const { deliverer } of this.#heldIn(companyId)) deliverer.wake()
    if (this.#isServing) this.#inBackground(() => this.#look(companyId))
  }

  /** Sends a request of a client once, at once. Never throws. */
  async send(request: WebhookRequest): Promise<WebhookReply> {
    const reply = await this.#parts.sender.send(request)
    this.#parts.metrics.attempted(reply.outcome)
    return reply
  }

  /** Ends what is under way, for a while, and lets other processes deliver at once. */
  async stop(): Promise<void> {
    this.#isServing = false
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#looks)
    const held = [...this.#held.values()]
    for (const { deliverer } of held) deliverer.stop()
    const all = Promise.all(held.map(({ ended }) => ended))
    await Promise.race([all, delay(GRACE_MS, undefined, { ref: false })])
    for (const { deliverer } of held) deliverer.leave()
    await all
    this.#parts.sender.close()
  }

  #inBackground(work: () => Promise<void>): void {
    // A store that cannot be asked now is told by those who need an answer; the next look comes soon.
    const look = work().catch(() => {})
    this.#looks.add(look)
    void look.then(() => this.#looks.delete(look))
  }

  async #lookEverywhere(): Promise<void> {
    for (const { id } of this.#parts.companies.all) await this.#look(id)
  }

  async #look(companyId: string): Promise<void> {
    const { store } = this.#parts
    for (const subscriptionId of await listFree(store.reading(companyId), Date.now())) {
      const key = `${companyId}\n${subscriptionId}`
      if (!this.#isServing || this.#held.has(key)) continue
      const [now, validUntil] = [Date.now(), performance.now() + this.#leaseMs]
      const holder = { holder: this.#holder, now, until: now + this.#leaseMs }
      const lease = await takeLease(store, { companyId, subscriptionId }, holder)
      if (!lease) continue
      const deliverer = new Deliverer(lease, validUntil, this.#parts)
      const ended = deliverer
        .run()
        .then(() => releaseLease(store, lease))
        // Others take it when it ends by itself.
        .catch(() => {})
        .then(() => void this.#held.delete(key))
      this.#held.set(key, { deliverer, ended })
    }
  }

  async #renew(): Promise<void> {
    const companies = new Set([...this.#held.values()].map(({ deliverer }) => deliverer.lease.companyId))
    for (const companyId of companies) {
      const [now, validUntil] = [Date.now(), performance.now() + this.#leaseMs]
      const holder = { holder: this.#holder, now, until: now + this.#leaseMs }
      const renewed = await renewLeases(this.#parts.store, companyId, holder)
      for (const { deliverer } of this.#heldIn(companyId)) {
        const { subscriptionId, leaseNo } = deliverer.lease
        if (renewed.get(subscriptionId) === leaseNo) deliverer.validUntil = validUntil
        else if (performance.now() > deliverer.validUntil) deliverer.leave()
      }
    }
  }

  #heldIn(companyId: string): Held[] {
    return [...this.#held.values()].filter(({ deliverer }) => deliverer.lease.companyId === companyId)
  }

  #lag(): DeliveryLag {
    const lags = [...this.#held.values()].map(({ deliverer }) => deliverer.lag)
    const now = this.#parts.time.clock().getTime()
    const seconds = lags.flatMap(({ oldest }) => (oldest === '' ? [] : (now - Date.parse(oldest)) / 1000))
    return { changes: Math.max(0, ...lags.map(({ changes }) => changes)), seconds: Math.max(0, ...seconds) }
  }
}
