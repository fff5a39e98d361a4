// Records of one resource: customers, values, relations, and documents that a setup declares.
import { pathTo } from '../http/address.ts'
import type { CallOptions, ChangeOptions, QueryValue, Transport, WriteOptions } from '../http/request.ts'
import { type Stored, storedIn } from './stored.ts'

/** Part by part, or one value where the key has one. */
export type RecordKey = string | number | readonly (string | number)[]

/** One operation of a `PATCH` (RFC 6902, without `test`, `move` and `copy`). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

export interface ReadOptions extends CallOptions {
  /** What the record was at this moment, or after this change. */
  readonly asOf?: QueryValue
}

/** One entry of the history of a record. */
export interface RecordChange {
  readonly number: number
  readonly time: string
  readonly userId: string
  readonly clientId: string
  readonly operation: 'created' | 'updated' | 'deleted' | 'entered' | 'left'
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[]
}

/** Any record; programs that know its members say so: `client.records<Supplier>('suppliers')`. */
// biome-ignore lint/suspicious/noExplicitAny: the members of a record of any kind.
export type AnyRecord = Record<string, any>

export interface Records<Body> {
  get(key: RecordKey, options?: ReadOptions): Promise<Stored<Body>>
  /** The record, or undefined if it still has this entity tag. */
  getIfChanged(key: RecordKey, etag: string, options?: CallOptions): Promise<Stored<Body> | undefined>
  create(record: object, options?: WriteOptions): Promise<Stored<Body>>
  /** All operations, or none. */
  patch(key: RecordKey, operations: readonly PatchOperation[], options?: ChangeOptions): Promise<Stored<Body>>
  /** Removes the record, or closes it where its resource keeps closed ones (values, customers). */
  delete(key: RecordKey, options?: ChangeOptions): Promise<void>
  /** The changes of the record, the newest first, read page by page. */
  history(key: RecordKey, options?: CallOptions & { readonly pageSize?: number }): AsyncGenerator<RecordChange, void>
}

export function recordsOf<Body = AnyRecord>(transport: Transport, collection: string): Records<Body> {
  const addressOf = (key: RecordKey) => collection + pathTo(...(Array.isArray(key) ? key : [key]))
  return {
    get: async (key, { asOf, ...options } = {}) =>
      storedIn(await transport.send({ ...options, path: addressOf(key), query: { asOf } })),
    getIfChanged: async (key, etag, options = {}) => {
      const headers = { 'if-none-match': etag }
      const answer = await transport.send({ ...options, path: addressOf(key), headers })
      return answer.status === 304 ? undefined : storedIn(answer)
    },
    create: async (record, options = {}) =>
      storedIn(await transport.send({ ...options, method: 'POST', path: collection, body: record })),
    patch: async (key, operations, options = {}) =>
      storedIn(await transport.send({ ...options, method: 'PATCH', path: addressOf(key), body: operations })),
    delete: async (key, options = {}) => {
      await transport.send({ ...options, method: 'DELETE', path: addressOf(key) })
    },
    history: (key, options) => historyOf(transport, `${addressOf(key)}/history`, options),
  }
}

async function* historyOf(
  transport: Transport,
  path: string,
  { pageSize, ...options }: CallOptions & { readonly pageSize?: number } = {},
): AsyncGenerator<RecordChange, void> {
  let before = ''
  do {
    const query = { limit: pageSize, before: before === '' ? undefined : before }
    const answer = await transport.send({ ...options, path, query })
    const page = (await answer.json()) as { readonly changes: readonly RecordChange[]; readonly next: string }
    yield* page.changes
    before = page.next
  } while (before !== '')
}
