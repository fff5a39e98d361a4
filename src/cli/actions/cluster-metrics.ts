// Collects the metrics of all workers for the worker that serves the request. The primary process only relays requests
// and replies. A worker that does not reply in time is left out.
import cluster from 'node:cluster'
import type { MetricRows } from '../../observe/metrics.ts'

/** Well below 10 s, the default scrape timeout of Prometheus. */
const TIMEOUT_MS = 1_000

/** Sent by the requesting worker to the primary, which forwards it to all workers, including the sender. */
interface MetricsRequest {
  /** Id of the requesting worker. */
  readonly metricsRequestedBy: number
  readonly requestNo: number
  /** Number of workers that receive the request. */
  readonly workerCount: number
}

/** Sent by each worker to the primary, which forwards it to the requesting worker. */
interface MetricsReply extends MetricsRequest {
  readonly metrics: MetricRows
}

/** In the primary process: relays requests and replies between the workers. */
export function relayMetrics(): void {
  cluster.on('message', (_worker, message: Partial<MetricsReply>) => {
    if (message.metricsRequestedBy === undefined) return
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    if (message.metrics !== undefined) cluster.workers?.[message.metricsRequestedBy]?.send(message)
    else for (const worker of workers) worker?.send({ ...message, workerCount: workers.length })
  })
}

/** In a worker: replies to requests, and returns a function that collects the metrics of all workers. */
export function gatherMetrics(collectLocal: () => Promise<MetricRows>): () => Promise<readonly MetricRows[]> {
  const id = cluster.worker?.id ?? 0
  const waiting = new Map<number, (reply: MetricsReply) => void>()
  let requests = 0
  process.on('message', (message: Partial<MetricsReply> & MetricsRequest) => {
    if (message.metricsRequestedBy === undefined) return
    if (message.metrics !== undefined) waiting.get(message.requestNo)?.(message as MetricsReply)
    else collectLocal().then((metrics) => process.send?.({ ...message, metrics }))
  })
  return () =>
    new Promise((resolve) => {
      const requestNo = ++requests
      const gathered: MetricRows[] = []
      const finish = (): void => {
        clearTimeout(timer)
        waiting.delete(requestNo)
        resolve(gathered)
      }
      const timer = setTimeout(finish, TIMEOUT_MS)
      waiting.set(requestNo, ({ metrics, workerCount }) => {
        gathered.push(metrics)
        if (gathered.length === workerCount) finish()
      })
      process.send?.({ metricsRequestedBy: id, requestNo, workerCount: 0 } satisfies MetricsRequest)
    })
}
