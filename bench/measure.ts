// One cell of the table: a workload against a subject for some seconds, with 32 connections.
import autocannon from 'autocannon'
import type { Subject } from './subject.ts'
import type { Workload } from './workloads.ts'

const CONNECTIONS = 32

export interface Measured {
  readonly perSecond: number
  readonly p99Ms: number
  /** Processor time of the subject for one request, in microseconds. */
  readonly processorMicros: number
}

/** Throws when an answer is not a success: a fast refusal is no result. */
export async function measure(subject: Subject, workload: Workload, token: string, seconds: number): Promise<Measured> {
  await load(subject, workload, token, 1)
  const before = subject.processorSeconds()
  const result = await load(subject, workload, token, seconds)
  const spent = subject.processorSeconds() - before
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${subject.name}, ${workload.name}: ${result.non2xx} refusals and ${result.errors} errors`)
  }
  return {
    perSecond: result.requests.average,
    p99Ms: result.latency.p99,
    processorMicros: (spent / result.requests.total) * 1_000_000,
  }
}

function load(subject: Subject, workload: Workload, token: string, duration: number): Promise<autocannon.Result> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return autocannon({
    url: subject.address,
    connections: CONNECTIONS,
    duration,
    requests: [{ setupRequest: (request) => ({ ...request, ...workload.next(), headers }) }],
  })
}
