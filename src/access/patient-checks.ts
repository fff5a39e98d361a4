// The turns of secrets while a client is locked out at an address: few, at a steady pace, so that guessing stays slow
// and the right secret still gets through. A program that has the right one shows it again and again, while every guess
// is another secret: so the one that was shown most often comes first, and a flood of guesses does not hold it up. Who
// wants to do that must send each guess more often than the program sends its secret, and guesses all the slower.
import { lastUsed } from '../base/last-used.ts'

export const PACE_MS = 5_000
/** Processes that share a bound must not come in the same order each time. */
const JITTER = 0.5
/** In paces. */
const MAX_WAIT = 2
const MAX_WAITING = 20
/** Secrets whose showings are counted, over all clients and addresses. */
const REMEMBERED = 20_000
const REMEMBERED_MS = 5 * 60_000

interface Candidate {
  readonly shown: number
  /** Ends its wait: with a turn, or without one. */
  end(hasTurn: boolean): void
}

interface Lane {
  /** By secret, in the order of arrival. */
  readonly waiting: Map<string, Candidate>
  timer: NodeJS.Timeout | undefined
}

export class PatientChecks {
  readonly #begin: (guesser: string) => Promise<boolean>
  readonly #paceMs: number
  readonly #lanes = new Map<string, Lane>()
  readonly #shown = lastUsed<string, number>(REMEMBERED, REMEMBERED_MS)

  /** `begin`: whether a further secret of a guesser may be checked now. */
  constructor(begin: (guesser: string) => Promise<boolean>, paceMs: number) {
    this.#begin = begin
    this.#paceMs = paceMs
  }

  /** Whether the secret may be checked now, after waiting for its turn. `digest` stands for it. */
  turn(guesser: string, digest: string): Promise<boolean> {
    const key = `${guesser} ${digest}`
    const shown = (this.#shown.get(key) ?? 0) + 1
    this.#shown.set(key, shown)
    const lane = this.#lanes.get(guesser) ?? { waiting: new Map(), timer: undefined }
    this.#lanes.set(guesser, lane)
    if (!makeRoom(lane, shown)) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => candidate.end(false), MAX_WAIT * this.#paceMs).unref()
      const candidate = {
        shown,
        end: (hasTurn: boolean) => {
          clearTimeout(timer)
          lane.waiting.delete(digest)
          resolve(hasTurn)
        },
      }
      lane.waiting.set(digest, candidate)
      if (!lane.timer) this.#serve(guesser, lane)
    })
  }

  close(): void {
    for (const { waiting, timer } of this.#lanes.values()) {
      clearTimeout(timer)
      for (const candidate of [...waiting.values()]) candidate.end(false)
    }
    this.#lanes.clear()
  }

  #serve(guesser: string, lane: Lane): void {
    const pace = this.#paceMs * (1 - JITTER / 2 + JITTER * Math.random())
    lane.timer = setTimeout(() => {
      lane.timer = undefined
      if (lane.waiting.size > 0) this.#serve(guesser, lane)
      else this.#lanes.delete(guesser)
    }, pace).unref()
    this.#begin(guesser).then(
      (mayBegin) => mayBegin && mostShown(lane)?.end(true),
      // The store has failed, which is told by those who need it.
      () => {},
    )
  }
}

/** Whether there is room for a secret that was shown so often: one that was shown less gives way. */
function makeRoom(lane: Lane, shown: number): boolean {
  if (lane.waiting.size < MAX_WAITING) return true
  const least = [...lane.waiting.values()].reduce((one, other) => (other.shown < one.shown ? other : one))
  if (least.shown >= shown) return false
  least.end(false)
  return true
}

/** Several may have been shown as often: then it is the one that came first. */
function mostShown({ waiting }: Lane): Candidate | undefined {
  const [first, ...others] = waiting.values()
  return others.reduce((one, other) => (other.shown > (one?.shown ?? 0) ? other : one), first)
}
