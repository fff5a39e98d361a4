// How much was asked for: for the quotas of the ERP, and for tests to look at.

/** A sum over the time that has just passed. It remembers the most that it ever was. */
export class SlidingSum {
  readonly windowMs: number
  readonly #times: number[] = []
  readonly #amounts: number[] = []
  #first = 0
  #sum = 0
  peak = 0

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  add(now: number, amount: number): void {
    this.at(now)
    this.#times.push(now)
    this.#amounts.push(amount)
    this.#sum += amount
    this.peak = Math.max(this.peak, this.#sum)
  }

  at(now: number): number {
    while (this.#first < this.#times.length && this.#times[this.#first]! <= now - this.windowMs) {
      this.#sum -= this.#amounts[this.#first++]!
    }
    if (this.#first > 10_000) {
      this.#times.splice(0, this.#first)
      this.#amounts.splice(0, this.#first)
      this.#first = 0
    }
    return this.#sum
  }

  /** How long it takes until the sum is below a limit. */
  msUntilBelow(now: number, limit: number): number {
    let sum = this.at(now)
    for (let at = this.#first; at < this.#times.length; at++) {
      sum -= this.#amounts[at]!
      if (sum < limit) return this.#times[at]! + this.windowMs - now
    }
    return 0
  }
}

export interface Quotas {
  readonly requests: number
  readonly requestsMs: number
  readonly bytes: number
  readonly bytesMs: number
}

export const USUAL_QUOTAS: Quotas = { requests: 500, requestsMs: 60_000, bytes: 635_000_000, bytesMs: 300_000 }

export interface Minute {
  requests: number
  bytes: number
  refused: number
}

export interface Answered {
  readonly method: string
  readonly target: string
  readonly status: number
}

const REMEMBERED = 1000

/** Counts what goes through the ERP; refused requests are no part of the quotas. */
export class Traffic {
  readonly requests: SlidingSum
  readonly bytes: SlidingSum
  /** By the number of minutes since 1970. */
  readonly minutes = new Map<number, Minute>()
  /** The latest answers, the last one last. */
  readonly answers: Answered[] = []
  readonly total: Minute = { requests: 0, bytes: 0, refused: 0 }

  constructor({ requestsMs, bytesMs }: Quotas) {
    this.requests = new SlidingSum(requestsMs)
    this.bytes = new SlidingSum(bytesMs)
  }

  took(now: number): void {
    this.requests.add(now, 1)
    this.#count(now, 'requests', 1)
  }

  refused(now: number): void {
    this.#count(now, 'refused', 1)
  }

  sent(now: number, bytes: number): void {
    this.bytes.add(now, bytes)
    this.#count(now, 'bytes', bytes)
  }

  answered(answer: Answered): void {
    this.answers.push(answer)
    if (this.answers.length > REMEMBERED) this.answers.shift()
  }

  #count(now: number, what: keyof Minute, amount: number): void {
    const number = Math.floor(now / 60_000)
    const minute = this.minutes.get(number) ?? { requests: 0, bytes: 0, refused: 0 }
    minute[what] += amount
    this.total[what] += amount
    this.minutes.set(number, minute)
  }
}
