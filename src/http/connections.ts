// Sockets are bounded in all and for each address, so that nobody can take them all. Where there is no room, one that waits
// for a request is closed, as a client must expect at any time (RFC 9112, 9.5): idle connections keep nobody out.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionFigures } from '../observe/figures.ts'
import { Flood } from '../observe/flood.ts'
import type { Observe } from '../observe/observation.ts'
import { hasRequest } from './client-error.ts'

const MAX_CONNECTIONS = 2_000
export const CONNECTIONS_PER_ADDRESS = 200

export class Connections {
  readonly #perAddress: number
  readonly #figures: ConnectionFigures
  readonly #observe: Observe
  /** The oldest first. */
  readonly #byAddress = new Map<string, Set<Socket>>()
  readonly #flood = new Flood()

  constructor(figures: ConnectionFigures, observe: Observe, perAddress = CONNECTIONS_PER_ADDRESS) {
    this.#figures = figures
    this.#observe = observe
    this.#perAddress = perAddress
  }

  /** Must be called before the server listens. */
  guard(server: Server): void {
    server.on('connection', (socket: Socket) => this.#take(socket))
  }

  #take(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const others = this.#byAddress.get(address)
    if (others && others.size >= this.#perAddress && !this.#reclaim(address, others)) {
      this.#refuse(socket, address, 'address')
    } else if (this.#figures.open >= MAX_CONNECTIONS && !this.#reclaimAnywhere()) {
      this.#refuse(socket, address, 'all')
    } else this.#add(socket, address)
  }

  #add(socket: Socket, address: string): void {
    const sockets = this.#byAddress.get(address) ?? new Set()
    this.#byAddress.set(address, sockets.add(socket))
    this.#figures.open += 1
    socket.once('close', () => this.#remove(socket, address))
  }

  #remove(socket: Socket, address: string): void {
    const sockets = this.#byAddress.get(address)
    if (!sockets?.delete(socket)) return
    this.#figures.open -= 1
    if (sockets.size === 0) this.#byAddress.delete(address)
  }

  /** The oldest one that has no request; false when all of them have one. */
  #reclaim(address: string, sockets: ReadonlySet<Socket>): boolean {
    for (const socket of sockets) {
      if (hasRequest(socket)) continue
      this.#figures.reclaimed += 1
      this.#remove(socket, address)
      socket.destroy()
      return true
    }
    return false
  }

  /** The address with the most connections gives one first. */
  #reclaimAnywhere(): boolean {
    const greediestFirst = [...this.#byAddress].sort(([, one], [, other]) => other.size - one.size)
    return greediestFirst.some(([address, sockets]) => this.#reclaim(address, sockets))
  }

  #refuse(socket: Socket, address: string, bound: keyof ConnectionFigures['refused']): void {
    socket.destroy()
    this.#figures.refused[bound] += 1
    const leftOut = this.#flood.pass(performance.now())
    if (leftOut !== undefined) this.#observe({ kind: 'connection-refused', address, bound, leftOut })
  }
}
