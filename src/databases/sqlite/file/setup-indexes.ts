// Builds the indexes that a setup declares. A build holds SQLite's write lock from start to end, so a separate process
// does it: the service answers queries meanwhile, and its writes wait for the lock without blocking.
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startProgram } from '../../../base/process/start-program.ts'
import { quote } from '../../../sql/dialect.ts'
import { type IndexChanges, isTextIndex, ORDER_INDEX_PREFIX, type OrderIndex } from '../../../sql/setup-index.ts'
import { type Connection, prepareArrays } from '../dialect/connection.ts'
import { createTextIndex, dropTextIndex } from '../dialect/text-index.ts'

type IndexProcess = ChildProcessByStdio<Writable, null, Readable>

/** The argument of the process that makes no checkpoints. */
const LEAVES_LOG = 'leaves-log'

/** The existing indexes. Each is complete, because SQLite creates it in a transaction. */
export function setupIndexes(connection: Connection): ReadonlySet<string> {
  const rows = prepareArrays(connection, "select name from sqlite_schema where name glob 'setup_*'").all()
  const names = rows.map((row) => (row as unknown as [string])[0])
  return new Set(names.filter((name) => name.startsWith(ORDER_INDEX_PREFIX) || isTextIndex(name)))
}

/**
 * Applies the changes one after the other. Indexes that were built stay when a later one fails; an incomplete one is
 * rolled back on a stop.
 */
export async function changeIndexes(
  { file, leavesLog }: { readonly file: string; readonly leavesLog: boolean },
  changes: IndexChanges,
  typeOf: (table: string, column: string) => string,
  stopped: AbortSignal,
): Promise<void> {
  const statements = [
    ...changes.drop.map((name) => (isTextIndex(name) ? dropTextIndex(name) : `drop index if exists ${quote(name)}`)),
    ...changes.create.map((index) =>
      index.kind === 'text' ? createTextIndex(index, (column) => typeOf(index.table, column)) : createIndex(index),
    ),
  ]
  if (statements.length === 0 || stopped.aborted) return
  const args = [file, String(process.pid), ...(leavesLog ? [LEAVES_LOG] : [])]
  const child = startProgram('index-process', import.meta.url, args, ['pipe', 'ignore', 'pipe']) as IndexProcess
  const kill = () => child.kill('SIGKILL')
  stopped.addEventListener('abort', kill)
  try {
    const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
    child.stdin.end(JSON.stringify(statements))
    const [code, errorText] = await Promise.all([exit, text(child.stderr)])
    if (code === 0 || stopped.aborted) return
    throw new Error(`an index was not built: ${errorText.trim() || `its process ended with ${code}`}`)
  } finally {
    stopped.removeEventListener('abort', kill)
  }
}

function createIndex({ name, table, columns }: OrderIndex): string {
  return `create index if not exists ${quote(name)} on ${quote(table)} (${columns.map(quote).join(', ')})`
}
