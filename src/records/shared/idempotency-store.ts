// Stored responses to requests with an `Idempotency-Key`, written in the transaction of the request.
import { sql } from 'kysely'
import { excluded, statement, whereEqual } from '../../sql/statement.ts'
import type { Actor, ReadTx, Store, Tx } from '../../store/store.ts'

/** Retention of stored responses. */
const RETENTION_MS = 24 * 60 * 60_000

export type IdempotencyRecord = {
  /** Fingerprint of the original request. */
  readonly fingerprint: string
  /** The stored response as JSON. */
  readonly answer: string
}

type Key = { companyId: string; clientId: string; idempotencyKey: string }

const find = statement<Key & { since: string }, IdempotencyRecord>('find_kept_answer', (db, p) =>
  db
    .selectFrom('kept_answer')
    .select(['fingerprint', 'answer'])
    .$call(whereEqual(p, 'companyId', 'clientId'))
    .where('repeat_key', '=', p('idempotencyKey'))
    .where('at', '>', p('since')),
)

export function findIdempotencyRecord(
  tx: ReadTx,
  clientId: string,
  idempotencyKey: string,
  now: Date,
): Promise<IdempotencyRecord | undefined> {
  const since = new Date(now.getTime() - RETENTION_MS).toISOString()
  return tx.first(find, { companyId: tx.companyId, clientId, idempotencyKey, since })
}

/** Expired responses that one write deletes: more than it adds, but never a complete day's at once. */
const EXPIRED_PER_WRITE = 20

const deleteExpired = statement<{ companyId: string; before: string }>('forget_kept_answers', (db, p) =>
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
          .limit(sql.lit(EXPIRED_PER_WRITE))
          .$asTuple('client_id', 'repeat_key'),
      ),
    ),
)

/** An expired response under the same key is overwritten. */
const upsert = statement<Key & IdempotencyRecord & { at: string; before: string }>('keep_answer', (db, p) =>
  db
    .insertInto('kept_answer')
    .values({
      company_id: p('companyId'),
      client_id: p('clientId'),
      repeat_key: p('idempotencyKey'),
      fingerprint: p('fingerprint'),
      answer: p('answer'),
      at: p('at'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'client_id', 'repeat_key'])
        .doUpdateSet(excluded(['fingerprint', 'answer', 'at']))
        .where('kept_answer.at', '<=', p('before')),
    ),
)

/** Stores the response, or returns `taken` when an unexpired one has the key. Deletes some expired responses. */
export async function putIdempotencyRecord(
  tx: Tx,
  idempotencyKey: string,
  { fingerprint, answer }: IdempotencyRecord,
): Promise<'stored' | 'taken'> {
  const before = new Date(Date.parse(tx.at) - RETENTION_MS).toISOString()
  tx.send(deleteExpired, { companyId: tx.companyId, before })
  const { clientId } = tx.actor
  const row = { companyId: tx.companyId, clientId, idempotencyKey, fingerprint, answer, at: tx.at, before }
  return (await tx.run(upsert, row)) === 0 ? 'taken' : 'stored'
}

const replace = statement<Key & IdempotencyRecord>(
  'replace_kept_answer',
  (_db, p) => sql`update kept_answer set answer = ${p('answer')}
    where company_id = ${p('companyId')} and client_id = ${p('clientId')} and repeat_key = ${p('idempotencyKey')}
      and fingerprint = ${p('fingerprint')}`,
)

/** Stores the response in the place of a note that the request was begun. */
export async function replaceIdempotencyRecord(tx: Tx, idempotencyKey: string, record: IdempotencyRecord) {
  await tx.run(replace, { companyId: tx.companyId, clientId: tx.actor.clientId, idempotencyKey, ...record })
}

const remove = statement<Key>(
  'remove_kept_answer',
  (_db, p) => sql`delete from kept_answer
    where company_id = ${p('companyId')} and client_id = ${p('clientId')} and repeat_key = ${p('idempotencyKey')}`,
)

/** A request that was begun has written nothing. */
export async function deleteIdempotencyRecord(tx: Tx, idempotencyKey: string): Promise<void> {
  await tx.run(remove, { companyId: tx.companyId, clientId: tx.actor.clientId, idempotencyKey })
}

const expired = statement<{ companyId: string; before: string }, { found: number }>('find_expired_answer', (db, p) =>
  db
    .selectFrom('kept_answer')
    .select(sql.lit(1).as('found'))
    .where('company_id', '=', p('companyId'))
    .where('at', '<=', p('before'))
    .limit(sql.lit(1)),
)

/** Deletes all expired responses, in many short writes: a company whose clients send no further keys keeps none. */
export async function deleteExpiredRecords(store: Store, companyId: string, actor: Actor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS).toISOString()
  const values = { companyId, before }
  while (await store.reading(companyId).first(expired, values)) {
    await store.write(companyId, actor, async (tx) => {
      for (let batch = 0; batch < BATCHES_PER_WRITE; batch++) await tx.run(deleteExpired, values)
    })
  }
}

const BATCHES_PER_WRITE = 20

const count = statement<{ companyId: string }, { records: number }>('count_kept_answers', (db, p) =>
  db
    .selectFrom('kept_answer')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('company_id', '=', p('companyId')),
)

export async function countIdempotencyRecords(tx: ReadTx): Promise<number> {
  return Number((await tx.first(count, { companyId: tx.companyId }))?.records ?? 0)
}
