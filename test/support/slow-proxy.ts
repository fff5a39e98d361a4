// A proxy between the service and its database that can delay or block all traffic.
import { connect, createServer, type Server, type Socket } from 'node:net'

export class SlowProxy {
  readonly port: number
  /** The delay of each forwarded chunk, in milliseconds. */
  delayMs = 0
  /** The number of round trips: how often the service sent something after the database had. */
  turns = 0
  readonly #server: Server
  readonly #sockets: Set<Socket>

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server
    this.#sockets = sockets
    this.port = (server.address() as { port: number }).port
  }

  static async start(target: { port: number; host: string }): Promise<SlowProxy> {
    const sockets = new Set<Socket>()
    let proxy: SlowProxy | undefined
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from)
      from.on('data', (piece) => setTimeout(() => to.writable && to.write(piece), proxy?.delayMs))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    const server = createServer((client) => {
      const database = connect(target)
      let isAnswered = true
      client.on('data', () => {
        if (isAnswered && proxy) proxy.turns += 1
        isAnswered = false
      })
      database.on('data', () => {
        isAnswered = true
      })
      pass(client, database)
      pass(database, client)
    })
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
    proxy = new SlowProxy(server, sockets)
    return proxy
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resume) => this.#server.close(resume))
  }
}
