// Streams a large answer in chunks: a cursor in a transaction of its own reads one snapshot, however long it takes.
import pg from 'pg'
import { type AnswerRow, AnswerText } from '../../answer-text.ts'
import type { CompiledQuery } from '../../compile/compiled-query.ts'
import type { ByteStream, CollectionQuery } from '../../store.ts'
import { queryTooLong } from '../../store-fault.ts'
import { readChangeNumber } from '../../versions/change-number.ts'
import { begin } from './sessions/company-transaction.ts'
import type { Connected } from './sessions/guard-session.ts'
import type { QueryCanceller } from './sessions/query-canceller.ts'
import { execute, readBackendId, type Session } from './sessions/session.ts'

const FIRST_ROWS = 100
const MAX_ROWS_AT_ONCE = 1_000
/** The maximum size of one fetch, as far as it can be estimated. */
const FETCHED_BYTES = 8 * 1024 * 1024
/** The transaction is idle while a client is slow to read a chunk, hence the timeout. */
const BEGIN = [
  'begin isolation level repeatable read read only',
  "set local idle_in_transaction_session_timeout = '60s'",
]

interface StreamedQuery extends Pick<CollectionQuery, 'format' | 'cells' | 'style'> {
  readonly companyId: string
  readonly canceller: QueryCanceller
  readonly timeoutMs: number
  /** Known with the first chunk. */
  changeNumber: number
  faultOf(error: unknown): unknown
}

/** Releases the session when the answer is complete or its consumer stops. */
export async function* streamAnswer(
  session: Session,
  { text, parameters, rows, rowBytes }: CompiledQuery,
  query: StreamedQuery,
): ByteStream {
  const { companyId, canceller, format } = query
  const time = new WorkTime(query.timeoutMs, rows)
  let isSound = false
  try {
    const declare = { text: `declare answer no scroll cursor for ${text}`, values: [...parameters] }
    const opened = [
      begin(session, companyId, BEGIN),
      ...(session.statements.isPooled ? [readBackendId(session)] : []),
      readNumber(session, query),
      session.query(declare),
    ]
    for (const one of opened) one.catch(() => {})
    const answer = new AnswerText(query)
    for (let count = firstFetchCount(rowBytes); ; ) {
      const before = answer.rows
      const fetched = new Rows(session, `fetch ${count} from answer`)
      const ended = canceller.run(session, () => fetched.ended)
      ended.catch(() => {})
      await time.of(Promise.all(opened))
      for (;;) {
        const rows = await time.of(fetched.next())
        if (!rows) break
        for (const row of rows) {
          if (answer.add(format === 'csv' ? row : (row[0] as AnswerRow))) yield Buffer.from(answer.takeChunk())
        }
      }
      await ended
      if (answer.rows - before < count) break
      count = nextFetchCount(count, fetched.length)
    }
    yield Buffer.from(answer.end())
    await session.query('commit')
    isSound = true
    return answer.rows
  } catch (error) {
    throw query.faultOf(error)
  } finally {
    // After an early stop the transaction is still open, so the session is discarded.
    session.release(!isSound)
  }
}

/** The first statement of the transaction, so that the cursor reads the same snapshot. */
async function readNumber(session: Session, query: StreamedQuery): Promise<void> {
  const { companyId } = query
  const { rows } = await execute(session, readChangeNumber, { companyId })
  query.changeNumber = Number(rows[0]?.last_entry ?? 0)
}

function firstFetchCount(bytes: number): number {
  return Math.max(1, Math.min(FIRST_ROWS, Math.floor(FETCHED_BYTES / bytes)))
}

/** Estimated by the size of the previous rows. */
function nextFetchCount(count: number, length: number): number {
  const fits = Math.floor((count * FETCHED_BYTES) / Math.max(1, length))
  return Math.max(1, Math.min(MAX_ROWS_AT_ONCE, 4 * count, fits))
}

/**
 * Measures the time that the database works for an answer. An answer with a row limit may take as long as a query, over
 * all its chunks.
 */
class WorkTime {
  readonly #mostMs: number
  #usedMs = 0

  constructor(timeoutMs: number, rows: number) {
    this.#mostMs = rows === Number.POSITIVE_INFINITY ? rows : timeoutMs
  }

  async of<Result>(work: Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    const result = await work
    this.#usedMs += performance.now() - startedAt
    if (this.#usedMs > this.#mostMs) throw queryTooLong(this.#mostMs)
    return result
  }
}

type Row = string[]

/** The maximum length of waiting rows, in characters. */
const MAX_WAITING = 1024 * 1024

/**
 * The rows of a statement as they arrive, with backpressure: while enough rows wait to be consumed, the socket is
 * paused.
 */
class Rows {
  readonly #stream: Connected['connection']['stream']
  #waiting: Row[] = []
  #waitingLength = 0
  #isDone = false
  #wake: () => void = () => {}
  /** The length of all rows so far, in characters. */
  length = 0
  /** Resolves at the end; rejects when the statement fails. */
  readonly ended: Promise<void>

  constructor(session: Session, text: string) {
    this.#stream = (session as unknown as Connected).connection.stream
    const query = new pg.Query({ text, rowMode: 'array' } as pg.QueryConfig)
    query.on('row', (row: unknown) => {
      session.guard.reset()
      this.#add(row as Row)
    })
    this.ended = new Promise((resolve, reject) => {
      query.on('end', () => resolve())
      query.on('error', reject)
    })
    const done = () => {
      this.#isDone = true
      this.#wake()
    }
    this.ended.then(done, done)
    session.query(query)
  }

  /** Returns the rows that have arrived, at least one; undefined after the last. */
  async next(): Promise<readonly Row[] | undefined> {
    while (this.#waiting.length === 0 && !this.#isDone) {
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const rows = this.#waiting
    this.#waiting = []
    this.#waitingLength = 0
    this.#stream.resume()
    return rows.length === 0 ? undefined : rows
  }

  #add(row: Row): void {
    const length = row.reduce((sum, cell) => sum + String(cell).length, 0)
    this.length += length
    this.#waitingLength += length
    this.#waiting.push(row)
    if (this.#waitingLength > MAX_WAITING) this.#stream.pause()
    this.#wake()
  }
}
