// A proxy between the service and PostgreSQL that cuts a connection at its commit, before PostgreSQL receives it or
// before its answer is forwarded.
import { connect, createServer, type Socket } from 'node:net'

export type Cut = 'none' | 'before' | 'after'

/** The commit of a write in the protocol: a simple query. */
const COMMIT = 'Q\0\0\0\x0bcommit\0'
/** The answer to a commit. Earlier statements of the same packet are answered before. */
const COMMITTED = 'COMMIT\0'

export interface CuttingProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  /** What to do with the next commit, once. */
  cutNext: Cut
  stop(): Promise<void>
}

export async function startCuttingProxy(database: string): Promise<CuttingProxy> {
  const url = new URL(database)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const both = [client, upstream]
    let isCut = false
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        for (const one of both) one.destroy()
      })
    }
    client.on('data', (bytes: Buffer) => {
      const cut = bytes.includes(COMMIT) ? proxy.cutNext : 'none'
      if (cut !== 'none') proxy.cutNext = 'none'
      isCut ||= cut !== 'none'
      if (cut === 'before') client.destroy()
      else upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (!isCut) client.write(bytes)
      else if (bytes.includes(COMMITTED)) client.destroy()
    })
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  url.port = String((server.address() as { port: number }).port)
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resume) => server.close(() => resume()))
  }
  const proxy: CuttingProxy = { url: url.href, cutNext: 'none', stop }
  return proxy
}
