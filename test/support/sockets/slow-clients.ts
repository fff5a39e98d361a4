// Slow clients: they send a byte a second, or read nothing of an answer, for as long as the service permits. Closed
// ones reconnect until they are stopped.
import { connect, type Socket } from 'node:net'

const BEAT_MS = 1_000
/** A connection closed sooner than this was rejected by a connection limit, not for being slow. */
const AT_ONCE_MS = 1_000

export interface SlowBehaviour {
  /** Sent on connecting. */
  readonly opening: string
  /** Sent every second; empty for clients that wait for an answer and do not read it. */
  readonly drip: string
}

export class SlowClients {
  /** The lifetimes of closed connections, in milliseconds. */
  readonly ages: number[] = []
  /** The status lines that were received, and how often. */
  readonly statusLines = new Map<string, number>()
  /** The number of connections that were closed immediately. */
  rejectedConnections = 0
  readonly #address: URL
  readonly #manner: SlowBehaviour
  readonly #open = new Map<Socket, number>()
  #isStopped = false
  readonly #beat: NodeJS.Timeout

  constructor(address: string, manner: SlowBehaviour) {
    this.#address = new URL(address)
    this.#manner = manner
    this.#beat = setInterval(() => this.#drip(), BEAT_MS)
  }

  get size(): number {
    return this.#open.size
  }

  /** The age of the oldest open connection. */
  get oldest(): number {
    return Math.max(0, ...[...this.#open.values()].map((openedAt) => performance.now() - openedAt))
  }

  /** Connects all at once, or spread over the time. */
  add(count: number, localAddress: string, withinMs = 0): void {
    for (let added = 0; added < count; added++) {
      setTimeout(() => this.#come(localAddress), (added / count) * withinMs).unref()
    }
  }

  /** A client that reads nothing notices a closed connection only when it writes. */
  knock(): void {
    for (const socket of this.#open.keys()) if (socket.writable) socket.write('\r\n')
  }

  /** Stops reconnecting; open connections stay open. */
  stop(): void {
    this.#isStopped = true
  }

  close(): void {
    this.stop()
    clearInterval(this.#beat)
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #come(localAddress: string): void {
    if (this.#isStopped) return
    const { hostname, port } = this.#address
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('connect', () => {
      this.#open.set(socket, performance.now())
      socket.write(this.#manner.opening)
    })
    if (this.#manner.drip === '') socket.pause()
    else socket.once('data', (chunk: Buffer) => this.#note(chunk.toString('latin1').split('\r\n')[0] ?? ''))
    socket.on('error', () => {})
    socket.on('close', () => this.#leave(socket, localAddress))
  }

  #leave(socket: Socket, localAddress: string): void {
    const openedAt = this.#open.get(socket)
    this.#open.delete(socket)
    const age = openedAt === undefined ? 0 : performance.now() - openedAt
    if (age < AT_ONCE_MS) this.rejectedConnections++
    else this.ages.push(age)
    setTimeout(() => this.#come(localAddress), BEAT_MS).unref()
  }

  #note(line: string): void {
    this.statusLines.set(line, (this.statusLines.get(line) ?? 0) + 1)
  }

  #drip(): void {
    if (this.#manner.drip === '') return
    for (const socket of this.#open.keys()) if (socket.writable) socket.write(this.#manner.drip)
  }
}
