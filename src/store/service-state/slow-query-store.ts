// The slow queries of all processes on a store, which `advise` reads. They belong to no company.
import { sql } from 'kysely'
import type { SlowQueryTable } from '../../sql/service-tables.ts'
import { statement } from '../../sql/statement.ts'
import type { SlowQuery } from '../slow-queries.ts'
import type { Store } from '../store.ts'

/** The maximum number of stored rows; the ones with the latest occurrence are retained. */
const MAX_ROWS = 500
const WRITE_INTERVAL_MS = 5_000

const add = statement<
  { document: string; question: string; seen: number; totalMs: number; worstMs: number; lastSeen: string },
  never
>('add_slow_query', (db, p) =>
  db
    .insertInto('slow_query')
    .values({
      document: p('document'),
      question: p('question'),
      seen: p('seen'),
      total_ms: p('totalMs'),
      worst_ms: p('worstMs'),
      last_seen: p('lastSeen'),
    })
    .onConflict((conflict) =>
      conflict.columns(['document', 'question']).doUpdateSet((eb) => ({
        seen: eb('slow_query.seen', '+', eb.ref('excluded.seen')),
        total_ms: eb('slow_query.total_ms', '+', eb.ref('excluded.total_ms')),
        worst_ms: eb
          .case()
          .when('slow_query.worst_ms', '>', eb.ref('excluded.worst_ms'))
          .then(eb.ref('slow_query.worst_ms'))
          .else(eb.ref('excluded.worst_ms'))
          .end(),
        last_seen: eb.ref('excluded.last_seen'),
      })),
    ),
)

const forget = statement<Record<string, never>>('forget_slow_queries', (db) =>
  db
    .deleteFrom('slow_query')
    .where('last_seen', '<', (eb) =>
      eb
        .selectFrom('slow_query')
        .select('last_seen')
        .orderBy('last_seen', 'desc')
        .limit(sql.lit(1))
        .offset(sql.lit(MAX_ROWS)),
    ),
)

/** Sorted by total time, the slowest first. */
export const listSlowQueries = statement<Record<string, never>, SlowQueryTable>('list_slow_queries', (db) =>
  db.selectFrom('slow_query').selectAll().orderBy('total_ms', 'desc').orderBy('document').orderBy('question'),
)

/** Writes a store's slow queries periodically, and once more at the end. */
export class SlowQueryWriter {
  readonly #store: Store
  readonly #clock: () => Date
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()

  constructor(store: Store, clock: () => Date) {
    this.#store = store
    this.#clock = clock
    this.#timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS)
    this.#timer.unref()
  }

  write(): Promise<void> {
    const slowQueries = this.#store.slow.take()
    // A failed write is ignored: the same queries will come again.
    if (slowQueries.length > 0) this.#writing = this.#writing.then(() => this.#add(slowQueries)).catch(() => {})
    return this.#writing
  }

  stop(): Promise<void> {
    clearInterval(this.#timer)
    return this.write()
  }

  async #add(slowQueries: readonly SlowQuery[]): Promise<void> {
    const lastSeen = this.#clock().toISOString()
    for (const { document, question, seen: count, totalMs, worstMs } of slowQueries) {
      const [total, worst] = [Math.round(totalMs), Math.round(worstMs)]
      await this.#store.upsertCounters(add, {
        document,
        question,
        seen: count,
        totalMs: total,
        worstMs: worst,
        lastSeen,
      })
    }
    await this.#store.upsertCounters(forget, {})
  }
}
