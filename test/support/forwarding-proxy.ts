// A reverse proxy as it stands in front of the service: each connection of a client has one of its own to the service,
// and the client's address is added to `X-Forwarded-For`. One machine has few addresses, so a header names it.
import { Agent, createServer, request, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** Sent to the proxy only: the address that the client is to have. */
export const CLIENT_ADDRESS = 'x-client-address'

/** On a busy machine a connection waits longer for its next request than the five seconds of Node.js. */
const KEEP_ALIVE_MS = 120_000

export class ForwardingProxy {
  /** `http://HOST:PORT`. */
  readonly address: string
  /** How many connections clients have made. */
  readonly accepted: () => number
  readonly #server: Server

  private constructor(server: Server, accepted: () => number) {
    this.#server = server
    this.accepted = accepted
    this.address = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  }

  static async start(target: string): Promise<ForwardingProxy> {
    const agents = new Map<Socket, Agent>()
    const { hostname, port } = new URL(target)
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, ({ method, url, headers, socket }, response) => {
      const { [CLIENT_ADDRESS]: client, 'x-forwarded-for': before, ...others } = headers
      const forwarded = [before, client].filter(Boolean).join(', ')
      const sent = { ...others, 'x-forwarded-for': forwarded }
      const sending = request({ hostname, port, method, path: url, headers: sent, agent: agents.get(socket) as Agent })
      sending.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      sending.on('error', () => socket.destroy())
      sending.end()
    })
    let accepted = 0
    server.on('connection', (socket) => {
      accepted += 1
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      agents.set(socket, agent)
      socket.once('close', () => {
        agents.delete(socket)
        agent.destroy()
      })
    })
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
    return new ForwardingProxy(server, () => accepted)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resume) => this.#server.close(resume))
  }
}
