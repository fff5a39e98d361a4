// What clients have used of their limits, told by every process that serves them. It belongs to no company.
import { statement } from './statement.ts'
import type { Store } from './store.ts'

export interface UsageRow {
  readonly client_id: string
  readonly kind: string
  /** In milliseconds since 1970. */
  readonly window_start: number
  readonly amount: number
}

type Columns = { clientId: string; kind: string; windowStart: number; amount: number }

const add = statement<Columns, UsageRow>('add_usage', (db, p) =>
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
    .returning(['client_id', 'kind', 'window_start', 'amount']),
)

const forget = statement<{ before: number }>('forget_usage', (db, p) =>
  db.deleteFrom('client_usage').where('window_start', '<', p('before')),
)

/** Adds to the counts; gives each as it is now for all processes. */
export async function addUsages(store: Store, usages: readonly UsageRow[], forgetBefore: number): Promise<UsageRow[]> {
  // All are begun before any is waited for: each must fail as a promise, or the others' failures would be nobody's.
  const addOne = async ({ client_id: clientId, kind, window_start: windowStart, amount }: UsageRow) =>
    store.tally(add, { clientId, kind, windowStart, amount })
  const forgetOld = async () => store.tally(forget, { before: forgetBefore })
  const [, ...totals] = await Promise.all([forgetOld(), ...usages.map(addOne)])
  return totals.flat()
}
