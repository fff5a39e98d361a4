// Transactions of a company: each is bound to it by a setting of the transaction, which row-level security asks for and
// which ends with it. Nothing of it stays in the session.
import pg from 'pg'
import { bindingOf, bindingSetting } from '../../../sql/row-security.ts'
import { type Step, sendBetween, sendTogether } from './pipelined-query.ts'
import type { QueryCanceller } from './query-canceller.ts'
import { readBackendId, type Session } from './session.ts'

const BEGIN = ['begin']
/**
 * Has the database plan a named statement once, without its values, and find rows in their order: it takes values to be
 * equally frequent, and might sort the many rows of one.
 */
export const ONE_PLAN = { plan_cache_mode: 'force_generic_plan', enable_sort: 'off' } as const
const BEGIN_ONE_PLAN = [...BEGIN, ...Object.entries(ONE_PLAN).map(([name, value]) => `set local ${name} = ${value}`)]
const ONE_PLAN_SETTINGS = Object.entries(ONE_PLAN).map(([name, value]) => `set_config('${name}', '${value}', true)`)

/** The statement that binds a transaction to a company. */
export function binding(companyId: string): string {
  return bindingOf(companyId, pg.escapeLiteral)
}

/** Begins a transaction of a company. It is sent before this function returns, so later statements belong to it. */
export function begin(session: Session, companyId: string, texts: readonly string[] = BEGIN): Promise<unknown> {
  sendTogether(session)
  const steps = stepsOf(session, companyId, texts)
  return sendBetween(session, steps.slice(0, -1), steps.at(-1) as Step, [])
}

/** The rest of a transaction is of another company. Sent before this function returns. */
export async function rebind(session: Session, companyId: string): Promise<void> {
  await session.query(binding(companyId))
}

/** Runs one statement in a transaction of a company, with one round trip. */
export async function ask(
  session: Session,
  companyId: string,
  query: pg.QueryConfig,
  { canceller, isOnePlan = false }: { canceller?: QueryCanceller | undefined; isOnePlan?: boolean | undefined } = {},
): Promise<pg.QueryResult> {
  if (canceller && session.statements.isPooled) return askPooled(session, companyId, query, canceller)
  const send = () => (session.isAlone ? askAlone : askBetween)(session, companyId, query, isOnePlan)
  return canceller ? canceller.run(session, send) : send()
}

/**
 * Statements that are sent together are a transaction, which the end of the last one commits or an error rolls back. A
 * server that stands alone needs to be told no more.
 */
async function askAlone(
  session: Session,
  companyId: string,
  query: pg.QueryConfig,
  isOnePlan: boolean,
): Promise<pg.QueryResult> {
  sendTogether(session)
  const settings = [bindingSetting(companyId, pg.escapeLiteral), ...(isOnePlan ? ONE_PLAN_SETTINGS : [])]
  return sendBetween(session, [session.statements.step(`select ${settings.join(', ')}`)], query, [])
}

async function askBetween(
  session: Session,
  companyId: string,
  query: pg.QueryConfig,
  isOnePlan: boolean,
): Promise<pg.QueryResult> {
  try {
    sendTogether(session)
    const before = stepsOf(session, companyId, isOnePlan ? BEGIN_ONE_PLAN : BEGIN)
    return await sendBetween(session, before, query, [session.statements.step('commit')])
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * The same where a cancellation must not come after the end of the transaction: the session of the database may serve
 * others then. So the transaction is ended when none can come any more.
 */
async function askPooled(
  session: Session,
  companyId: string,
  query: pg.QueryConfig,
  canceller: QueryCanceller,
): Promise<pg.QueryResult> {
  try {
    const begun = Promise.all([begin(session, companyId), readBackendId(session)])
    begun.catch(() => {})
    const result = await canceller.run(session, () => session.query(query))
    await begun
    await session.query('commit')
    return result
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}

function stepsOf({ statements }: Session, companyId: string, texts: readonly string[]): Step[] {
  const [first = '', ...more] = texts
  return [first, ...statements.limits, ...more, binding(companyId)].map((text) => statements.step(text))
}
