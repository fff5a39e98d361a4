// The SQL of sessions. They belong to no company, and every process that serves knows them.
import type { SessionTable } from '../sql/service-tables.ts'
import { placeholdersFor, statement } from '../sql/statement.ts'
import type { Store } from '../store/store.ts'

export type StoredSession = Readonly<SessionTable>

const COLUMNS = [
  'session_id',
  'user_id',
  'password_mark',
  'created_at',
  'used_at',
  'user_agent',
  'address',
] as const satisfies readonly (keyof SessionTable)[]

const add = statement<Record<keyof SessionTable, string | number>>('add_session', (db, p) =>
  db.insertInto('session').values(placeholdersFor(p, COLUMNS)),
)

const find = statement<{ id: string }, SessionTable>('find_session', (db, p) =>
  db.selectFrom('session').selectAll().where('session_id', '=', p('id')),
)

const use = statement<{ id: string; usedAt: number }>('use_session', (db, p) =>
  db
    .updateTable('session')
    .set({ used_at: p('usedAt') })
    .where('session_id', '=', p('id')),
)

const end = statement<{ id: string }>('end_session', (db, p) =>
  db.deleteFrom('session').where('session_id', '=', p('id')),
)

const list = statement<Record<string, never>, SessionTable>('list_sessions', (db) =>
  db.selectFrom('session').selectAll().orderBy('used_at', 'desc').orderBy('session_id'),
)

const ofUser = statement<{ userId: string }, Pick<SessionTable, 'session_id'>>('sessions_of_user', (db, p) =>
  db
    .selectFrom('session')
    .select('session_id')
    .where('user_id', '=', p('userId'))
    .orderBy('used_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('session_id'),
)

const forget = statement<{ usedBefore: number; createdBefore: number }>('forget_sessions', (db, p) =>
  db
    .deleteFrom('session')
    .where((eb) => eb.or([eb('used_at', '<', p('usedBefore')), eb('created_at', '<', p('createdBefore'))])),
)

export class SessionStore {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async add(session: StoredSession): Promise<void> {
    await this.#store.upsertCounters(add, { ...session })
  }

  async find(id: string): Promise<StoredSession | undefined> {
    return withNumbers(await this.#store.reading('').first(find, { id }))
  }

  async use(id: string, usedAt: number): Promise<void> {
    await this.#store.upsertCounters(use, { id, usedAt })
  }

  async end(id: string): Promise<void> {
    await this.#store.upsertCounters(end, { id })
  }

  async list(): Promise<StoredSession[]> {
    return (await this.#store.reading('').all(list, {})).flatMap((row) => withNumbers(row) ?? [])
  }

  /** The ids of a user's sessions, the latest used first. */
  async idsOf(userId: string): Promise<string[]> {
    return (await this.#store.reading('').all(ofUser, { userId })).map(({ session_id }) => session_id)
  }

  /** Removes those that were last used, or began, before these times. */
  async forget(usedBefore: number, createdBefore: number): Promise<void> {
    await this.#store.upsertCounters(forget, { usedBefore, createdBefore })
  }
}

/** PostgreSQL gives large integers as texts. */
function withNumbers(row: SessionTable | undefined): StoredSession | undefined {
  return row && { ...row, created_at: Number(row.created_at), used_at: Number(row.used_at) }
}
