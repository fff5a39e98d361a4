// What the process itself tells: its memory, its time, and how late its event loop is. Under the names that dashboards know.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** A look every so often costs nothing that could be measured. */
const LOOK_MS = 20
const NANO = 1e-9

export class ProcessFigures {
  readonly #delay = monitorEventLoopDelay({ resolution: LOOK_MS })
  #busySince = performance.eventLoopUtilization()

  constructor() {
    this.#delay.enable()
  }

  /** Of the time since the last look: how late the event loop was beyond its own rhythm, and which part of it was work. */
  eventLoop(): { readonly p50: number; readonly p99: number; readonly most: number; readonly busy: number } {
    const late = (nanoseconds: number) => Math.max(0, nanoseconds * NANO - LOOK_MS / 1000)
    const delay = this.#delay
    const seen = delay.count > 0
    const now = performance.eventLoopUtilization()
    const figures = {
      p50: seen ? late(delay.percentile(50)) : 0,
      p99: seen ? late(delay.percentile(99)) : 0,
      most: seen ? late(delay.max) : 0,
      busy: performance.eventLoopUtilization(now, this.#busySince).utilization,
    }
    delay.reset()
    this.#busySince = now
    return figures
  }

  cpuSeconds(): number {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }

  stop(): void {
    this.#delay.disable()
  }
}
