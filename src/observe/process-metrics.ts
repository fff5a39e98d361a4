// The metrics of the process, which all parts of it share.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { collectDefaultMetrics } from 'prom-client'
import { MetricRegistry } from './metric-registry.ts'

/** Sampling at this interval has no measurable cost. */
const RESOLUTION_MS = 20
const SECONDS_PER_NANOSECOND = 1e-9
/** prom-client averages these over processes, and one that is blocked would not be noticed. */
const AVERAGED = /^nodejs_eventloop_lag/

let registry: MetricRegistry | undefined

/** The same registry each time: prom-client never stops measuring. */
export function processMetrics(): MetricRegistry {
  if (registry) return registry
  registry = new MetricRegistry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 })
  for (const { name } of registry.getMetricsAsArray()) if (AVERAGED.test(name)) registry.removeSingleMetric(name)
  measureEventLoop(registry)
  return registry
}

function measureEventLoop(registry: MetricRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds * SECONDS_PER_NANOSECOND - RESOLUTION_MS / 1000)
  const lag = () => {
    const quantiles = { 0.5: seconds(delay.percentile(50)), 0.99: seconds(delay.percentile(99)), 1: seconds(delay.max) }
    delay.reset()
    return quantiles
  }
  const lagHelp = 'Delay of the event loop since the last scrape; of several processes the longest.'
  registry.gauges('nodejs_eventloop_lag_seconds', lagHelp, 'quantile', lag, 'max')
  let last = performance.eventLoopUtilization()
  const utilization = () => {
    const previous = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, previous).utilization
  }
  const help =
    'Share of the time since the last scrape in which the event loop was busy; of several processes the highest.'
  registry.gauge('nodejs_eventloop_utilization', help, utilization, 'max')
}
