// What an ERP system lets all programs together ask of it, and the share of that which a mirror takes: so many requests
// in any minute, and so many bytes in any five minutes. What is under way counts until it has ended, as the source
// counts it at a moment that nobody here knows.

export interface QuotaLimits {
  readonly requestsPerMinute: number
  readonly bytesPerFiveMinutes: number
  /** Between 0 and 1. */
  readonly share: number
}

/** What was used of the share: requests in the last minute, and bytes in the last five. */
export interface QuotaUse {
  readonly requests: number
  readonly requestsAllowed: number
  readonly bytes: number
  readonly bytesAllowed: number
}

const MINUTE_MS = 60_000
const BYTES_MS = 5 * MINUTE_MS
/** For what is under way to end. */
const LOOK_AGAIN_MS = 1_000
/** Left for those who wait for an answer. */
const URGENT_SHARE = 0.1

interface Ended {
  readonly at: number
  readonly bytes: number
}

/** A request under way. */
export interface Taken {
  /** That have come. */
  bytes: number
  /** That may come. */
  readonly expected: number
}

export class SourceQuota {
  readonly #requests: number
  readonly #bytes: number
  readonly #underWay = new Set<Taken>()
  /** Those that ended in the last five minutes, oldest first. */
  readonly #ended: Ended[] = []
  /** The source has said that nothing is left before this moment. */
  #closedUntil = 0

  constructor({ requestsPerMinute, bytesPerFiveMinutes, share }: QuotaLimits) {
    this.#requests = Math.max(1, Math.floor(requestsPerMinute * share))
    this.#bytes = Math.floor(bytesPerFiveMinutes * share)
  }

  /** So many bytes of answers are allowed in five minutes. */
  get bytesAllowed(): number {
    return this.#bytes
  }

  /** How long a request must wait, in milliseconds; 0: it may be sent now. */
  waitMs(now: number, { expected = 0, isUrgent = false } = {}): number {
    this.#forget(now)
    return Math.max(0, this.#closedUntil - now, this.#requestWait(now, isUrgent), this.#byteWait(now, expected))
  }

  /** A request is sent. Its answer adds its bytes. */
  take(expected = 0): Taken {
    const taken = { bytes: 0, expected }
    this.#underWay.add(taken)
    return taken
  }

  /** The request has got its answer, or none. */
  end(taken: Taken, now: number): void {
    if (this.#underWay.delete(taken)) this.#ended.push({ at: now, bytes: taken.bytes })
  }

  /** The source wants no request for as long. */
  close(now: number, ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, now + ms)
  }

  used(now: number): QuotaUse {
    this.#forget(now)
    return {
      requests: this.#underWay.size + this.#lastMinute(now).length,
      requestsAllowed: this.#requests,
      bytes: this.#sum(({ bytes }) => bytes),
      bytesAllowed: this.#bytes,
    }
  }

  #requestWait(now: number, isUrgent: boolean): number {
    const most = isUrgent ? this.#requests : this.#requests - Math.floor(this.#requests * URGENT_SHARE)
    const ended = this.#lastMinute(now)
    const over = ended.length + this.#underWay.size - most
    if (over < 0) return 0
    const freeing = ended[over]
    return freeing ? freeing.at + MINUTE_MS - now : LOOK_AGAIN_MS
  }

  /** Until enough of the oldest answers have left the window. An answer that is larger than the share comes alone. */
  #byteWait(now: number, expected: number): number {
    let sum = this.#sum((taken) => Math.max(taken.bytes, taken.expected))
    const room = Math.max(this.#bytes - expected, 0)
    if (sum <= room) return 0
    for (const { at, bytes } of this.#ended) {
      sum -= bytes
      if (sum <= room) return at + BYTES_MS - now
    }
    return LOOK_AGAIN_MS
  }

  #sum(ofTaken: (taken: Taken) => number): number {
    const ended = this.#ended.reduce((sum, { bytes }) => sum + bytes, 0)
    return [...this.#underWay].reduce((sum, taken) => sum + ofTaken(taken), ended)
  }

  #lastMinute(now: number): Ended[] {
    return this.#ended.filter(({ at }) => at > now - MINUTE_MS)
  }

  #forget(now: number): void {
    const kept = this.#ended.findIndex(({ at }) => at > now - BYTES_MS)
    this.#ended.splice(0, kept < 0 ? this.#ended.length : kept)
  }
}
