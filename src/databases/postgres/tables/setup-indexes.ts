// Builds the indexes that a setup declares without blocking reads and writes: `concurrently`, outside any transaction,
// in a separate session without the timeouts of a request.
import pg from 'pg'
import { quote } from '../../../sql/dialect.ts'
import {
  type IndexChanges,
  isTextIndex,
  ORDER_INDEX_PREFIX,
  type SetupIndex,
  TEXT_INDEX_PREFIX,
} from '../../../sql/setup-index.ts'
import { indexTerms } from '../dialect/index-terms.ts'
import { createTextIndex, dropTextIndex } from '../dialect/text-index.ts'
import { NO_COMPILATION } from '../sessions/pools.ts'
import { isDistributed } from './placement.ts'

/** The advisory lock of the process that builds indexes: two at once would each wait for the other's snapshot. */
export const BUILD_LOCK = 7_294_103_551
const LOCK_RETRY_MS = 500
/** A service checks for a new setup every two seconds. */
const SETUP_PROPAGATION_MS = 4_000

const IN_ORDER = '_order'

const VALID_INDEXES = `
  select c.relname as name
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indisvalid and i.indisready`

/** The complete indexes. One whose build was interrupted also exists but is not valid. */
export async function setupIndexes(session: Pick<pg.ClientBase, 'query'>): Promise<ReadonlySet<string>> {
  const { rows } = await session.query<{ name: string }>(
    `${VALID_INDEXES} and (c.relname ~ '^${ORDER_INDEX_PREFIX}.*(?<!${IN_ORDER})$' or c.relname ~ '^${TEXT_INDEX_PREFIX}.*_grams$')`,
  )
  return new Set(rows.map(({ name }) => (name.startsWith(TEXT_INDEX_PREFIX) ? name.replace(/_grams$/, '') : name)))
}

/** Applies the changes one after the other. An index left incomplete by a stop is dropped by the next build. */
export async function changeIndexes(url: string, changes: IndexChanges, stopped: AbortSignal): Promise<void> {
  if (changes.create.length + changes.drop.length === 0 || stopped.aborted) return
  const session = new pg.Client({ connectionString: url, application_name: 'tabularium indexes' })
  // The loss of a session is reported by the statement that needs it.
  session.on('error', () => {})
  let stop = () => {}
  try {
    await session.connect()
    const { rows } = await session.query<{ id: number }>('select pg_backend_pid() as id')
    stop = () => void cancel(url, rows[0]?.id ?? 0)
    stopped.addEventListener('abort', stop)
    await session.query(`set ${NO_COMPILATION}; set statement_timeout = 0; set lock_timeout = 0`)
    if (!(await acquireBuildLock(session, stopped))) return
    for (const index of changes.create) await build(session, index)
    // Queries use text indexes until their service has found the new setup.
    if (changes.drop.some(isTextIndex)) await new Promise((resume) => setTimeout(resume, SETUP_PROPAGATION_MS))
    for (const name of changes.drop) await drop(session, name)
  } catch (cause) {
    if (!stopped.aborted) throw new Error(`an index was not built: ${(cause as Error).message}`, { cause })
  } finally {
    stopped.removeEventListener('abort', stop)
    await session.end().catch(() => {})
  }
}

/** Polls the lock, because a blocking statement would hold a snapshot that the other process waits for. */
async function acquireBuildLock(session: pg.Client, stopped: AbortSignal): Promise<boolean> {
  while (!stopped.aborted) {
    const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [BUILD_LOCK])
    if (rows[0]?.taken) return true
    await new Promise((resume) => setTimeout(resume, LOCK_RETRY_MS))
  }
  return false
}

async function drop(session: pg.Client, name: string): Promise<void> {
  if (isTextIndex(name)) return dropTextIndex(session, name)
  for (const one of [name, orderOf(name)]) await session.query(`drop index concurrently if exists ${quote(one)}`)
}

/** The second index of an index with long texts: the first one is complete when both are. */
const orderOf = (name: string) => `${name}${IN_ORDER}`

async function build(session: pg.Client, index: SetupIndex): Promise<void> {
  if ((await setupIndexes(session)).has(index.name)) return
  if (index.kind === 'text') {
    // A trigger maintains it, which distributed tables do not have: texts are searched row by row there.
    if (!(await isDistributed(session))) await createTextIndex(session, index)
    return
  }
  const { name, table, starts = [] } = index
  await drop(session, name)
  const create = (made: string, terms: readonly string[]) =>
    session.query(`create index concurrently ${quote(made)} on ${quote(table)} (${terms.join(', ')})`)
  if (starts.length > 0) await create(orderOf(name), indexTerms(index, true))
  await create(name, indexTerms(index))
}

/** The database continues a statement after its session is gone, so it has to be cancelled. */
async function cancel(url: string, processId: number): Promise<void> {
  const session = new pg.Client({ connectionString: url })
  session.on('error', () => {})
  try {
    await session.connect()
    await session.query('select pg_cancel_backend($1::integer)', [processId])
  } catch {
    // The database is gone, and the statement with it.
  } finally {
    await session.end().catch(() => {})
  }
}
