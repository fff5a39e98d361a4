// Indexes that a setup asks for, built while everybody reads and writes: `concurrently`, outside any transaction, in a
// session of its own without the bounds on the time of a request.
import pg from 'pg'
import {
  type IndexChanges,
  isTextIndex,
  ORDER_INDEX_PREFIX,
  type SetupIndex,
  TEXT_INDEX_PREFIX,
} from '../../../indexes/setup-index.ts'
import { quote } from '../../../quote.ts'
import { indexTerms } from './index-terms.ts'
import { createTextIndex, dropTextIndex } from './text-index.ts'

/** Taken by the one process that builds: of two at once, each would wait for the other's snapshot. */
const BUILDING = 7_294_103_551
const LOCK_RETRY_MS = 500
/** A service looks for a new setup every two seconds. */
const FORGOTTEN_AFTER_MS = 4_000

const IN_ORDER = '_order'

const FOUND = `
  select c.relname as name
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indisvalid and i.indisready`

/** Those that are whole: one whose building was cut short is there too, and of no use. */
export async function setupIndexes(session: Pick<pg.ClientBase, 'query'>): Promise<ReadonlySet<string>> {
  const { rows } = await session.query<{ name: string }>(
    `${FOUND} and (c.relname ~ '^${ORDER_INDEX_PREFIX}.*(?<!${IN_ORDER})$' or c.relname ~ '^${TEXT_INDEX_PREFIX}.*_grams$')`,
  )
  return new Set(rows.map(({ name }) => (name.startsWith(TEXT_INDEX_PREFIX) ? name.replace(/_grams$/, '') : name)))
}

/** One after the other. What is half built when it is stopped is dropped by the next one who builds. */
export async function changeIndexes(url: string, changes: IndexChanges, stopped: AbortSignal): Promise<void> {
  if (changes.create.length + changes.drop.length === 0 || stopped.aborted) return
  const session = new pg.Client({ connectionString: url, application_name: 'tabularium indexes' })
  // A session that is lost is told by the statement that needs it.
  session.on('error', () => {})
  let stop = () => {}
  try {
    await session.connect()
    const { rows } = await session.query<{ id: number }>('select pg_backend_pid() as id')
    stop = () => void cancel(url, rows[0]?.id ?? 0)
    stopped.addEventListener('abort', stop)
    await session.query('set statement_timeout = 0; set lock_timeout = 0')
    if (!(await takeTurn(session, stopped))) return
    for (const index of changes.create) await build(session, index)
    // Queries name text indexes until their service has found the new setup.
    if (changes.drop.some(isTextIndex)) await new Promise((resume) => setTimeout(resume, FORGOTTEN_AFTER_MS))
    for (const name of changes.drop) await drop(session, name)
  } catch (cause) {
    if (!stopped.aborted) throw new Error(`an index was not built: ${(cause as Error).message}`, { cause })
  } finally {
    stopped.removeEventListener('abort', stop)
    await session.end().catch(() => {})
  }
}

/** Asked again and again: who waits inside a statement holds a snapshot, for which the other would wait in turn. */
async function takeTurn(session: pg.Client, stopped: AbortSignal): Promise<boolean> {
  while (!stopped.aborted) {
    const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [BUILDING])
    if (rows[0]?.taken) return true
    await new Promise((resume) => setTimeout(resume, LOCK_RETRY_MS))
  }
  return false
}

async function drop(session: pg.Client, name: string): Promise<void> {
  if (isTextIndex(name)) return dropTextIndex(session, name)
  for (const one of [name, orderOf(name)]) await session.query(`drop index concurrently if exists ${quote(one)}`)
}

/** The index beside another that has long texts: the other is whole when both are. */
const orderOf = (name: string) => `${name}${IN_ORDER}`

async function build(session: pg.Client, index: SetupIndex): Promise<void> {
  if ((await setupIndexes(session)).has(index.name)) return
  if (index.kind === 'text') return createTextIndex(session, index)
  const { name, table, starts = [] } = index
  await drop(session, name)
  const create = (made: string, terms: readonly string[]) =>
    session.query(`create index concurrently ${quote(made)} on ${quote(table)} (${terms.join(', ')})`)
  if (starts.length > 0) await create(orderOf(name), indexTerms(index, true))
  await create(name, indexTerms(index))
}

/** The database goes on with a statement whose session is gone. */
async function cancel(url: string, processId: number): Promise<void> {
  const session = new pg.Client({ connectionString: url })
  session.on('error', () => {})
  try {
    await session.connect()
    await session.query('select pg_cancel_backend($1)', [processId])
  } catch {
    // The database is gone, and with it what was to be ended.
  } finally {
    await session.end().catch(() => {})
  }
}
