// A histogram of durations. Adding one takes a few nanoseconds, so that even the hottest path can be measured.

/** Upper bounds of the buckets: from the duration of a cached read to one beyond any client's patience. */
export const BOUNDS_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

export class DurationHistogram {
  /** The count of each bucket, not cumulative; the last one is for durations above all bounds. */
  readonly counts: number[] = new Array(BOUNDS_SECONDS.length + 1).fill(0)
  sumSeconds = 0

  add(ms: number): void {
    const seconds = ms / 1000
    let bucket = 0
    while (bucket < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[bucket] as number)) bucket++
    this.counts[bucket] = (this.counts[bucket] as number) + 1
    this.sumSeconds += seconds
  }
}
