// Delivers one subscription while this process holds its lease: hands changes over, and sends what is due.
import { setTimeout as delay } from 'node:timers/promises'
import { ChangesGone } from '../../changes/changes-gone.ts'
import type { FeedPage } from '../../changes/feed/feed.ts'
import { ALL_PARTS, type Position } from '../../changes/record-change.ts'
import type { ChangeListener } from '../../changes/wake.ts'
import { Problem } from '../../errors/problem.ts'
import { lastChangeNumber } from '../../store/change-number.ts'
import type { LeasedWork } from '../../store/held-leases.ts'
import { type Lease, LeaseLost } from '../../store/lease-table.ts'
import type { Actor, Store } from '../../store/store.ts'
import type { KeyedSubscription } from '../subscription.ts'
import { writeChange } from '../subscription-answer.ts'
import { findKeyed, findSigningKeys, findSubscription, updateSubscription } from '../subscription-store.ts'
import type { EndedAttempt } from './attempt-store.ts'
import type { DelivererParts } from './delivery-parts.ts'
import { countUndelivered, handOverEvents, listDue, type WaitingEvent } from './event-store.ts'
import { DELIVERY_LEASES } from './lease-store.ts'
import { eventKey, nextGroups } from './next-groups.ts'
import { NotDeliverable, ownerFeed } from './owner-feed.ts'
import { resultWriter } from './result-writer.ts'
import { FAILING_MS, sendEvents } from './send-events.ts'

/** Changes handed over at once: many enough to cost little each, few enough for one write. */
const PAGE = 200
/** One subscription has no more; then its position waits instead. */
const MAX_WAITING_EVENTS = 10_000
/** More are for somebody to look at first. */
const MAX_DEAD_LETTERS = 10_000
/** How often it is looked whether another process has changed anything. */
const LOOK_MS = 5_000
/** After an error of the store. */
const TRY_AGAIN_MS = 1_000
const GONE = 410
const SERVER_ERROR = 500

export class Deliverer implements LeasedWork {
  readonly lease: Lease
  /** Until when the lease is certain, by the monotonic clock. */
  validUntil: number
  /** Changes that are not handed over yet, and since when the oldest event waits (empty: none does). */
  lag = { changes: 0, oldest: '' }
  readonly #parts: DelivererParts
  readonly #openFeed: ReturnType<typeof ownerFeed>
  readonly #record: ReturnType<typeof resultWriter>
  /** Nothing is begun any more; what is under way may end. */
  readonly #ended = new AbortController()
  /** What is under way is given up. */
  readonly #left = new AbortController()
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Undefined: it must be read (again). */
  #keyed: KeyedSubscription | undefined
  #position: Position = { number: 0, part: 0 }
  /** As it is stored: the position itself is ahead where nothing was told. */
  #stored: Position | undefined
  #storedAt = 0
  #mayHaveMore = true
  /** The newest change that is known of. */
  #newest = 0
  #woken = Promise.withResolvers<void>()

  constructor(lease: Lease, validUntil: number, parts: DelivererParts) {
    this.lease = lease
    this.validUntil = validUntil
    this.#parts = parts
    this.#openFeed = ownerFeed(lease.companyId, parts)
    this.#record = resultWriter(lease, parts, this.#left.signal)
  }

