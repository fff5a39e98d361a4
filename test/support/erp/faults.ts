// What goes wrong, by chance from a seed or when a test orders it.
import { fractions } from './random.ts'

/**
 * What happens to a request: it is refused (429, 500, 503), comes to a server that has no such path (404), is not heard
 * (`refused`), done without an answer (`lost`), answered slowly, answered until the connection breaks (`cut`), or
 * answered with half a JSON text (`truncated`).
 */
export type Fault = '404' | '429' | '500' | '503' | 'refused' | 'lost' | 'slow' | 'cut' | 'truncated'

export class Faults {
  readonly #next: () => number
  readonly #ordered: { fault: Fault; times: number; target: RegExp }[] = []
  /** How often by chance, from 0 to 1. */
  shares: Partial<Record<Fault, number>> = {}
  slowMs = 2000
  /** Collections answer 500 when more rows than these are to be answered. */
  mostRows = Number.POSITIVE_INFINITY
  /** Whether nobody can be reached at all. */
  isAway = false
  /** How many there have been. */
  readonly count: Partial<Record<Fault, number>> = {}

  constructor(seed: number) {
    this.#next = fractions(seed)
  }

  /** Orders a fault for the next requests, of all or of those whose method and path are such. */
  order(fault: Fault, times = 1, target = /^/): void {
    this.#ordered.push({ fault, times, target })
  }

  /** Takes back what was ordered and has not happened. */
  clear(): void {
    this.#ordered.length = 0
  }

  /** The fault of a request, if it has one. */
  of(method: string, target: string): Fault | undefined {
    const fault = this.#orderedFor(`${method} ${target}`) ?? this.#byChance()
    if (fault) this.count[fault] = (this.count[fault] ?? 0) + 1
    return fault
  }

  #orderedFor(target: string): Fault | undefined {
    const ordered = this.#ordered.find((one) => one.times > 0 && one.target.test(target))
    if (ordered) ordered.times -= 1
    return ordered?.fault
  }

  #byChance(): Fault | undefined {
    let share = this.#next()
    for (const [fault, of] of Object.entries(this.shares)) {
      share -= of
      if (share < 0) return fault as Fault
    }
    return undefined
  }
}
