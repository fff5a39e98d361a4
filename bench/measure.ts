// One cell of the table: a workload against a subject for some seconds, with 32 connections.
import autocannon from 'autocannon'
import { SERVED } from './cast.ts'
import type { Subject } from './subject.ts'
import type { Workload } from './workloads/workload.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2

export interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the subject for one request, in microseconds. */
  readonly processorMicros: number
  /** Cores that the subject kept busy. Well below 1, it waited for the disk or for the load generator. */
  readonly cores: number
}

/** Throws when a response is not a success: fast rejections must not count. */
export async function measure(
  subject: Subject,
  workload: Workload,
  token: string,
  seconds: number,
  warmUpSeconds = WARM_UP_SECONDS,
): Promise<Measured> {
  requireSuccess(subject, workload, await load(subject, workload, token, warmUpSeconds))
  const before = { processor: subject.processorSeconds(), at: performance.now() }
  const result = await load(subject, workload, token, seconds)
  const elapsed = (performance.now() - before.at) / 1000
  const spent = subject.processorSeconds() - before.processor
  requireSuccess(subject, workload, result)
  if (result.requests.total === 0) throw new Error(`${subject.name}, ${workload.name}: no answer in ${seconds} s`)
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    processorMicros: (spent / result.requests.total) * 1_000_000,
    cores: spent / elapsed,
  }
}

function requireSuccess(subject: Subject, workload: Workload, result: autocannon.Result): void {
  const { errors, requests, non2xx } = result
  const wanted = workload.status
  const others = wanted === undefined ? non2xx : requests.total - (result.statusCodeStats?.[`${wanted}`]?.count ?? 0)
  if (others === 0 && errors === 0) return
  const found = `${others} other answers and ${errors} errors in ${requests.total} answers`
  throw new Error(`${subject.name}, ${workload.name}: ${found}`)
}

/** All requests of a workload have one method. */
type ParsingClient = autocannon.Client & { readonly parser: { body_bytes: number | null } }

function load(subject: Subject, workload: Workload, token: string, duration: number): Promise<autocannon.Result> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const side = subject.name === SERVED ? 'service' : 'floor'
  let isHead = false
  return autocannon({
    url: subject.address,
    connections: workload.connections ?? CONNECTIONS,
    duration,
    // Its parser does not know the method: without this it waits for the body that a HEAD without a length never has.
    setupClient: (client) => {
      client.on('headers', () => {
        if (isHead) (client as ParsingClient).parser.body_bytes = 0
      })
    },
    requests: [
      {
        setupRequest: (request) => {
          const sent = workload.next()[side]
          isHead = sent.method === 'HEAD'
          return { ...request, ...sent, headers: { ...headers, ...sent.headers } }
        },
      },
    ],
  })
}
