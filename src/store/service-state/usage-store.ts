// The clients' use of their limits, reported by every process that serves them. It belongs to no company.
import { statement, whereEqual } from '../../sql/statement.ts'
import type { Store } from '../store.ts'

/** Amounts by the start of their time window, in milliseconds since 1970. */
type Amounts = ReadonlyMap<number, number>

type UsageKey = {
  readonly clientId: string
  readonly kind: string
}

const add = statement<UsageKey & { windowStart: number; amount: number }, { amount: number }>('add_usage', (db, p) =>
  db
    .insertInto('client_usage')
    .values({
      client_id: p('clientId'),
      kind: p('kind'),
      window_start: p('windowStart'),
      amount: p('amount'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'kind', 'window_start'])
        .doUpdateSet((eb) => ({ amount: eb('client_usage.amount', '+', eb.ref('excluded.amount')) })),
    )
    .returning('client_usage.amount'),
)

const list = statement<UsageKey & { since: number }, { window_start: number; amount: number }>('list_usage', (db, p) =>
  db
    .selectFrom('client_usage')
    .select(['window_start', 'amount'])
    .$call(whereEqual(p, 'clientId', 'kind'))
    .where('window_start', '>=', p('since')),
)

const forget = statement<{ before: number }>('forget_usage', (db, p) =>
  db.deleteFrom('client_usage').where('window_start', '<', p('before')),
)

/** The clients' usage as reported by all processes on a store. */
export function clientUsage(store: Store) {
  return {
    /** Adds to a client's usage of a kind. Returns the usage reported by all processes since an instant. */
    async add({ amounts, ...key }: UsageKey & { readonly amounts: Amounts }, since: number): Promise<Amounts> {
      const added = new Map<number, number>()
      for (const [windowStart, amount] of amounts) {
        const [sum] = await store.upsertCounters(add, { ...key, windowStart, amount })
        if (sum) added.set(windowStart, sum.amount)
      }
      const rows = await store.upsertCounters(list, { ...key, since })
      return new Map([...rows.map(({ window_start, amount }) => [window_start, amount] as const), ...added])
    },

    async forget(before: number): Promise<void> {
      await store.upsertCounters(forget, { before })
    },
  }
}
