// What delivering takes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Directory } from '../../access/directory.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import type { ChangeFeed } from '../../changes/feed/feed.ts'
import type { ChangeSignals } from '../../changes/wake.ts'
import type { DeliveryMetrics } from '../../observe/background-metrics.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { Store } from '../../store/store.ts'
import type { WebhookSender } from '../webhook-sender.ts'

/** The time by which attempts are planned. */
export interface DeliveryTime {
  readonly clock: Clock
  /** Resolves at that time (milliseconds since 1970), or when the signal is aborted. */
  until(at: number, signal: AbortSignal): Promise<void>
}

export const SYSTEM_TIME: DeliveryTime = {
  clock: systemClock,
  until: (at, signal) => delay(Math.max(0, at - Date.now()), undefined, { signal, ref: false }).catch(() => {}),
}

export interface DeliveryParts {
  readonly store: Store
  readonly companies: Pick<Companies, 'all' | 'find'>
  readonly directory: Pick<Directory, 'callerOfClient' | 'absenceOf'>
  readonly feed: Pick<ChangeFeed, 'open'>
  readonly signals: Pick<ChangeSignals, 'listen'>
  readonly sender: WebhookSender
  readonly observe: Observe
  readonly metrics: DeliveryMetrics
  /** The path below which the service answers. */
  readonly basePath: string
  readonly time: DeliveryTime
}

export interface DelivererParts extends DeliveryParts {
  /** Attempts under way, of all subscriptions. */
  readonly slots: AdmissionQueue
}
