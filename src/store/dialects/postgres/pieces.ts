// A large answer piece by piece: a cursor in a transaction of its own sees one snapshot, however long it takes.
import { type AnswerRow, AnswerText } from '../../answer-text.ts'
import type { ByteStream, CollectionQuery, CompiledQuery } from '../../store.ts'
import { queryTooLong } from '../../store-fault.ts'
import { Rows } from './rows.ts'
import type { Interest } from './sessions/interest.ts'
import { bindTo, type Session } from './sessions/session.ts'

const FIRST_ROWS = 100
const MOST_ROWS_AT_ONCE = 1_000
/** What is fetched at once is as large as this at most, as far as can be known before. */
const FETCHED_BYTES = 8 * 1024 * 1024
/** While a client is slow to take a piece, the transaction is idle. */
const BEGIN = "begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '60s'"

interface StreamedQuery extends Pick<CollectionQuery, 'format' | 'cells'> {
  readonly companyId: string
  readonly interest: Interest
  readonly timeoutMs: number
  faultOf(error: unknown): unknown
}

/** Gives the session back when it is done or left. */
export async function* piecesOf(
  session: Session,
  { text, parameters, scanEstimate }: CompiledQuery,
  query: StreamedQuery,
): ByteStream {
  const { companyId, interest, format } = query
  const time = new WorkTime(query.timeoutMs, scanEstimate.rows)
  let isSound = false
  try {
    const declare = { text: `declare answer no scroll cursor for ${text}`, values: [...parameters] }
    const opened = [bindTo(session, companyId), session.query(BEGIN), session.query(declare)]
    for (const one of opened) one.catch(() => {})
    const answer = new AnswerText(query)
    for (let count = firstCount(scanEstimate.work.bytes); ; ) {
      const before = answer.rows
      const fetched = new Rows(session, `fetch ${count} from answer`)
      const ended = interest.during(session, () => fetched.ended)
      ended.catch(() => {})
      for (;;) {
        const rows = await time.of(fetched.next())
        if (!rows) break
        for (const row of rows) {
          if (answer.add(format === 'csv' ? row : (row[0] as AnswerRow))) yield Buffer.from(answer.piece())
        }
      }
      await Promise.all([...opened, ended])
      if (answer.rows - before < count) break
      count = nextCount(count, fetched.length)
    }
    yield Buffer.from(answer.end())
    await session.query('commit')
    isSound = true
    return answer.rows
  } catch (error) {
    throw query.faultOf(error)
  } finally {
    // Left in the middle, the transaction is still open: the session is not worth keeping.
    session.release(!isSound)
  }
}

function firstCount(bytes: number): number {
  return Math.max(1, Math.min(FIRST_ROWS, Math.floor(FETCHED_BYTES / bytes)))
}

/** Rows are like those before them. */
function nextCount(count: number, length: number): number {
  const fits = Math.floor((count * FETCHED_BYTES) / Math.max(1, length))
  return Math.max(1, Math.min(MOST_ROWS_AT_ONCE, 4 * count, fits))
}

/**
 * How long the database has worked for an answer: one that is bounded takes as long as a query may, in all its pieces.
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
