// Streams a large answer in chunks: a cursor in a transaction of its own reads one snapshot, however long it takes.
import pg from 'pg'
import type { CompiledQuery } from '../../../sql/rows/compiled-query.ts'
import { AnswerBytes, type AnswerFormat, type AnswerRow } from '../../../store/answer-bytes.ts'
import { readChangeNumber } from '../../../store/change-number.ts'
import type { ByteStream, CollectionQuery } from '../../../store/store.ts'
import { queryTooLong } from '../../../store/store-fault.ts'
import { begin } from './company-transaction.ts'
import type { Connected } from './guard-session.ts'
import type { QueryCanceller } from './query-canceller.ts'
import { execute, readBackendId, type Session } from './session.ts'

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
  const { companyId, canceller } = query
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
    const answer = new AnswerBytes(query)
    for (let count = firstFetchCount(rowBytes); ; ) {
      const before = { rows: answer.rows, bytes: answer.bytes }
      const fetched = new Rows(session, `fetch ${count} from answer`, answer, query.format)
      const ended = canceller.run(session, () => fetched.ended)
      ended.catch(() => {})
      await time.of(Promise.all(opened))
      for (;;) {
        const chunks = await time.of(fetched.next())
        if (!chunks) break
        yield* chunks
      }
      await ended
      if (answer.rows - before.rows < count) break
      count = nextFetchCount(count, answer.bytes - before.bytes)
    }
    yield answer.end()
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

/** The maximum size of waiting chunks. */
const MAX_WAITING = 1024 * 1024

/** The statement whose rows the driver is told of first. */
class RowQuery extends (pg.Query as unknown as new (
  config: object,
) => pg.Query & {
  handleRowDescription(message: object): void
}) {
  readonly #begun: () => void

  constructor(text: string, begun: () => void) {
    super({ text, rowMode: 'array' })
    this.#begun = begun
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    this.#begun()
  }
}

/**
 * Adds the rows of a statement to an answer as they arrive, with backpressure: while enough of them wait to be read,
 * the socket is paused. Rows of one column, which are JSON already, are added as the bytes that they come as.
 */
class Rows {
  readonly #stream: Connected['connection']['stream']
  readonly #answer: AnswerBytes
  #isDone = false
  #wake: () => void = () => {}
  /** Resolves at the end; rejects when the statement fails. */
  readonly ended: Promise<void>

  constructor(session: Session, text: string, answer: AnswerBytes, format: AnswerFormat) {
    const { guard } = session
    this.#stream = (session as unknown as Connected).connection.stream
    this.#answer = answer
    const taken =
      <Taken>(add: (one: Taken) => void) =>
      (one: Taken) => {
        guard.reset()
        add(one)
        if (answer.waiting > MAX_WAITING) this.#stream.pause()
        if (answer.waiting > 0) this.#wake()
      }
    const taker = { begin: () => answer.begin(), addBytes: taken((bytes: Uint8Array) => answer.addBytes(bytes)) }
    const isCells = format === 'csv'
    const query = new RowQuery(text, () => {
      if (!isCells) guard.rows.taker = taker
    })
    query.on(
      'row',
      taken((row: AnswerRow[]) => answer.add(isCells ? (row as AnswerRow) : (row[0] as AnswerRow))),
    )
    const done = () => {
      // All rows may have come with their description.
      guard.rows.taker = undefined
      this.#isDone = true
      this.#wake()
    }
    this.ended = new Promise<void>((resolve, reject) => {
      query.on('end', () => resolve())
      query.on('error', reject)
      for (const last of ['end', 'error'] as const) query.on(last, done)
    })
    session.query(query)
  }

  /** Returns the chunks that are full; undefined after the last row. */
  async next(): Promise<readonly Buffer[] | undefined> {
    while (this.#answer.waiting === 0 && !this.#isDone) {
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const chunks = this.#answer.takeChunks()
    this.#stream.resume()
    return chunks.length === 0 ? undefined : chunks
  }
}
