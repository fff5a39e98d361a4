// Limits the number of connections in total and per client address. At a limit, the oldest idle connection is closed
// for the new one, as a client must expect at any time (RFC 9112, 9.5); the new one is rejected only if none is idle.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TrustedProxies } from '../base/trusted-proxies.ts'
import { LogThrottle } from '../observe/log-throttle.ts'
import type { ConnectionMetrics } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import { hasRequest } from './pipeline/client-error.ts'

export interface ConnectionBounds {
  readonly all: number
  readonly fromAddress: number
}

/** In each process. */
const CONNECTION_BOUNDS: ConnectionBounds = { all: 2_000, fromAddress: 320 }

export class Connections {
  readonly #bounds: ConnectionBounds
  /** They hold the connections of many clients, so only the bound of all applies to them. */
  readonly #proxies: TrustedProxies
  readonly #metrics: ConnectionMetrics
  readonly #observe: Observe
  /** Each set has its oldest connection first. */
  readonly #byAddress = new Map<string, Set<Socket>>()
  readonly #logThrottle = new LogThrottle()

  constructor(metrics: ConnectionMetrics, observe: Observe, proxies: TrustedProxies, bounds = CONNECTION_BOUNDS) {
    this.#metrics = metrics
    this.#observe = observe
    this.#proxies = proxies
    this.#bounds = bounds
  }

  /** Must be called before the server listens. */
  guard(server: Server): void {
    server.on('connection', (socket: Socket) => this.#accept(socket))
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const fromAddress = this.#byAddress.get(address)
    const isFull = fromAddress && fromAddress.size >= this.#bounds.fromAddress && !this.#proxies.has(address)
    if (isFull && !this.#reclaim(address, fromAddress)) {
      this.#reject(socket, address, 'address')
    } else if (this.#metrics.open >= this.#bounds.all && !this.#reclaimAnywhere()) {
      this.#reject(socket, address, 'all')
    } else this.#add(socket, address)
  }

  #add(socket: Socket, address: string): void {
    const sockets = this.#byAddress.get(address) ?? new Set()
    this.#byAddress.set(address, sockets.add(socket))
    this.#metrics.open += 1
    socket.once('close', () => this.#remove(socket, address))
  }

  #remove(socket: Socket, address: string): void {
    const sockets = this.#byAddress.get(address)
    if (!sockets?.delete(socket)) return
    this.#metrics.open -= 1
    if (sockets.size === 0) this.#byAddress.delete(address)
  }

  /** Closes the oldest idle connection of the address; false when each has a request. */
  #reclaim(address: string, sockets: ReadonlySet<Socket>): boolean {
    for (const socket of sockets) {
      if (hasRequest(socket)) continue
      this.#metrics.reclaimed.inc()
      this.#remove(socket, address)
      socket.destroy()
      return true
    }
    return false
  }

  /** Starts with the address that has the most connections. */
  #reclaimAnywhere(): boolean {
    const mostConnectionsFirst = [...this.#byAddress].sort(([, one], [, other]) => other.size - one.size)
    return mostConnectionsFirst.some(([address, sockets]) => this.#reclaim(address, sockets))
  }

  #reject(socket: Socket, address: string, bound: 'address' | 'all'): void {
    socket.destroy()
    this.#metrics.refused.inc({ bound })
    const omitted = this.#logThrottle.pass(performance.now())
    if (omitted !== undefined) this.#observe({ kind: 'connection-refused', address, bound, leftOut: omitted })
  }
}
