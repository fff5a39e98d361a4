// A proxy between the service and its database that can delay or block all traffic, delay each new session, or refuse
// it.
import { connect, createServer, type Server, type Socket } from 'node:net'

/** What a database says that is starting. */
const STARTING = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0')

export class SlowProxy {
  readonly port: number
  /** The delay of each forwarded chunk, in milliseconds. */
  delayMs = 0
  /** The delay of the first chunk that the service sends in a session, in milliseconds. */
  beginMs = 0
  /** How many of the next sessions are refused, as by a database that is starting. */
  refused = 0
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
    const pass = (from: Socket, to: Socket, beginMs: number): void => {
      let waitMs = beginMs
      sockets.add(from)
      from.on('data', (piece) => {
        setTimeout(() => to.writable && to.write(piece), waitMs + (proxy?.delayMs ?? 0))
        waitMs = 0
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    const server = createServer((client) => {
      if (proxy && proxy.refused > 0) {
        proxy.refused -= 1
        refuse(client)
        return
      }
      const database = connect(target)
      let isAnswered = true
      client.on('data', () => {
        if (isAnswered && proxy) proxy.turns += 1
        isAnswered = false
      })
      database.on('data', () => {
        isAnswered = true
      })
      pass(client, database, proxy?.beginMs ?? 0)
      pass(database, client, 0)
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

function refuse(client: Socket): void {
  client.on('error', () => {})
  client.once('data', () => {
    const message = Buffer.from(`E....${STARTING}\0`)
    message.writeInt32BE(message.length - 1, 1)
    client.end(message)
  })
}
