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
  /** Codes that were added; the first of each attribute by name. */
  readonly codes: readonly {
    readonly attributeId: string
    readonly count: number
    readonly values: readonly string[]
  }[]
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
  /** Keeps the ids of the rows where a series gives them; for administrators. */
  readonly keepIds?: boolean | undefined
  /** Attributes whose missing codes are added. */
  readonly addCodes?: readonly string[] | undefined
  /** YAML: headings and the properties that they mean, constants, expressions. */
  readonly map?: string | undefined
  /** Files with the items of lists of the records, each with the key of its record, such as `{ lines }` of orders. */
  readonly lists?: Readonly<Record<string, Blob>> | undefined
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
    send: async (collection, rows, given = {}) => {
      const { update, readWith, keepIds, addCodes, map, lists, onProgress, ...options } = given
      const answer = await transport.send({
        ...options,
        method: 'POST',
        path: `/v1${pathTo(collection)}/batch`,
        query: { update, keepIds, addCodes: addCodes?.join(','), ...readWith },
        repeatableBody: map === undefined && !lists ? bodyOf(rows, onProgress) : formOf(rows, given),
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

type Rows = Iterable<object> | string | Blob

function bodyOf(rows: Rows, onProgress: RowUpload['onProgress']): RepeatableBody {
  const file = fileOf(rows)
  return uploadBody(file, file.type || 'text/csv', onProgress)
}

function fileOf(rows: Rows): Blob {
  if (typeof rows === 'string') return new Blob([rows], { type: 'text/csv' })
  if (rows instanceof Blob) return rows
  const lines: string[] = []
  for (const row of rows) lines.push(`${JSON.stringify(row)}\n`)
  return new Blob(lines, { type: 'application/x-ndjson' })
}

/** A form of parts that are not copied: a `Blob` in a file is never in memory as a whole. */
function formOf(rows: Rows, { map, lists = {}, onProgress }: RowUpload): RepeatableBody {
  const boundary = crypto.randomUUID()
  const files = [['rows', fileOf(rows)] as const, ...Object.entries(lists)]
  if (map !== undefined) files.push(['map', new Blob([map], { type: 'application/yaml' })])
  const parts = files.flatMap(([name, file]) => {
    const field = encodeURIComponent(name)
    const disposition = `Content-Disposition: form-data; name="${field}"; filename="${field}"`
    return [`--${boundary}\r\n${disposition}\r\nContent-Type: ${file.type || 'text/csv'}\r\n\r\n`, file, '\r\n']
  })
  const form = new Blob([...parts, `--${boundary}--\r\n`])
  return uploadBody(form, `multipart/form-data; boundary=${boundary}`, onProgress)
}