  /** Resolves when it was stopped, the lease is lost, or the subscription is paused or deleted. */
  async run(): Promise<void> {
    using listening = this.#parts.signals.listen(this.lease.companyId)
    while (!this.#ended.signal.aborted) {
      try {
        const { nextAt, isFull } = await this.#step()
        if (!this.#mayHaveMore || isFull) await this.#rest(listening, nextAt)
      } catch (error) {
        await this.#failed(error)
      }
    }
    await Promise.all(this.#inFlight.values())
  }

  /** Somebody may have changed the subscription or its events. */
  wake(): void {
    this.#lookAgain()
    this.#woken.resolve()
  }

  /** Begins nothing any more. */
  stop(): void {
    this.#ended.abort()
    this.#woken.resolve()
  }

  /** Also gives up what is under way: whoever delivers next sends it again. */
  leave(): void {
    this.stop()
    this.#left.abort()
  }

  #lookAgain(): void {
    this.#keyed = undefined
    this.#mayHaveMore = true
  }

  /** Does what can be done now. Returns when the next event is due, and whether so many wait that the position does. */
  async #step(): Promise<{ readonly nextAt: number | undefined; readonly isFull: boolean }> {
    if (!this.#isCertain) return { nextAt: undefined, isFull: true }
    const keyed = this.#keyed ?? (await this.#load())
    this.#keyed = keyed
    const isFull = this.#mayHaveMore && (await this.#handOver(keyed))
    return { nextAt: await this.#startDue(keyed), isFull }
  }

  /** Whether no other process can have taken the lease. */
  get #isCertain(): boolean {
    return performance.now() < this.validUntil
  }

  async #load(): Promise<KeyedSubscription> {
    const { companyId, id: subscriptionId } = this.lease
    const tx = this.#parts.store.reading(companyId)
    const subscription = await findSubscription(tx, subscriptionId)
    const keys = await findSigningKeys(tx, subscriptionId)
    if (!subscription || !keys || subscription.state !== 'active' || !(await DELIVERY_LEASES.isHeld(tx, this.lease)))
      throw new LeaseLost()
    const { position } = subscription
    if (!this.#stored || !isSame(position, this.#stored)) this.#position = this.#stored = position
    return { subscription, keys }
  }

  /** Returns whether so many events wait that no more can be handed over. */
  async #handOver({ subscription }: KeyedSubscription): Promise<boolean> {
    const tx = this.#parts.store.reading(this.lease.companyId)
    const { waiting, dead, oldest } = await countUndelivered(tx, subscription.id)
    this.lag.oldest = oldest
    if (dead >= MAX_DEAD_LETTERS)
      throw new NotDeliverable(`${dead} events were given up: retry them, or subscribe anew.`)
    const room = Math.min(PAGE, MAX_WAITING_EVENTS - waiting)
    if (room <= 0) return true
    const feed = await this.#openFeed(subscription)
    const page = await feed.read(this.#position, room).catch((error) => this.#startOver(error))
    if (!page) return false
    this.#mayHaveMore = !page.isAtEnd
    await this.#take(page)
    this.#newest = Math.max(this.#newest, page.last)
    this.lag.changes = Math.max(0, page.last - this.#position.number)
    return false
  }

  /** The position is stored before anything is sent: events that are not sent yet are found again among the waiting. */
  async #take({ changes, next }: Pick<FeedPage, 'changes' | 'next'>): Promise<void> {
    const isWorthIt = performance.now() - this.#storedAt > LOOK_MS && !isSame(next, this.#stored)
    if (changes.length > 0 || isWorthIt) await this.#store({ changes, next })
    else this.#position = next
  }

  async #store(page: Parameters<typeof handOverEvents>[3]): Promise<void> {
    const { store, time } = this.#parts
    const isDone = await handOverEvents(store, this.lease, this.#stored ?? this.#position, page, time.clock())
    if (!isDone) return this.#lookAgain()
    this.#position = this.#stored = page.next
    this.#storedAt = performance.now()
  }

  /** Not all changes after the position are known any more: the receiver is told to load the records again. */
  async #startOver(error: unknown): Promise<undefined> {
    if (!(error instanceof ChangesGone)) throw error
    const { companyId } = this.lease
    const number = await lastChangeNumber(this.#parts.store.reading(companyId))
    if (this.#position.number >= number) throw error
    // No change has this part.
    const advice = { entity: '', recordKey: '', position: { number, part: -1 } }
    await this.#store({ changes: [advice], next: { number, part: ALL_PARTS } })
  }

  async #startDue(keyed: KeyedSubscription): Promise<number | undefined> {
    const { companyId, id: subscriptionId } = this.lease
    const { batch } = keyed.subscription.definition
    const read = (limit: number) => listDue(this.#parts.store.reading(companyId), subscriptionId, limit)
    const now = this.#parts.time.clock().getTime()
    const { groups, nextAt } = await nextGroups(read, { isBatch: batch, inFlight: this.#inFlight, now })
    for (const group of groups) this.#start(keyed, group)
    return nextAt
  }

  #start(keyed: KeyedSubscription, events: readonly WaitingEvent[]): void {
    const keys = events.map(eventKey)
    const work = this.#deliver(keyed, events)
      .catch((error) => this.#failed(error))
      .finally(() => {
        for (const key of keys) this.#inFlight.delete(key)
        this.#woken.resolve()
      })
    for (const key of keys) this.#inFlight.set(key, work)
  }

  async #deliver(keyed: KeyedSubscription, events: readonly WaitingEvent[]): Promise<void> {
    const { companyId, id: subscriptionId } = this.lease
    const { slots, metrics } = this.#parts
    const release = await slots.acquire({ group: companyId, member: subscriptionId })
    const result = await (async () => {
      if (this.#ended.signal.aborted || !this.#isCertain) return undefined
      const feed = await this.#openFeed(keyed.subscription)
      return sendEvents(this.#parts, companyId, { keyed, feed }, events, this.#left.signal)
    })().finally(release)
    // What was given up is sent again by whoever delivers next.
    if (!result || (this.#left.signal.aborted && result.attempt?.outcome === 'timeout')) return
    if (result.attempt) metrics.attempted(result.attempt.outcome)
    const { failingSince, isActive } = await this.#record(result)
    if (!isActive) this.stop()
    else if (result.attempt) await this.#pauseIfUseless(result.attempt, failingSince)
  }

  async #pauseIfUseless({ status, outcome }: EndedAttempt, failingSince: string): Promise<void> {
    if (status === GONE) return this.#pause('The receiver has answered 410: it wants no more.')
    if (outcome === 'delivered' || failingSince === '') return
    const failingMs = this.#parts.time.clock().getTime() - Date.parse(failingSince)
    if (failingMs >= FAILING_MS) await this.#pause(`No delivery has succeeded since ${failingSince}.`)
  }

  async #pause(reason: string): Promise<void> {
    const { store, observe } = this.#parts
    const { companyId, id: subscriptionId } = this.lease
    if (await pauseHeld(store, this.lease, reason)) observe({ kind: 'subscription-paused', companyId, subscriptionId })
    this.stop()
  }

  async #failed(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return this.leave()
    if (error instanceof NotDeliverable) return this.#pause(error.message).catch((again) => this.#failed(again))
    if (this.#ended.signal.aborted) return
    // A store that cannot be asked now is told by those who need an answer.
    if (!(error instanceof Problem && error.status >= SERVER_ERROR))
      this.#parts.observe({
        kind: 'delivery-failed',
        companyId: this.lease.companyId,
        subscriptionId: this.lease.id,
        error,
      })
    await delay(TRY_AGAIN_MS, undefined, { signal: this.#ended.signal }).catch(() => {})
  }

  /** Until there is a change, an event is due, an attempt has ended, or it is time to look again. */
  async #rest(listening: ChangeListener, nextAt: number | undefined): Promise<void> {
    // While the position waits, changes are no reason to look.
    const newest = this.#mayHaveMore ? Number.MAX_SAFE_INTEGER : this.#newest
    const resting = new AbortController()
    const { signal } = resting
    const looks = async () => {
      await listening.after(newest, LOOK_MS, signal)
      if (!signal.aborted) this.#lookAgain()
    }
    const due = nextAt === undefined ? [] : [this.#parts.time.until(nextAt, signal)]
    await Promise.race([this.#woken.promise, looks(), ...due])
    resting.abort()
    this.#woken = Promise.withResolvers()
  }
}

function isSame(one: Position, other: Position | undefined): boolean {
  return one.number === other?.number && one.part === other.part
}

/** The service itself. */
const SERVICE: Actor = { userId: '', clientId: '', requestId: '' }

/** Pauses an active subscription that this process delivers; returns whether it did. */
function pauseHeld(store: Store, lease: Lease, reason: string): Promise<boolean> {
  return store.write(lease.companyId, SERVICE, async (tx) => {
    const found = await findKeyed(tx, lease.id)
    if (found?.subscription.state !== 'active' || !(await DELIVERY_LEASES.isHeld(tx, lease))) return false
    const paused = updateSubscription(tx, { ...found.subscription, state: 'paused', reason })
    writeChange(tx, lease.id, found, { ...found, subscription: paused })
    return true
  })
}
