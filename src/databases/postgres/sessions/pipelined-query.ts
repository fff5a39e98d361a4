// A statement that is sent together with statements around it: the database answers all of them at once, so that a
// transaction of its own costs a statement no further round trip, and hardly more work.
import type { Socket } from 'node:net'
import pg from 'pg'
import { getOrInsert, memo } from '../../../base/memo.ts'

/** A statement without parameters, whose rows nobody reads. One with a name was prepared before. */
export interface Step {
  readonly name?: string
  readonly text: string
}

/** Members of the driver that its types omit. */
interface Wire {
  readonly stream: Socket
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string }): void
  describe(portal: object): void
  execute(portal: object): void
  sync(): void
}

/** What the driver has been told of the columns of a result, and made of it. */
interface Columns {
  readonly fields: readonly object[]
  readonly _parsers: unknown
  readonly _prebuiltEmptyResultObject: unknown
}

interface DriverQuery {
  name: string | undefined
  text: string
  values: pg.QueryConfig['values']
  queryMode: string
  callback: Callback
  _result: Columns
  _results: Columns
  _accumulateRows: boolean
  submit(connection: Wire): Error | null
  prepare(connection: Wire): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Wire): void
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void

const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig | string) => DriverQuery
const Result = pg.Result as unknown as new (rowMode: unknown) => Columns

/**
 * The columns of the statements that a session has prepared, by name: they do not change, so the database is asked for
 * them once. `told`: the connection, which asks for none.
 */
const described = memo((connection: Wire) => ({
  columns: new Map<string, Columns>(),
  told: Object.assign(Object.create(connection) as Wire, { describe: () => {} }),
}))

/** Has the result of its own statement only. After an error the rest, including the steps after it, is skipped. */
class PipelinedQuery extends DriverQuery {
  readonly #before: readonly Step[]
  readonly #after: readonly Step[]
  #completed = 0

  constructor(query: pg.QueryConfig, around: { before: readonly Step[]; after: readonly Step[] }, callback: Callback) {
    // Given a text alone: the driver copies a configuration by the descriptors of its members, which takes longer.
    super(query.text)
    this.name = query.name
    this.values = query.values
    this.queryMode = 'extended'
    this.callback = callback
    this._result = this._results = new Result((query as pg.QueryArrayConfig).rowMode)
    this.#before = around.before
    this.#after = around.after
  }

  override submit(connection: Wire): Error | null {
    connection.stream.cork()
    try {
      for (const step of this.#before) run(connection, step)
      return super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  override prepare(connection: Wire): void {
    const { columns, told } = described(connection)
    const known = this.name === undefined ? undefined : columns.get(this.name)
    if (known) {
      Object.assign(this._result, known)
      this._accumulateRows = true
    }
    super.prepare(known ? told : connection)
  }

  /** The driver calls this as the last step of a submission. */
  _getRows(connection: Wire): void {
    connection.execute({})
    for (const step of this.#after) run(connection, step)
    connection.sync()
  }

  override handleDataRow(message: object): void {
    if (this.#isAtOwn) super.handleDataRow(message)
  }

  override handleCommandComplete(message: object, connection: Wire): void {
    if (this.#isAtOwn) {
      super.handleCommandComplete(message, connection)
      if (this.name !== undefined) getOrInsert(described(connection).columns, this.name, () => columnsOf(this._result))
    }
    this.#completed += 1
  }

  get #isAtOwn(): boolean {
    return this.#completed === this.#before.length
  }
}

/** Without its rows. */
function columnsOf({ fields, _parsers, _prebuiltEmptyResultObject }: Columns): Columns {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

function run(connection: Wire, { name = '', text }: Step): void {
  if (name === '') connection.parse({ name, text })
  connection.bind({ statement: name })
  connection.execute({})
}

const wireOf = (session: object): Wire => (session as { readonly connection: Wire }).connection

/** What is sent until the end of this turn of the event loop goes as one: the database does not answer in between. */
export function sendTogether(session: pg.ClientBase): void {
  const { stream } = wireOf(session)
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Prepares a statement without running it. */
class Preparation extends DriverQuery {
  override submit(connection: Wire): null {
    const { name = '', text } = this
    connection.parse({ name, text })
    connection.submittedNamedStatements[name] = text
    connection.sync()
    return null
  }
}

type Queryable = Pick<pg.ClientBase, 'query'>

/** Sends a statement between steps, at once. */
export function sendBetween(
  session: Queryable,
  before: readonly Step[],
  query: pg.QueryConfig,
  after: readonly Step[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, result) => (error ? reject(error) : resolve(result))
    session.query(new PipelinedQuery(query, { before, after }, callback) as unknown as pg.Submittable)
  })
}

/** Not awaited: statements of this name may be sent at once. When it fails, they do. */
export function prepare(session: Queryable, step: Required<Step>): void {
  session.query(new Preparation({ ...step, callback: () => {} } as pg.QueryConfig) as unknown as pg.Submittable)
}

/** Not awaited: it runs before the session's next statement. */
export function deallocate(session: Queryable, name: string): void {
  session.query(`deallocate ${name}`).catch(() => {})
  const connection = wireOf(session)
  delete connection.parsedStatements[name]
  described(connection).columns.delete(name)
}
