// Delivers the subscriptions of all companies that no other process delivers.
import { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { DeliveryLag } from '../../observe/background-metrics.ts'
import { HeldLeases, type LeaseTimes } from '../../store/held-leases.ts'
import type { Lease } from '../../store/lease-table.ts'
import type { WebhookReply, WebhookRequest } from '../webhook-sender.ts'
import { Deliverer } from './deliverer.ts'
import { type DelivererParts, type DeliveryParts, SYSTEM_TIME } from './delivery-parts.ts'
import { DELIVERY_LEASES } from './lease-store.ts'
import { MAX_IN_FLIGHT } from './next-groups.ts'

/** Attempts under way, of all subscriptions, and of those of one company. */
const MAX_ATTEMPTS = 64
const MAX_COMPANY_ATTEMPTS = 48
/** More than all subscriptions of many companies can ask for at once. */
const MAX_WAITING_ATTEMPTS = 100_000

export interface DeliverySettings extends Omit<DeliveryParts, 'time'>, LeaseTimes {
  /** Default: that of the system. */
  readonly time?: DeliveryParts['time']
}

export class WebhookDeliveries {
  /** The path below which the service answers; empty at the root. */
  readonly basePath: string
  readonly #parts: DelivererParts
  readonly #leases: HeldLeases<Deliverer>

  constructor({ leaseMs, lookMs, time = SYSTEM_TIME, ...parts }: DeliverySettings) {
    this.basePath = parts.basePath
    const slots = new AdmissionQueue({
      inFlight: MAX_ATTEMPTS,
      maxPerGroup: MAX_COMPANY_ATTEMPTS,
      maxPerMember: MAX_IN_FLIGHT,
      waiting: MAX_WAITING_ATTEMPTS,
      refusal: () => unavailable('Too many webhooks are being delivered.', 5),
    })
    this.#parts = { ...parts, time, slots }
    const begin = (lease: Lease, validUntil: number) => new Deliverer(lease, validUntil, this.#parts)
    this.#leases = new HeldLeases({ ...parts, table: DELIVERY_LEASES, begin, leaseMs, lookMs })
    parts.metrics.lag = () => this.#lag()
  }

  /** Why webhooks cannot be sent to the URL, as far as it tells without a look-up; undefined if they can. */
  refusalOf(url: string): string | undefined {
    return this.#parts.sender.refusalOf(url)
  }

  /** From now on this process delivers. */
  start(): void {
    this.#leases.start()
  }

  /** Something of the company may be due. */
  wake(companyId: string): void {
    for (const deliverer of this.#leases.in(companyId)) deliverer.wake()
    this.#leases.look(companyId)
  }

  /** Sends a request of a client once, at once. Never throws. */
  async send(request: WebhookRequest): Promise<WebhookReply> {
    const reply = await this.#parts.sender.send(request)
    this.#parts.metrics.attempted(reply.outcome)
    return reply
  }

  /** Ends what is under way, for a while, and lets other processes deliver at once. */
  async stop(): Promise<void> {
    await this.#leases.stop()
    this.#parts.sender.close()
  }

  #lag(): DeliveryLag {
    const lags = this.#leases.all.map(({ lag }) => lag)
    const now = this.#parts.time.clock().getTime()
    const seconds = lags.flatMap(({ oldest }) => (oldest === '' ? [] : (now - Date.parse(oldest)) / 1000))
    return { changes: Math.max(0, ...lags.map(({ changes }) => changes)), seconds: Math.max(0, ...seconds) }
  }
}
