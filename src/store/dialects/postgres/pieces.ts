// A large answer piece by piece: a cursor in a transaction of its own sees one snapshot, however long it takes.
import { type AnswerRow, AnswerText } from '../../answer-text.ts'
import type { CollectionQuery, CompiledQuery, Pieces } from '../../store.ts'
import type { Interest } from './interest.ts'
import { bindTo, type Session } from './session.ts'

const ROWS_AT_ONCE = 1_000
/** While a client is slow to take a piece, the transaction is idle. */
const BEGIN = "begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '60s'"

interface Wish extends Pick<CollectionQuery, 'format' | 'cells'> {
  readonly companyId: string
  readonly interest: Interest
  faultOf(error: unknown): unknown
}

/** Gives the session back when it is done or left. */
export async function* piecesOf(session: Session, { text, parameters }: CompiledQuery, wish: Wish): Pieces {
  const { companyId, interest } = wish
  let isSound = false
  try {
    const fetch = () => session.query<string[]>({ text: `fetch ${ROWS_AT_ONCE} from answer`, rowMode: 'array' })
    const declare = { text: `declare answer no scroll cursor for ${text}`, values: [...parameters] }
    const open = () => Promise.all([bindTo(session, companyId), session.query(BEGIN), session.query(declare), fetch()])
    const answer = new AnswerText(wish)
    let { rows } = (await interest.during(session, open))[3]
    for (;;) {
      for (const row of rows) {
        if (answer.add(wish.format === 'csv' ? row : (row[0] as AnswerRow))) yield Buffer.from(answer.piece())
      }
      if (rows.length < ROWS_AT_ONCE) break
      rows = (await interest.during(session, fetch)).rows
    }
    yield Buffer.from(answer.end())
    await session.query('commit')
    isSound = true
    return answer.rows
  } catch (error) {
    throw wish.faultOf(error)
  } finally {
    // Left in the middle, the transaction is still open: the session is not worth keeping.
    session.release(!isSound)
  }
}
