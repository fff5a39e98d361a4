// What clients have used of their limits, told by every process that serves them. It belongs to no company.
import { statement } from './statement.ts'
import type { Store } from './store.ts'

/** Amounts by the moment from which they count, in milliseconds since 1970. */
export type UsedAmounts = ReadonlyMap<number, number>

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

/** Adds to what a client has used of a kind; gives what all processes have told of it since a moment. */
export async function addUsage(
  store: Store,
  { clientId, kind, amounts }: Counted & { readonly amounts: UsedAmounts },
  since: number,
): Promise<UsedAmounts> {
  for (const [windowStart, amount] of amounts) await store.tally(add, { clientId, kind, windowStart, amount })
  const rows = await store.tally(list, { clientId, kind, since })
  return new Map(rows.map(({ window_start, amount }) => [window_start, amount]))
}

export async function forgetUsages(store: Store, before: number): Promise<void> {
  await store.tally(forget, { before })
}
