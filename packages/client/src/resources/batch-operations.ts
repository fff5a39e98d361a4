// Batch operations: rows that the service stores in the background.
import { pathTo } from '../http/address.ts'
import type { CallOptions, RepeatableBody, Transport, WriteOptions } from '../http/request.ts'
import type { Surroundings } from '../http/surroundings.ts'
import { uploadBody } from '../http/upload-body.ts'

export type OperationStatus = 'N' | 'W' | 'C' | 'T' | 'E' | 'K'

export interface BatchOperation {
  readonly id: string
  readonly document: string
  /** N new, W working, C completed, T terminated, E ended with an error, K cancelled. */
  readonly status: OperationStatus
  readonly message: string
  readonly line: number
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  readonly bytes: number
  readonly createdAt: string
  readonly endedAt: string
}

/** A row that was rejected. */
export interface RejectedRow {
  readonly row: number
  readonly key: string
  readonly findings: readonly { readonly code: number; readonly message: string; readonly field?: string }[]
}

export interface RowUpload extends WriteOptions {
  /** Changes records that exist, instead of rejecting their rows. */
  readonly update?: boolean | undefined
  /** How a CSV text is to be read, where the service cannot find it: `separator`, `encoding`, `decimal`, `dates`. */
  readonly readWith?: Readonly<Record<string, string>> | undefined
  readonly onProgress?: ((sentBytes: number, allBytes: number) => void) | undefined
}

export interface WaitOptions extends CallOptions {
  readonly onProgress?: ((operation: BatchOperation) => void) | undefined
  /** Between two looks; one second by default. */
  readonly pollMs?: number | undefined
}

export interface BatchOperations {
  /** Sends objects, or a CSV text with a line of names first. */
  send(collection: string, rows: Iterable<object> | string | Blob, options?: RowUpload): Promise<BatchOperation>
  get(id: string, options?: CallOptions): Promise<BatchOperation>
  list(options?: CallOptions & { readonly limit?: number }): Promise<readonly BatchOperation[]>
  /** Ends when the operation has ended, however that was. */
  wait(id: string, options?: WaitOptions): Promise<BatchOperation>
  /** The rejected rows that the service keeps, page by page. */
  results(id: string, options?: CallOptions & { readonly pageSize?: number }): AsyncGenerator<RejectedRow, void>
  /** What is stored stays. */
  cancel(id: string, options?: WriteOptions): Promise<void>
}

const COLLECTION = '/v1/batch-operations'
const POLL_MS = 1_000
const PAGE_SIZE = 1_000

export function batchOperationsOf(transport: Transport, { sleep }: Surroundings): BatchOperations {
  const get = async (id: string, options: CallOptions = {}) => {
    const answer = await transport.send({ ...options, path: `${COLLECTION}${pathTo(id)}/status` })
    return (await answer.json()) as BatchOperation
  }
  return {
    get,
    send: async (collection, rows, { update, readWith, onProgress, ...options } = {}) => {
      const answer = await transport.send({
        ...options,
        method: 'POST',
        path: `/v1${pathTo(collection)}/batch`,
        query: { update, ...readWith },
        repeatableBody: bodyOf(rows, onProgress),
      })
      return (await answer.json()) as BatchOperation
    },
    list: async ({ limit, ...options } = {}) => {
      const answer = await transport.send({ ...options, path: COLLECTION, query: { limit } })
      return (await answer.json()) as BatchOperation[]
    },
    wait: async (id, { onProgress, pollMs = POLL_MS, ...options } = {}) => {
      while (true) {
        const operation = await get(id, options)
        onProgress?.(operation)
        if (operation.status !== 'N' && operation.status !== 'W') return operation
        await sleep(pollMs, options.signal ?? new AbortController().signal)
      }
    },
    results: (id, options) => resultsOf(transport, `${COLLECTION}${pathTo(id)}/results`, options),
    cancel: async (id, options = {}) => {
      await transport.send({ ...options, method: 'DELETE', path: COLLECTION + pathTo(id) })
    },
  }
}

async function* resultsOf(
  transport: Transport,
  path: string,
  { pageSize = PAGE_SIZE, ...options }: CallOptions & { readonly pageSize?: number } = {},
): AsyncGenerator<RejectedRow, void> {
  let from = 0
  while (true) {
    const answer = await transport.send({ ...options, path, query: { limit: pageSize, from } })
    const page = (await answer.json()) as RejectedRow[]
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    from = last.row + 1
  }
}

function bodyOf(rows: Iterable<object> | string | Blob, onProgress: RowUpload['onProgress']): RepeatableBody {
  if (typeof rows === 'string') return uploadBody(new Blob([rows]), 'text/csv', onProgress)
  if (rows instanceof Blob) return uploadBody(rows, rows.type || 'text/csv', onProgress)
  const lines: string[] = []
  for (const row of rows) lines.push(`${JSON.stringify(row)}\n`)
  return uploadBody(new Blob(lines), 'application/x-ndjson', onProgress)
}
