// What serving the feed takes.

import { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import { getOrInsert } from '../../base/memo.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import type { ReplicatedReads } from '../../store/replicated-reads.ts'
import { serviceSecret } from '../../store/service-state/secret-store.ts'
import type { Store } from '../../store/store.ts'
import { ChangeSignals } from '../wake.ts'
import type { ChangeFeed, FeedPage } from './feed.ts'

/** As many as there may be connections. */
const MAX_WAITING = 2_000
/** Less than all, so that no company and no client locks out the others. */
const MAX_WAITING_PER_COMPANY = 1_600
const MAX_WAITING_PER_CLIENT = 1_000
const CURSOR_SECRET = 'feed-cursor'

export interface ChangeServiceParts {
  readonly store: Store
  readonly feed: ChangeFeed
  /** The Enterprise Documents that are served now. */
  readonly documents: () => Iterable<EnterpriseDocument>
  /** Absent: no replica answers. */
  readonly read?: ReplicatedReads['read'] | undefined
}

export class ChangeService {
  readonly store: Store
  readonly feed: ChangeFeed
  readonly documents: () => Iterable<EnterpriseDocument>
  readonly signals: ChangeSignals
  /** Requests that wait for changes, and streams. */
  readonly waits = new AdmissionQueue({
    inFlight: MAX_WAITING,
    maxPerGroup: MAX_WAITING_PER_COMPANY,
    maxPerMember: MAX_WAITING_PER_CLIENT,
    waiting: 0,
    refusal: () => unavailable('Too many requests wait for changes.', 5),
  })
  readonly #read: ReplicatedReads['read'] | undefined
  /** Those under way, by what they read. */
  readonly #shared = new Map<string, Promise<FeedPage>>()
  #key: Promise<Buffer> | undefined
  #isStopping = false

  constructor({ store, feed, documents, read }: ChangeServiceParts) {
    this.#read = read
    this.store = store
    this.feed = feed
    this.documents = documents
    this.signals = new ChangeSignals(store.newestEntries)
  }

  /** The key of all cursors. */
  cursorKey(): Promise<Buffer> {
    this.#key ??= serviceSecret(this.store, CURSOR_SECRET).catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  /** Reads where the change with this number is known, and those before it. */
  async readWith<T>(least: number, work: () => Promise<T>): Promise<T> {
    return this.#read ? (await this.#read(least, work)).answer : work()
  }

  /** Equal reads at the same time are one. */
  readShared(key: string, read: () => Promise<FeedPage>): Promise<FeedPage> {
    return getOrInsert(this.#shared, key, () => read().finally(() => this.#shared.delete(key)))
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Ends all waits and streams. */
  stop(): void {
    this.#isStopping = true
    this.signals.wakeAll()
  }
}
