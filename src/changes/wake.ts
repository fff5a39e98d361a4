// Wakes those who wait for changes of a company. They hold nothing while they wait: no session of the database, no
// reader, no slot of a queue.
import type { NewestEntries } from '../store/newest-entries.ts'

/** How many are woken in one turn of the event loop, so that writes and their answers come in between. */
const WOKEN_AT_ONCE = 32

/** Listens from its creation on, so that it misses no change between a read and the wait after it. */
export interface ChangeListener extends Disposable {
  /**
   * Resolves when the company has an entry after this one, when `ms` have passed, when `signal` is aborted, or when
   * everybody is woken. Returns the number of the newest entry that it has heard of.
   */
  after(entryNo: number, ms: number, signal?: AbortSignal): Promise<number>
}

export class ChangeSignals {
  readonly #newest: NewestEntries
  readonly #companies = new Map<string, CompanySignals>()

  constructor(newest: NewestEntries) {
    this.#newest = newest
  }

  /** Ends when it is disposed of. */
  listen(companyId: string): ChangeListener {
    const company = this.#companies.get(companyId) ?? this.#add(companyId)
    const waiter = new Waiter(company.newest)
    company.waiters.add(waiter)
    return {
      after: (entryNo, ms, signal) => waiter.after(entryNo, ms, signal),
      [Symbol.dispose]: () => {
        waiter.call()
        company.waiters.delete(waiter)
        if (company.waiters.size > 0 || this.#companies.get(companyId) !== company) return
        this.#companies.delete(companyId)
        company.stop()
      },
    }
  }

  /** As `ChangeListener.after`, for a reader that may hear of a change a moment later. */
  async waitFor(companyId: string, entryNo: number, ms: number, signal?: AbortSignal): Promise<void> {
    using listening = this.listen(companyId)
    await listening.after(entryNo, ms, signal)
  }

  /** Ends all waits, whatever they wait for, and the next ones of those who read just now. */
  wakeAll(): void {
    for (const { waiters } of this.#companies.values()) for (const waiter of waiters) waiter.call()
  }

  #add(companyId: string): CompanySignals {
    const company = new CompanySignals((tell) => this.#newest.listen(companyId, tell))
    this.#companies.set(companyId, company)
    return company
  }
}

/** The waiters of one company, woken by one signal. */
class CompanySignals {
  readonly waiters = new Set<Waiter>()
  readonly stop: () => void
  /** The last entry that is known of. */
  newest = 0
  /** Those that the last signals have not reached yet, the longest first. */
  readonly #unreached = new Set<Waiter>()

  constructor(listen: (tell: (entryNo: number) => void) => () => void) {
    this.stop = listen((entryNo) => this.#told(entryNo))
  }

  #told(entryNo: number): void {
    if (entryNo <= this.newest) return
    this.newest = entryNo
    const isUnderWay = this.#unreached.size > 0
    for (const waiter of this.waiters) this.#unreached.add(waiter)
    // Not now: those whose writes were committed are answered first.
    if (!isUnderWay && this.#unreached.size > 0) setImmediate(this.#wakeSome)
  }

  readonly #wakeSome = (): void => {
    for (const waiter of this.#unreached.values().take(WOKEN_AT_ONCE)) {
      this.#unreached.delete(waiter)
      waiter.told(this.newest)
    }
    if (this.#unreached.size > 0) setImmediate(this.#wakeSome)
  }
}

class Waiter {
  #newest: number
  #seen = 0
  #wake: (() => void) | undefined
  /** Everybody was woken while this one did not wait, but read: what it read may be older. */
  #isCalled = false

  constructor(newest: number) {
    this.#newest = newest
  }

  after(entryNo: number, ms: number, signal?: AbortSignal): Promise<number> {
    const isDue = this.#newest > entryNo || this.#isCalled || signal?.aborted
    this.#isCalled = false
    if (isDue) return Promise.resolve(this.#newest)
    this.#seen = entryNo
    return new Promise((resolve) => {
      const wake = () => {
        this.#wake = undefined
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve(this.#newest)
      }
      // Node keeps timers of the same length in one list, so many cost as much as one.
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake)
      this.#wake = wake
    })
  }

  told(entryNo: number): void {
    this.#newest = entryNo
    if (entryNo > this.#seen) this.#wake?.()
  }

  call(): void {
    if (this.#wake) this.#wake()
    else this.#isCalled = true
  }
}
