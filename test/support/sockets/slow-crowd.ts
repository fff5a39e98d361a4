// Clients who do next to nothing for as long as they are let: they send a byte a second, or take nothing of an answer. Who is
// closed comes back, until the crowd stops.
import { connect, type Socket } from 'node:net'

const BEAT_MS = 1_000
/** Sooner than this it was not slowness: the connection was one too many. */
const AT_ONCE_MS = 1_000

export interface SlowManner {
  /** Sent at once. */
  readonly opening: string
  /** Sent every second; empty for those who wait for an answer and do not read it. */
  readonly drip: string
}

export class SlowCrowd {
  /** How long each was let that was closed, in milliseconds. */
  readonly ages: number[] = []
  /** Status lines that some were told. */
  readonly told = new Map<string, number>()
  /** Closed as soon as they came. */
  turnedAway = 0
  readonly #address: URL
  readonly #manner: SlowManner
  readonly #open = new Map<Socket, number>()
  #isStopped = false
  readonly #beat: NodeJS.Timeout

  constructor(address: string, manner: SlowManner) {
    this.#address = new URL(address)
    this.#manner = manner
    this.#beat = setInterval(() => this.#drip(), BEAT_MS)
  }

  get size(): number {
    return this.#open.size
  }

  /** The age of the oldest that is still open. */
  get oldest(): number {
    return Math.max(0, ...[...this.#open.values()].map((openedAt) => performance.now() - openedAt))
  }

  /** At once, or one after the other within the time. */
  add(count: number, localAddress: string, withinMs = 0): void {
    for (let added = 0; added < count; added++) {
      setTimeout(() => this.#come(localAddress), (added / count) * withinMs).unref()
    }
  }

  /** Who reads nothing does not see that the connection is closed before it writes on it. */
  knock(): void {
    for (const socket of this.#open.keys()) if (socket.writable) socket.write('\r\n')
  }

  /** Nobody comes back any more; those who are there stay. */
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
    if (age < AT_ONCE_MS) this.turnedAway++
    else this.ages.push(age)
    setTimeout(() => this.#come(localAddress), BEAT_MS).unref()
  }

  #note(line: string): void {
    this.told.set(line, (this.told.get(line) ?? 0) + 1)
  }

  #drip(): void {
    if (this.#manner.drip === '') return
    for (const socket of this.#open.keys()) if (socket.writable) socket.write(this.#manner.drip)
  }
}
