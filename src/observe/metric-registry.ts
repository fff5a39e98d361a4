// A registry of prom-client that creates its metrics.
import { type Aggregator, Counter, Gauge, type Histogram, Registry } from 'prom-client'
import { Durations } from './durations.ts'

export class MetricRegistry extends Registry {
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this] })
  }

  durations<Label extends string>(name: string, help: string): Durations<Label> {
    const durations = new Durations<Label>(name, help)
    this.registerMetric(durations as unknown as Histogram)
    return durations
  }

  /** `read` is called when the metrics are scraped; `aggregator` combines the values of several processes. */
  gauge(name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): void {
    const gauge: Gauge = new Gauge({ name, help, aggregator, collect: () => gauge.set(read()), registers: [this] })
  }

  /** As `gauge`, with one value for each value of a label. */
  gauges(
    name: string,
    help: string,
    labelName: string,
    read: () => Readonly<Record<string, number>>,
    aggregator: Aggregator = 'sum',
  ): void {
    const collect = () => {
      // What is gone keeps no value.
      gauge.reset()
      for (const [label, value] of Object.entries(read())) gauge.set({ [labelName]: label }, value)
    }
    const gauge: Gauge = new Gauge({ name, help, labelNames: [labelName], aggregator, collect, registers: [this] })
  }

  /** Texts, as labels of a gauge that is always 1. */
  info(name: string, help: string, texts: Readonly<Record<string, string>>): void {
    const gauge = new Gauge({ name, help, aggregator: 'max', labelNames: Object.keys(texts), registers: [this] })
    gauge.set(texts, 1)
  }

  /** As `gauges`, for what has been counted since the start. */
  counters(name: string, help: string, labelName: string, read: () => Readonly<Record<string, number>>): void {
    const collect = () => {
      counter.reset()
      for (const [label, value] of Object.entries(read())) counter.inc({ [labelName]: label }, value)
    }
    const counter: Counter = new Counter({ name, help, labelNames: [labelName], collect, registers: [this] })
  }
}
