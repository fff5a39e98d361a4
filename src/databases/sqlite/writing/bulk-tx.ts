// A write whose statements and entries a thread stores. They are handed over in groups, so that the next records are
// prepared meanwhile; a question waits for all that came before it.
import { memo } from '../../../base/memo.ts'
import type { Bindable, Dialect, SqlValue } from '../../../sql/dialect.ts'
import type { CompiledQuery } from '../../../sql/rows/compiled-query.ts'
import { compileStatement, type Statement } from '../../../sql/statement.ts'
import { NewEntries } from '../../../store/chain/audit-chain.ts'
import { JournalMemory, WriteMemory } from '../../../store/chain/journal-memory.ts'
import type { Actor, RowTarget, Tx } from '../../../store/store.ts'
import { sqliteDialect } from '../dialect/dialect.ts'
import { type Begun, listOf, type Rows, type WriteQuestion } from './messages.ts'
import { rowOf } from './session.ts'
import type { StartedThread } from './started-thread.ts'

/** Whoever hands over more waits until the first is stored, so that little is in memory twice. */
const MOST_UNANSWERED = 8

const compiledOf = memo((declared: Statement<never, unknown>) => compileStatement(sqliteDialect, declared))

/** What the records of a write have in common. */
class BulkWrite {
  readonly entries = new NewEntries(new WriteMemory(new JournalMemory()))
  readonly setupVersion: number
  entryNo: number
  readonly #thread: StartedThread
  #statements: number[] = []
  #parameters: Bindable[] = []
  readonly #unanswered: Promise<unknown>[] = []
  #failure: unknown

  constructor(thread: StartedThread, { entryNo, setupVersion, ...start }: Begun) {
    this.#thread = thread
    this.entryNo = entryNo
    this.setupVersion = setupVersion
    this.entries.start(start)
  }

  send(declared: Statement<never, unknown>, values: Record<string, Bindable>): void {
    const { text, names } = compiledOf(declared)
    this.#statements.push(this.#thread.numberOf(text, names.length))
    for (const name of names) this.#parameters.push(values[name] as Bindable)
  }

  async ask(kind: 'get' | 'all' | 'run', text: string, parameters: readonly Bindable[]): Promise<unknown> {
    return this.hand({ kind, statement: this.#thread.numberOf(text, parameters.length), parameters })
  }

  /** Hands over what was done so far. The first failure is that of all that comes after it. */
  async hand(question?: WriteQuestion): Promise<unknown> {
    const work = {
      newStatements: this.#thread.takeNewStatements(),
      statements: this.#statements,
      parameters: this.#parameters,
      entries: listOf(this.entries.take()),
      entryNo: this.entryNo,
    }
    this.#statements = []
    this.#parameters = []
    try {
      return await this.#thread.ask({ kind: 'work', work, question })
    } catch (error) {
      this.#failure ??= error
      throw this.#failure
    }
  }

  async handOver(): Promise<void> {
    const handed = this.hand()
    // Told to whoever waits for it.
    handed.catch(() => {})
    this.#unanswered.push(handed)
    if (this.#unanswered.length > MOST_UNANSWERED) await this.#unanswered.shift()
  }

  async settle(): Promise<void> {
    await Promise.all(this.#unanswered)
  }
}

export class BulkTx implements Tx {
  readonly companyId: string
  readonly actor: Actor
  readonly at: string
  readonly entryNo: number
  readonly #write: BulkWrite

  constructor({ companyId, actor, at }: Pick<Tx, 'companyId' | 'actor' | 'at'>, write: BulkWrite) {
    this.companyId = companyId
    this.actor = actor
    this.at = at
    this.entryNo = write.entryNo
    this.#write = write
  }

  /** Begins a write: resolves when it has the lock. */
  static async begin(thread: StartedThread, companyId: string, by: Pick<Tx, 'actor' | 'at'>): Promise<BulkTx> {
    const begun = (await thread.ask({ kind: 'begin', companyId, ...by })) as Begun
    return new BulkTx({ companyId, ...by }, new BulkWrite(thread, begun))
  }

  get setupVersion(): number {
    return this.#write.setupVersion
  }

  get entries(): NewEntries {
    return this.#write.entries
  }

  nextEntry(): Tx {
    this.#write.entryNo += 1
    return new BulkTx(this, this.#write)
  }

  send<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P): void {
    this.#write.send(declared, values)
  }

  async first<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P) {
    const { columns, rows } = (await this.#ask('get', declared, values)) as Rows
    return rows[0] && rowOf<Row>(columns, rows[0])
  }

  async all<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P) {
    const { columns, rows } = (await this.#ask('all', declared, values)) as Rows
    return rows.map((values) => rowOf<Row>(columns, values))
  }

  async run<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P): Promise<number> {
    return (await this.#ask('run', declared, values)) as number
  }

  async count(compile: (dialect: Dialect) => CompiledQuery): Promise<number> {
    const { text, parameters } = compile(sqliteDialect)
    const { rows } = (await this.#write.ask('get', text, parameters)) as Rows
    return rows[0]?.[0] as number
  }

  insertRows(into: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]> {
    const { entryNo } = this
    return this.#write.hand({ kind: 'insert', entryNo, into, rows }) as Promise<readonly boolean[]>
  }

  moveHead(): void {
    throw new Error('the thread that stores the entries chains them')
  }

  handOver(): Promise<void> {
    return this.#write.handOver()
  }

  /** Resolves when all that was handed over is done. */
  settle(): Promise<void> {
    return this.#write.settle()
  }

  #ask(kind: 'get' | 'all' | 'run', declared: Statement<never, unknown>, values: Record<string, Bindable>) {
    const { text, names } = compiledOf(declared)
    const parameters = names.map((name) => values[name] as Bindable)
    return this.#write.ask(kind, text, parameters)
  }
}
