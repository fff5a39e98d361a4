// Many requests in one (`POST /v1/batch`).
import type { Transport, WriteOptions } from '../http/request.ts'

export interface BatchRequest {
  /** Once in the batch; later operations refer to it. */
  readonly id: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** From the root of the service, or `$1` for the record of operation 1. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly dependsOn?: readonly string[]
  /** Operations with the same group are all done or none. */
  readonly atomicityGroup?: string
}

export interface BatchResponse {
  readonly id: string
  readonly atomicityGroup?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface BatchOptions extends WriteOptions {
  /** Goes on behind an operation that has failed. */
  readonly continueOnError?: boolean | undefined
}

/** The answers in the order of the requests, whatever has become of each. */
export async function sendBatch(
  transport: Transport,
  requests: readonly BatchRequest[],
  { continueOnError = false, ...options }: BatchOptions = {},
): Promise<readonly BatchResponse[]> {
  const headers: Record<string, string> = continueOnError ? { prefer: 'continue-on-error' } : {}
  const answer = await transport.send({ ...options, method: 'POST', path: '/v1/batch', headers, body: { requests } })
  const { responses } = (await answer.json()) as { readonly responses: readonly BatchResponse[] }
  const writes = new Map(requests.filter(isWrite).map((request) => [request.id, request]))
  for (const { id, headers: answered } of responses) {
    const operation = writes.get(id)
    if (operation) transport.wroteInBatch(operation, answered)
  }
  return responses
}

function isWrite({ method }: BatchRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
