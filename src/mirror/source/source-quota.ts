// What an ERP system lets all programs together ask of it, and the share of that which a mirror takes: so many requests
// in any minute, and so many bytes in any five minutes. What is under way counts until it has ended, as the source
// counts it at a moment that nobody here knows.

interface QuotaLimits {
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

/** What whoever asks the source next has to know. */
export interface KeptUse {
  /** What ended in the last five minutes, and what was under way: moments, requests and bytes. */
  readonly ended: readonly (readonly [at: number, requests: number, bytes: number])[]
  /** So much may be asked for before it is kept again. */
  readonly ahead: Ahead
}

interface Ahead {
  readonly requests: number
  readonly bytes: number
}

const MINUTE_MS = 60_000
const BYTES_MS = 5 * MINUTE_MS
/** For what is under way to end. */
const LOOK_AGAIN_MS = 1_000
/** Left for those who wait for an answer. */
const URGENT_SHARE = 0.1

/** What is asked for is kept before, for as many requests, and such a share of the bytes: not for each by itself. */
const REQUESTS_AHEAD = 10
const SHARE_AHEAD = 1 / 20
const NOTHING: Ahead = { requests: 0, bytes: 0 }
const SECOND_MS = 1_000

/** The requests that ended in one second. */
interface Ended {
  /** When the last one of them did. */
  at: number
  requests: number
  bytes: number
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
  /** What may be asked for before it is kept; undefined: nobody keeps it. */
  #ahead: Ahead | undefined
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
    if (this.#ahead) this.#ahead = { requests: this.#ahead.requests - 1, bytes: this.#ahead.bytes - expected }
    return taken
  }

  /** The request has got its answer, or none. */
  end(taken: Taken, now: number): void {
    if (this.#underWay.delete(taken)) this.#add({ at: now, requests: 1, bytes: taken.bytes })
  }

  #add({ at, requests, bytes }: Ended): void {
    const last = this.#ended.at(-1)
    if (!last || !isSameSecond(last.at, at)) this.#ended.push({ at, requests, bytes })
    else Object.assign(last, { at, requests: last.requests + requests, bytes: last.bytes + bytes })
  }

  /** Whether what is used has to be kept before a request is sent. */
  isToKeep(expected = 0): boolean {
    return this.#ahead !== undefined && (this.#ahead.requests < 1 || this.#ahead.bytes < expected)
  }

  /** What is to be kept now. Nothing may be asked for until it is. `expected`: bytes of the next answer. */
  keep(now: number, expected: number): KeptUse {
    this.#ahead = NOTHING
    const bytes = Math.max(Math.floor(this.#bytes * SHARE_AHEAD), expected)
    return this.#kept(now, { requests: REQUESTS_AHEAD, bytes })
  }

  /** It is kept that so much more may be asked for. */
  allow({ requests, bytes }: Ahead): void {
    if (this.#ahead) this.#ahead = { requests: this.#ahead.requests + requests, bytes: this.#ahead.bytes + bytes }
  }

  /** What is used is not kept any more. */
  keepLast(now: number): KeptUse {
    this.#ahead = undefined
    return this.#kept(now, NOTHING)
  }

  #kept(now: number, ahead: Ahead): KeptUse {
    this.#forget(now)
    const ended = this.#ended.map(({ at, requests, bytes }) => [at, requests, bytes] as const)
    const underWay = [...this.#underWay].map(({ bytes, expected }) => [now, 1, Math.max(bytes, expected)] as const)
    return { ended: [...ended, ...underWay], ahead }
  }

  /** Counts what another process has used, or this one before: what was not kept by then may have been asked for. */
  restore({ ended, ahead }: KeptUse, now: number): void {
    const before = [...this.#ended]
    for (const [at, requests, bytes] of ended) {
      const own = before.find((one) => isSameSecond(one.at, at))
      if (!own) this.#ended.push({ at: Math.min(at, now), requests, bytes })
      else Object.assign(own, { requests: Math.max(own.requests, requests), bytes: Math.max(own.bytes, bytes) })
    }
    this.#ended.sort((one, other) => one.at - other.at)
    if (ahead.requests > 0) this.#add({ at: now, ...ahead })
  }

  /** The source wants no request for as long. */
  close(now: number, ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, now + ms)
  }

  used(now: number): QuotaUse {
    this.#forget(now)
    return {
      requests: this.#requestsIn(now),
      requestsAllowed: this.#requests,
      bytes: this.#sum(({ bytes }) => bytes),
      bytesAllowed: this.#bytes,
    }
  }

  #requestWait(now: number, isUrgent: boolean): number {
    const most = isUrgent ? this.#requests : this.#requests - Math.floor(this.#requests * URGENT_SHARE)
    let over = this.#requestsIn(now) - most
    if (over < 0) return 0
    for (const { at, requests } of this.#lastMinute(now)) {
      over -= requests
      if (over < 0) return at + MINUTE_MS - now
    }
    return LOOK_AGAIN_MS
  }

  #requestsIn(now: number): number {
    return this.#lastMinute(now).reduce((sum, { requests }) => sum + requests, this.#underWay.size)
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

function isSameSecond(one: number, other: number): boolean {
  return Math.floor(one / SECOND_MS) === Math.floor(other / SECOND_MS)
}
