// What an ERP system lets all programs together ask of it, and the share of that which a mirror takes: so many requests
// in any minute, and so many bytes in any five minutes.

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

interface Taken {
  readonly at: number
  bytes: number
}

export class SourceQuota {
  readonly #requests: number
  readonly #bytes: number
  /** Of the last five minutes, oldest first. */
  readonly #taken: Taken[] = []
  /** The source has said that nothing is left before this moment. */
  #closedUntil = 0

  constructor({ requestsPerMinute, bytesPerFiveMinutes, share }: QuotaLimits) {
    this.#requests = Math.max(1, Math.floor(requestsPerMinute * share))
    this.#bytes = Math.floor(bytesPerFiveMinutes * share)
  }

  /** How long a request must wait, in milliseconds; 0: it may be sent now. */
  waitMs(now: number): number {
    this.#forget(now)
    return Math.max(0, this.#closedUntil - now, this.#requestWait(now), this.#byteWait(now))
  }

  /** A request is sent. Its answer adds its bytes. */
  take(now: number): Taken {
    const taken = { at: now, bytes: 0 }
    this.#taken.push(taken)
    return taken
  }

  /** The source wants no request for as long. */
  close(now: number, ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, now + ms)
  }

  used(now: number): QuotaUse {
    this.#forget(now)
    return {
      requests: this.#since(now - MINUTE_MS).length,
      requestsAllowed: this.#requests,
      bytes: this.#taken.reduce((sum, { bytes }) => sum + bytes, 0),
      bytesAllowed: this.#bytes,
    }
  }

  #requestWait(now: number): number {
    const recent = this.#since(now - MINUTE_MS)
    const freeing = recent[recent.length - this.#requests]
    return freeing ? freeing.at + MINUTE_MS - now : 0
  }

  /** Until enough of the oldest answers have left the window. */
  #byteWait(now: number): number {
    let over = this.#taken.reduce((sum, { bytes }) => sum + bytes, 0) - this.#bytes
    for (const { at, bytes } of this.#taken) {
      if (over < 0) return 0
      over -= bytes
      if (over < 0) return at + BYTES_MS - now
    }
    return 0
  }

  #since(moment: number): Taken[] {
    return this.#taken.filter(({ at }) => at > moment)
  }

  #forget(now: number): void {
    const kept = this.#taken.findIndex(({ at }) => at > now - BYTES_MS)
    this.#taken.splice(0, kept < 0 ? this.#taken.length : kept)
  }
}
