// A session with the database: bound to one company by row-level security, and what a write does in it.
import type pg from 'pg'
import { type ChainHead, NewEntries } from '../../audit-chain.ts'
import type { Expressions } from '../../compile/expressions.ts'
import { moveHead, takeNumber } from '../../journal.ts'
import {
  type CompiledStatement,
  compileStatement,
  insertStatement,
  type SqlValue,
  type Statement,
} from '../../statement.ts'
import type { Actor, CompiledQuery, Tx } from '../../store.ts'
import { postgresCompiler } from './compiler.ts'
import { postgresEngine } from './engine.ts'
import { postgresExpressions } from './expressions.ts'

export type Session = pg.PoolClient & { company?: string }

const compiledStatements = new Map<string, CompiledStatement>()

/** Runs a fixed statement, prepared once in each session. */
export async function execute<P extends Record<string, SqlValue>>(
  session: Session,
  declared: Statement<P, unknown>,
  values: P,
) {
  let compiled = compiledStatements.get(declared.name)
  if (!compiled) {
    compiled = compileStatement(postgresCompiler, postgresEngine, declared)
    compiledStatements.set(declared.name, compiled)
  }
  return session.query({ name: declared.name, text: compiled.text, values: compiled.names.map((name) => values[name]) })
}

/** The one number that a query answers. */
export async function countIn(session: Session, compile: (engine: Expressions) => CompiledQuery): Promise<number> {
  const { text, parameters } = compile(postgresExpressions)
  const { rows } = await session.query({ text, values: [...parameters], rowMode: 'array' })
  return Number(rows[0]?.[0])
}

/** Sessions are pooled; one remembers for which company it was last bound, so that the usual case costs nothing. */
export async function bindTo(session: Session, companyId: string): Promise<void> {
  if (session.company === companyId) return
  await session.query({
    name: 'bind_company',
    text: `select set_config('tabularium.company', $1, false)`,
    values: [companyId],
  })
  session.company = companyId
}

/** A write in a session that has begun its transaction. */
export class PostgresTx implements Tx {
  readonly companyId: string
  readonly actor: Actor
  readonly at: string
  readonly entries: NewEntries
  entryNo = 0
  readonly #session: Session

  constructor(session: Session, companyId: string, actor: Actor, at: string, entries = new NewEntries()) {
    this.#session = session
    this.companyId = companyId
    this.actor = actor
    this.at = at
    this.entries = entries
  }

  async next(): Promise<Tx> {
    const tx = new PostgresTx(this.#session, this.companyId, this.actor, this.at, this.entries)
    const { entryNo, head } = await takeNumber(tx)
    tx.entryNo = entryNo
    tx.entries.head = head
    return tx
  }

  async moveHead(head: ChainHead): Promise<void> {
    await this.run(moveHead, { companyId: this.companyId, ...head })
  }

  async first<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P) {
    return (await execute(this.#session, declared, values)).rows[0] as Row | undefined
  }

  async all<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P) {
    return (await execute(this.#session, declared, values)).rows as Row[]
  }

  count(compile: (engine: Expressions) => CompiledQuery): Promise<number> {
    return countIn(this.#session, compile)
  }

  async insert(table: string, row: Readonly<Record<string, SqlValue>>): Promise<'inserted' | 'taken'> {
    const stamped = { company_id: this.companyId, ...row, updated_at: this.at, updated_by: this.actor.userId }
    const changed = await this.run(insertStatement(table, Object.keys(stamped)), stamped)
    return changed === 0 ? 'taken' : 'inserted'
  }

  async run<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    return (await execute(this.#session, declared, values)).rowCount ?? 0
  }
}
