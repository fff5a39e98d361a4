// A registry of prom-client that creates its metrics.
import { type Aggregator, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** In seconds: from the duration of a cached read to one beyond any client's patience. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export class MetricRegistry extends Registry {
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this] })
  }

  /** Observes durations in seconds. */
  durations<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers: [this] })
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
