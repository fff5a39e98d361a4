// What is measured: the same requests for every subject.
import { randomUUID } from 'node:crypto'

export const VALUES = 200_000
const DIFFERENT_REQUESTS = 2_000

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: string
}

export interface Workload {
  readonly name: string
  /** Whether the subject is also measured with one commit per request. */
  readonly writes: boolean
  /** A request as a client would send it; unlike the one before where that matters. */
  next(): BenchRequest
}

export const valueAt = (index: number): string => `V${String(index).padStart(6, '0')}`

const randomValue = (): string => valueAt(Math.floor(Math.random() * VALUES))

/** Requests made once and sent in turn, so that making them costs nothing while it is measured. */
function inTurn(make: () => BenchRequest): () => BenchRequest {
  const requests = Array.from({ length: DIFFERENT_REQUESTS }, make)
  let at = 0
  return () => requests[at++ % DIFFERENT_REQUESTS] as BenchRequest
}

const collection = (filter: string): BenchRequest => ({
  method: 'GET',
  path: `/v1/attribute-values/C1?${new URLSearchParams({ $filter: filter, $limit: '100' })}`,
})

export const WORKLOADS: readonly Workload[] = [
  {
    name: 'single GET',
    writes: false,
    next: inTurn(() => ({ method: 'GET', path: `/v1/attribute-values/C1/${randomValue()}/0` })),
  },
  {
    name: 'collection, 100 of 200,000, by key range',
    writes: false,
    next: inTurn(() =>
      collection(`attributeValue ge '${valueAt(Math.floor(Math.random() * (VALUES - 200)))}' and status eq 'N'`),
    ),
  },
  {
    name: 'collection, 100 of 200,000, by text',
    writes: false,
    next: inTurn(() => collection(`contains(description,'${Math.floor(Math.random() * 10)}') and status eq 'N'`)),
  },
  {
    name: 'POST',
    writes: true,
    next: () => ({
      method: 'POST',
      path: '/v1/attribute-values',
      body: JSON.stringify({
        attributeId: 'C3',
        attributeValue: randomUUID(),
        description: 'A new project',
        customValue: 12.5,
      }),
    }),
  },
  {
    name: 'PATCH',
    writes: true,
    next: inTurn(() => ({
      method: 'PATCH',
      path: `/v1/attribute-values/C1/${randomValue()}/0`,
      body: JSON.stringify([{ op: 'replace', path: '/description', value: `Changed ${randomUUID()}` }]),
    })),
  },
]
