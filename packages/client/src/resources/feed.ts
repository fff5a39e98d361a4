// The changes of a company, batch by batch. The program keeps the cursor, in the transaction of what it makes of them.
import type { CallOptions, QueryValue, Transport } from '../http/request.ts'

export interface FeedOptions extends CallOptions {
  /** The cursor of a batch, the change number of a collection, or `now`. */
  readonly since: string | number
  /** Names of documents; all that the client may read when left out. */
  readonly entities?: readonly string[] | undefined
  readonly filter?: string | { toString(): string } | undefined
  readonly select?: string | undefined
  /** Only the newest state of each record. */
  readonly latest?: boolean | undefined
  /** At most so many changes in a batch, 1 to 1,000. */
  readonly limit?: number | undefined
  /** Waits for further changes instead of ending; `signal` ends it. */
  readonly follow?: boolean | undefined
}

export interface Change<Body = unknown> {
  /** The same change has the same id. */
  readonly id: string
  readonly number: number
  readonly time: string
  readonly entity: string
  readonly key: Readonly<Record<string, string | number>>
  readonly operation: 'created' | 'updated' | 'deleted' | 'entered' | 'left'
  /** JSON pointers to the members that differ. */
  readonly changed?: readonly string[]
  readonly etag?: string
  readonly record?: Body
}

export interface ChangeBatch<Body = unknown> {
  readonly companyId: string
  readonly covers: readonly string[]
  readonly notCovered: readonly string[]
  readonly changes: readonly Change<Body>[]
  /** The cursor behind these changes: keep it together with what was made of them. */
  readonly next: string
  readonly upToDate: boolean
  readonly pending: number
}

/** How long the service waits for a change, in seconds, and how long its answer may take then. */
const WAIT_S = 55
const WAIT_TIMEOUT_MS = 90_000

/**
 * The batches since a place, until there is nothing more, or forever with `follow`. A `GoneProblem` says that the
 * changes after the cursor are no longer kept, and which collections to load again.
 */
export async function* feedOf<Body>(
  transport: Transport,
  options: FeedOptions,
): AsyncGenerator<ChangeBatch<Body>, void> {
  const { since, entities, filter, select, latest, limit, follow = false, ...call } = options
  const fixed = { entities: entities?.join(','), $filter: filter?.toString(), $select: select, latest, limit }
  let [cursor, isWaiting]: [QueryValue, boolean] = [since, false]
  while (true) {
    const query = { ...fixed, since: cursor, wait: isWaiting ? WAIT_S : undefined }
    const timeoutMs = call.timeoutMs ?? (isWaiting ? WAIT_TIMEOUT_MS : undefined)
    const answer = await transport.send({ ...call, timeoutMs, path: '/v1/changes', query })
    const batch = (await answer.json()) as ChangeBatch<Body>
    if (batch.changes.length > 0 || batch.upToDate) yield batch
    if (batch.upToDate && !follow) return
    isWaiting = follow && batch.upToDate
    cursor = batch.next
  }
}
