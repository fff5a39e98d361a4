// Separate sessions that read for as long as they need. What they set is set for a transaction, because a pooler may
// hand the next one another session.
import pg from 'pg'
import { NO_COMPILATION, PASS_ON } from './pools.ts'
import { requireReachable } from './require-usable.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

/** One snapshot without the timeouts of a request. */
const BEGIN = [
  'begin isolation level repeatable read read only',
  `set local ${PASS_ON}`,
  `set local ${NO_COMPILATION}; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
]

export async function withSession<T>(url: string, name: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  await requireReachable(url)
  const session = new pg.Client({ connectionString: url, application_name: name })
  // The loss of a session is reported by the statement that needs it.
  session.on('error', () => {})
  await session.connect()
  try {
    return await work(session)
  } finally {
    await session.end()
  }
}

/** Everything that `work` reads is of one moment. */
export async function inSnapshot<T>(session: Queryable, work: () => Promise<T>): Promise<T> {
  for (const statement of BEGIN) await session.query(statement)
  try {
    const result = await work()
    await session.query('commit')
    return result
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}
