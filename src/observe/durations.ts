// How long things of one kind take, as a histogram. Adding one costs some nanoseconds, so that the busiest path can.

/** From what a cached read takes to what nobody waits for any more. */
export const BOUNDS_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

export class Durations {
  /** How many were at most as long as each bound and longer than the one before; at the end, those beyond all. */
  readonly counts: number[] = new Array(BOUNDS_SECONDS.length + 1).fill(0)
  sumSeconds = 0

  add(ms: number): void {
    const seconds = ms / 1000
    let at = 0
    while (at < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[at] as number)) at++
    this.counts[at] = (this.counts[at] as number) + 1
    this.sumSeconds += seconds
  }
}
