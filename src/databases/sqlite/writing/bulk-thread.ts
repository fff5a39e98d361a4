// A thread that stores the records of an import, on a connection of its own, while the next ones are prepared.
import { parentPort, workerData } from 'node:worker_threads'
import { StoreMetrics } from '../../../observe/store-metrics.ts'
import { tablesChangedBy } from '../../../sql/statement-tables.ts'
import { NewEntries } from '../../../store/chain/audit-chain.ts'
import { withJournal, writeEntries } from '../../../store/journal/journal.ts'
import { flowOf, type Tx } from '../../../store/store.ts'
import { openWriter } from '../dialect/connection.ts'
import { isSqliteError } from '../dialect/faults.ts'
import { addFunctions } from '../dialect/functions.ts'
import { addJournalText } from '../dialect/journal-text.ts'
import {
  type BeginRequest,
  type Begun,
  entriesOf,
  type HandedWork,
  type Rows,
  type ThreadData,
  type ThreadFailure,
  type ThreadReply,
  type ThreadRequest,
  type WriteQuestion,
} from './messages.ts'
import { SqliteSession } from './session.ts'
import { SqliteTx, sharedStateOf } from './transaction.ts'
import { SharedWriter } from './writer.ts'

const { file, leavesLog } = workerData as ThreadData
const nothing = () => {}
const connection = openWriter(file, { isBulk: true, leavesLog })
addFunctions(connection)
addJournalText(connection)
const session = new SqliteSession(connection)
const shared = sharedStateOf(session, nothing, nothing)
// Whether a write may begin and may be committed is for the program to say.
const permissions = { mayWrite: () => true, requireHeld: nothing, onFatal: nothing }
const options = { ...permissions, metrics: new StoreMetrics(), isBulk: true }
const writer = new SharedWriter(connection, options, shared, session)

interface NumberedStatement extends ReturnType<SqliteSession['prepareText']> {
  readonly parameters: number
  readonly changes: readonly string[]
}

/** By their numbers. */
const statements: (NumberedStatement | undefined)[] = []

/** A write that has begun. */
interface Write {
  readonly tx: SqliteTx
  /** The entry number that was taken last. */
  lastEntry: number
  end(): void
  undo(error: unknown): void
  /** Settles when it is committed or rolled back. */
  readonly done: Promise<void>
}

let current: Write | undefined

/** Resolves when it has the lock. */
function begin({ companyId, actor, at }: BeginRequest): Promise<Begun> {
  return new Promise((begun, failed) => {
    const done: Promise<void> = writer.write(flowOf(companyId, actor), () => {
      const handle = new SqliteTx(session, shared, companyId, { actor, at }, new NewEntries(shared.memory))
      const tx = handle.nextEntry()
      const { entryNo, setupVersion, entries } = tx
      const { head, journalBytes, dictionaryAge } = entries
      return withJournal(tx, () => {
        if (head) begun({ entryNo, setupVersion, head, journalBytes, dictionaryAge })
        return new Promise<void>((end, undo) => {
          current = { tx: handle, lastEntry: entryNo, end, undo, done }
        })
      })
    })
    done.catch(failed)
  })
}

/** Ends the write; rejects when it is not committed then. */
async function endWrite(how: (write: Write) => void): Promise<void> {
  const write = current
  if (!write) throw new Error('the write is over')
  current = undefined
  how(write)
  await write.done
}

async function doWork({ newStatements, ...work }: HandedWork, question: WriteQuestion | undefined): Promise<unknown> {
  for (const { no, text, parameters } of newStatements) {
    statements[no] = { ...session.prepareText(text), parameters, changes: tablesChangedBy(text) }
  }
  if (!current) throw new Error('the write is over')
  try {
    await storeAll(current, work)
    return question && (await answer(current.tx, question))
  } catch (error) {
    await endWrite(({ undo }) => undo(error)).catch(nothing)
    throw error
  }
}

async function storeAll(
  write: Write,
  { statements: numbers, parameters, entries, entryNo }: Omit<HandedWork, 'newStatements'>,
) {
  const { tx } = write
  let at = 0
  for (const no of numbers) {
    const { statement, parameters: count } = statementFor(tx, no)
    statement.get(...parameters.slice(at, at + count))
    at += count
  }
  while (write.lastEntry < entryNo) write.lastEntry = shared.counters.take(tx.companyId).entryNo
  if (entries.values.length === 0) return
  for (const entry of entriesOf(entries)) tx.entries.add(entry)
  await writeEntries(tx)
}

/** A statement that is about to run. */
function statementFor({ companyId }: Tx, no: number): NumberedStatement {
  const found = statements[no]
  if (!found) throw new Error(`there is no statement ${no}`)
  if (found.changes.length > 0) shared.changed.add(companyId, found.changes)
  return found
}

async function answer(tx: SqliteTx, question: WriteQuestion): Promise<unknown> {
  if (question.kind === 'insert') {
    tx.entryNo = question.entryNo
    return tx.insertRows(question.into, question.rows)
  }
  const { statement, columns } = statementFor(tx, question.statement)
  const { kind, parameters } = question
  if (kind === 'run') return Number(statement.run(...parameters).changes)
  const first = kind === 'get' ? statement.get(...parameters) : undefined
  const rows = kind === 'all' ? statement.all(...parameters) : first ? [first] : []
  return { columns, rows } as unknown as Rows
}

function reply(request: ThreadRequest): Promise<unknown> {
  switch (request.kind) {
    case 'begin':
      return begin(request)
    case 'work':
      return doWork(request.work, request.question)
    case 'commit':
      return endWrite(({ end }) => end())
    case 'rollback':
      return endWrite(({ undo }) => undo(new Error('taken back'))).catch(nothing)
    case 'close':
      return close()
  }
}

async function close(): Promise<void> {
  connection.close()
  parentPort?.close()
}

/** What SQLite has said, also where that was told in other words. */
function failureOf(error: unknown): ThreadFailure {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (isSqliteError(at)) return { message: at.message, errcode: at.errcode }
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), errcode: undefined }
}

let before = Promise.resolve()
parentPort?.on('message', (request: ThreadRequest) => {
  const send = (told: ThreadReply) => parentPort?.postMessage(told)
  before = before.then(() =>
    reply(request).then(
      (value) => send({ value }),
      (error: unknown) => send({ failure: failureOf(error) }),
    ),
  )
})
