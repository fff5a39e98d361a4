// Measures the CPU time and the event loop of the process.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** Sampling at this interval has no measurable cost. */
const RESOLUTION_MS = 20
const SECONDS_PER_NANOSECOND = 1e-9

export class ProcessMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #busySince = performance.eventLoopUtilization()

  constructor() {
    this.#delay.enable()
  }

  /** Since the last call: the delay of the event loop in seconds, and the share of time in which it was busy. */
  eventLoop(): { readonly p50: number; readonly p99: number; readonly max: number; readonly busy: number } {
    const delaySeconds = (nanoseconds: number) =>
      Math.max(0, nanoseconds * SECONDS_PER_NANOSECOND - RESOLUTION_MS / 1000)
    const delay = this.#delay
    const hasSamples = delay.count > 0
    const now = performance.eventLoopUtilization()
    const measured = {
      p50: hasSamples ? delaySeconds(delay.percentile(50)) : 0,
      p99: hasSamples ? delaySeconds(delay.percentile(99)) : 0,
      max: hasSamples ? delaySeconds(delay.max) : 0,
      busy: performance.eventLoopUtilization(now, this.#busySince).utilization,
    }
    delay.reset()
    this.#busySince = now
    return measured
  }

  cpuSeconds(): number {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }

  stop(): void {
    this.#delay.disable()
  }
}
