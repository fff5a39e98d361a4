// A statement that is sent together with statements around it: the database answers all of them at once, so that a
// transaction of its own costs a statement no further round trip, and hardly more work.
import type { Socket } from 'node:net'
import pg from 'pg'

/** A statement without parameters, whose rows nobody reads. One with a name was prepared before. */
export interface Step {
  readonly name?: string
  readonly text: string
}

/** Members of the driver that its types omit. */
interface Wire {
  readonly stream: Socket
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string }): void
  execute(portal: object): void
  sync(): void
}

interface DriverQuery {
  readonly name: string
  readonly text: string
  submit(connection: Wire): Error | null
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Wire): void
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void

const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig & { callback?: Callback }) => DriverQuery

/** Has the result of its own statement only. After an error the rest, including the steps after it, is skipped. */
class PipelinedQuery extends DriverQuery {
  readonly #before: readonly Step[]
  readonly #after: readonly Step[]
  #completed = 0

  constructor(query: pg.QueryConfig, around: { before: readonly Step[]; after: readonly Step[] }, callback: Callback) {
    super({ ...query, queryMode: 'extended', callback } as pg.QueryConfig)
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
    if (this.#isAtOwn) super.handleCommandComplete(message, connection)
    this.#completed += 1
  }

  get #isAtOwn(): boolean {
    return this.#completed === this.#before.length
  }
}

function run(connection: Wire, { name = '', text }: Step): void {
  if (name === '') connection.parse({ name, text })
  connection.bind({ statement: name })
  connection.execute({})
}

/** What is sent until the end of this turn of the event loop goes as one: the database does not answer in between. */
export function sendTogether(session: pg.ClientBase): void {
  const { stream } = (session as unknown as { connection: Wire }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Prepares a statement without running it. */
class Preparation extends DriverQuery {
  override submit(connection: Wire): null {
    connection.parse({ name: this.name, text: this.text })
    connection.submittedNamedStatements[this.name] = this.text
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
  session.query(new Preparation({ ...step, callback: () => {} }) as unknown as pg.Submittable)
}
