// What clients have used of their limits, told by every process that serves them. It belongs to no company.
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'

/** Amounts by the moment from which they count, in milliseconds since 1970. */
type Amounts = ReadonlyMap<number, number>

type Counted = {
  readonly clientId: string
  readonly kind: string
}

const add = statement<Counted & { windowStart: number; amount: number }>('add_usage', (db, p) =>
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
    ),
)

const list = statement<Counted & { since: number }, { window_start: number; amount: number }>('list_usage', (db, p) =>
  db
    .selectFrom('client_usage')
    .select(['window_start', 'amount'])
    .where('client_id', '=', p('clientId'))
    .where('kind', '=', p('kind'))
    .where('window_start', '>=', p('since')),
)

const forget = statement<{ before: number }>('forget_usage', (db, p) =>
  db.deleteFrom('client_usage').where('window_start', '<', p('before')),
)

/** What clients have used, as all processes on a store have told. */
export function usagesIn(store: Store) {
  return {
    /** Adds to what a client has used of a kind; gives all that was told of it since a moment. */
    async add({ amounts, ...counted }: Counted & { readonly amounts: Amounts }, since: number): Promise<Amounts> {
      for (const [windowStart, amount] of amounts) await store.upsertCounters(add, { ...counted, windowStart, amount })
      const rows = await store.upsertCounters(list, { ...counted, since })
      return new Map(rows.map(({ window_start, amount }) => [window_start, amount]))
    },

    async forget(before: number): Promise<void> {
      await store.upsertCounters(forget, { before })
    },
  }
}
