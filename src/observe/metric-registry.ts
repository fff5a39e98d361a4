// A registry of prom-client that creates its metrics.
import { type Aggregator, Counter, Gauge, type Histogram, Registry } from 'prom-client'

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

// Durations by their labels, as a histogram of Prometheus. They are counted in plain numbers: prom-client looks up the
// labels and the name of the bucket each time, which takes more than all else that is told of a request.

/** In seconds: from the duration of a cached read to one beyond any client's patience. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Labels<Label extends string> = Readonly<Record<Label, string>>

/** Those with the same labels. */
class Series<Label extends string> {
  readonly labels: Labels<Label>
  readonly #counts = new Array<number>(BUCKETS.length).fill(0)
  #sum = 0
  count = 0

  constructor(labels: Labels<Label>) {
    this.labels = labels
  }

  add(ms: number): void {
    const seconds = ms / 1000
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += seconds
    this.count += 1
  }

  values(name: string) {
    const { labels, count } = this
    let upTo = 0
    const buckets = BUCKETS.map((le, at) => {
      upTo += this.#counts[at] ?? 0
      return { labels: { le, ...labels }, value: upTo, metricName: `${name}_bucket` }
    })
    return [
      ...buckets,
      { labels: { le: '+Inf', ...labels }, value: count, metricName: `${name}_bucket` },
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}

/** A metric of prom-client, as its registry asks for it. */
class Durations<Label extends string> {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator: Aggregator = 'sum'
  readonly #series: { readonly series: Series<Label>; readonly isShown: boolean }[] = []

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  /** To be asked for once for the same labels; `isShown`: also while there are none. */
  of(labels: Labels<Label>, isShown = false): Pick<Series<Label>, 'add'> {
    const series = new Series(labels)
    this.#series.push({ series, isShown })
    return series
  }

  async get() {
    const { name, help, type, aggregator } = this
    const shown = this.#series.filter(({ series, isShown }) => isShown || series.count > 0)
    return { name, help, type, aggregator, values: shown.flatMap(({ series }) => series.values(name)) }
  }
}
