// A pooler between services and PostgreSQL that hands each transaction another session of the database, as PgBouncer
// does with `pool_mode = transaction`. It notes whatever would leave something in a session, and refuses it.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Sessions of the database for each role and database: fewer than a service has connections. */
export const SESSIONS = 4
const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102

/** What a transaction must not leave in the session, by the beginning of a statement or anywhere in it. */
const LEAVES_SOMETHING = [
  /^set\s+(?!local\b|transaction\b)/i,
  /^(listen|prepare|discard|load|reset)\b/i,
  /^create\s+temp/i,
  /\bwith hold\b/i,
  /\bset_config\([^)]*,\s*false\s*\)/i,
  /\bpg_(try_)?advisory_lock\b/i,
]

/** A message of the protocol: its type, and all its bytes. */
interface Message {
  readonly type: string
  readonly bytes: Buffer
}

export class TransactionPooler {
  /** What would not work behind a pooler, such as a prepared statement with a name. */
  readonly violations = new Set<string>()
  /** How many transactions ran in each session of the database. */
  readonly transactions = new Map<Socket, number>()
  readonly #server: Server
  readonly #target: { host: string; port: number }
  readonly #pools = new Map<string, Pool>()
  readonly #sockets = new Set<Socket>()

  private constructor(admin: string) {
    const { hostname, port } = new URL(admin)
    this.#target = { host: hostname, port: Number(port) }
    this.#server = createServer((socket) => this.#accept(socket))
  }

  /** `admin` is any address of the server. */
  static async start(admin: string): Promise<TransactionPooler> {
    const pooler = new TransactionPooler(admin)
    pooler.#server.listen(0, '127.0.0.1')
    await once(pooler.#server, 'listening')
    return pooler
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(socket: Socket): void {
    this.#keep(socket)
    const violate = (what: string) => {
      this.violations.add(what)
      socket.destroy()
    }
    socket.once('data', (first: Buffer) => {
      const code = first.readInt32BE(4)
      if (code === SSL_REQUEST || code === CANCEL_REQUEST) return violate('a request for TLS or to cancel')
      const parameters = first.toString('utf8', 8).split('\0')
      if (parameters.includes('options')) return violate('unsupported startup parameter: options')
      this.#logIn(socket, first, parameters, violate)
    })
  }

  /** The database itself checks the login, in a session that joins the pool when there is room. */
  #logIn(socket: Socket, first: Buffer, parameters: readonly string[], violate: (what: string) => void): void {
    const key = ['user', 'database'].map((name) => parameters[parameters.indexOf(name) + 1]).join('/')
    const pool = this.#pools.get(key) ?? new Pool(this.transactions)
    this.#pools.set(key, pool)
    const session = connect(this.#target)
    this.#keep(session)
    session.write(first)
    const forward = (bytes: Buffer) => session.write(bytes)
    socket.on('data', forward)
    const end = () => session.destroy()
    socket.on('close', end)
    onMessages(session, ({ type, bytes }) => {
      socket.write(bytes)
      if (type !== 'Z') return
      session.removeAllListeners('data')
      socket.off('data', forward)
      socket.off('close', end)
      pool.add(session)
      new Client(socket, pool, violate)
    })
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
  }
}

/** The sessions of a role with a database. */
class Pool {
  readonly #counts: Map<Socket, number>
  readonly #free: Socket[] = []
  readonly #waiting: ((session: Socket) => void)[] = []
  #size = 0

  constructor(counts: Map<Socket, number>) {
    this.#counts = counts
  }

  add(session: Socket): void {
    if (this.#size === SESSIONS) {
      session.destroy()
      return
    }
    this.#size += 1
    session.on('close', () => {
      this.#size -= 1
      const at = this.#free.indexOf(session)
      if (at >= 0) this.#free.splice(at, 1)
    })
    this.release(session)
  }

  /** The session that was used least recently is next. */
  async take(): Promise<Socket> {
    const session = this.#free.shift() ?? (await new Promise<Socket>((resolve) => this.#waiting.push(resolve)))
    this.#counts.set(session, (this.#counts.get(session) ?? 0) + 1)
    return session
  }

  release(session: Socket): void {
    session.removeAllListeners('data')
    const next = this.#waiting.shift()
    if (next) next(session)
    else this.#free.push(session)
  }
}

/** A connection of a service, which has a session from the first statement of a transaction to its end. */
class Client {
  readonly #socket: Socket
  readonly #pool: Pool
  readonly #violate: (what: string) => void
  #session: Socket | undefined
  #isWaiting = false
  readonly #unsent: Buffer[] = []
  /** A service notices that its session is lost. */
  readonly #lose = () => this.#socket.destroy()
  /** The questions that the database has not answered to the end. */
  #open = 0
  /** Whether messages were sent after the last question. */
  #isAsking = false

  constructor(socket: Socket, pool: Pool, violate: (what: string) => void) {
    this.#socket = socket
    this.#pool = pool
    this.#violate = violate
    onMessages(socket, (message) => this.#send(message))
    // A transaction that is not at its end is rolled back with its session.
    socket.on('close', () => this.#session?.destroy())
  }

  #send({ type, bytes }: Message): void {
    if (type === 'X') {
      this.#socket.end()
      return
    }
    for (const found of leavings(type, bytes)) this.#violate(found)
    this.#isAsking = type !== 'S' && type !== 'Q'
    if (!this.#isAsking) this.#open += 1
    if (this.#session) this.#session.write(bytes)
    else this.#wait(bytes)
  }

  #wait(bytes: Buffer): void {
    this.#unsent.push(bytes)
    if (this.#isWaiting) return
    this.#isWaiting = true
    void this.#pool.take().then((session) => this.#use(session))
  }

  #use(session: Socket): void {
    this.#isWaiting = false
    if (this.#socket.destroyed) {
      this.#pool.release(session)
      return
    }
    this.#session = session
    onMessages(session, (message) => this.#answer(session, message))
    session.on('close', this.#lose)
    for (const bytes of this.#unsent.splice(0)) session.write(bytes)
  }

  #answer(session: Socket, { type, bytes }: Message): void {
    this.#socket.write(bytes)
    if (type !== 'Z') return
    this.#open -= 1
    const isIdle = String.fromCharCode(bytes[5] ?? 0) === 'I'
    if (!isIdle || this.#open > 0 || this.#isAsking) return
    this.#session = undefined
    session.off('close', this.#lose)
    this.#pool.release(session)
  }
}

/** What a message would leave in the session. */
function leavings(type: string, bytes: Buffer): string[] {
  const texts = bytes.toString('utf8', 5).split('\0')
  if (type === 'P' && texts[0] !== '') return [`the named statement ${texts[0]}`]
  const text = type === 'Q' ? texts[0] : type === 'P' ? texts[1] : ''
  const statements = (text ?? '').split(';').map((statement) => statement.trim())
  return statements.filter((statement) => LEAVES_SOMETHING.some((pattern) => pattern.test(statement)))
}

function onMessages(socket: Socket, take: (message: Message) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (piece: Buffer) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    while (rest.length >= 5) {
      const size = rest.readInt32BE(1) + 1
      if (rest.length < size) break
      const bytes = rest.subarray(0, size)
      rest = rest.subarray(size)
      take({ type: String.fromCharCode(bytes[0] ?? 0), bytes })
    }
  })
}
