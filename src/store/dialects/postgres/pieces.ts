// A large answer piece by piece: a cursor in a transaction of its own sees one snapshot, however long it takes.
import { type AnswerRow, AnswerText } from '../../answer-text.ts'
import type { CollectionQuery, CompiledQuery, Pieces } from '../../store.ts'
import type { Session } from './session.ts'

const ROWS_AT_ONCE = 1_000
/** While a client is slow to take a piece, the transaction is idle. */
const BEGIN = "begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '60s'"

/** Gives the session back when it is done or left. */
export async function* piecesOf(
  session: Session,
  { text, parameters }: CompiledQuery,
  wish: Pick<CollectionQuery, 'format' | 'cells'>,
  faultOf: (error: unknown) => unknown,
): Pieces {
  let isSound = false
  try {
    await session.query(BEGIN)
    await session.query({ text: `declare answer no scroll cursor for ${text}`, values: [...parameters] })
    const answer = new AnswerText(wish)
    for (;;) {
      const { rows } = await session.query<string[]>({ text: `fetch ${ROWS_AT_ONCE} from answer`, rowMode: 'array' })
      for (const row of rows) {
        if (answer.add(wish.format === 'csv' ? row : (row[0] as AnswerRow))) yield Buffer.from(answer.piece())
      }
      if (rows.length < ROWS_AT_ONCE) break
    }
    yield Buffer.from(answer.end())
    await session.query('commit')
    isSound = true
    return answer.rows
  } catch (error) {
    throw faultOf(error)
  } finally {
    // Left in the middle, the transaction is still open: the session is not worth keeping.
    session.release(!isSound)
  }
}
