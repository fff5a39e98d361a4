// The answers that were given to requests with an `Idempotency-Key`, kept with what they wrote.
import { sql } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { ReadTx, Tx } from '../../store/store.ts'

/** Answers are kept so long. */
export const KEPT_MS = 24 * 60 * 60_000

export type KeptAnswer = {
  /** Of the request that was answered. */
  readonly fingerprint: string
  /** JSON. */
  readonly answer: string
}

type Key = { companyId: string; clientId: string; repeatKey: string }

const find = statement<Key & { since: string }, KeptAnswer>('find_kept_answer', (db, p) =>
  db
    .selectFrom('kept_answer')
    .select(['fingerprint', 'answer'])
    .where('company_id', '=', p('companyId'))
    .where('client_id', '=', p('clientId'))
    .where('repeat_key', '=', p('repeatKey'))
    .where('at', '>', p('since')),
)

export function findKeptAnswer(
  tx: ReadTx,
  clientId: string,
  repeatKey: string,
  now: Date,
): Promise<KeptAnswer | undefined> {
  const since = new Date(now.getTime() - KEPT_MS).toISOString()
  return tx.first(find, { companyId: tx.companyId, clientId, repeatKey, since })
}

/** A write takes away so many that are too old: more than it adds, and never a whole day's at once. */
const FORGOTTEN_AT_ONCE = 20

const forget = statement<{ companyId: string; before: string }>('forget_kept_answers', (db, p) =>
  db
    .deleteFrom('kept_answer')
    .where('company_id', '=', p('companyId'))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('client_id', 'repeat_key'),
        'in',
        selectFrom('kept_answer as old')
          .select(['old.client_id', 'old.repeat_key'])
          .where('old.company_id', '=', p('companyId'))
          .where('old.at', '<=', p('before'))
          .orderBy('old.at')
          .limit(sql.lit(FORGOTTEN_AT_ONCE))
          .$asTuple('client_id', 'repeat_key'),
      ),
    ),
)

/** One that is too old to be given again makes room. */
const keep = statement<Key & KeptAnswer & { at: string; before: string }>('keep_answer', (db, p) =>
  db
    .insertInto('kept_answer')
    .values({
      company_id: p('companyId'),
      client_id: p('clientId'),
      repeat_key: p('repeatKey'),
      fingerprint: p('fingerprint'),
      answer: p('answer'),
      at: p('at'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'client_id', 'repeat_key'])
        .doUpdateSet(({ ref }) => ({
          fingerprint: ref('excluded.fingerprint'),
          answer: ref('excluded.answer'),
          at: ref('excluded.at'),
        }))
        .where('kept_answer.at', '<=', p('before')),
    ),
)

/** Keeps the answer; `taken` when there is one for the key already. Answers that are too old go. */
export async function keepAnswer(
  tx: Tx,
  repeatKey: string,
  { fingerprint, answer }: KeptAnswer,
): Promise<'kept' | 'taken'> {
  const before = new Date(Date.parse(tx.at) - KEPT_MS).toISOString()
  tx.send(forget, { companyId: tx.companyId, before })
  const { clientId } = tx.actor
  const row = { companyId: tx.companyId, clientId, repeatKey, fingerprint, answer, at: tx.at, before }
  return (await tx.run(keep, row)) === 0 ? 'taken' : 'kept'
}
