// The HTTP server: Node's limits on connections, headers and time.
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, ListenOptions } from 'node:net'
import { createServer } from '../base/process/node-http.ts'
import type { Pipeline } from './pipeline.ts'

/** API clients send their headers at once; this frees the connection of a slow sender. */
const HEADERS_TIMEOUT_MS = 10_000
/** Long enough for the largest body at 2.5 Mbit/s. */
const REQUEST_TIMEOUT_MS = 120_000
const CONNECTIONS_CHECK_MS = 5_000
/** Above the usual 60 s of load balancers, so that the server never closes an idle connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Includes the request line. */
const MAX_HEADER_BYTES = 32 * 1024

export class Server {
  readonly server: HttpServer
  readonly #pipeline: Pipeline

  /** `pipeline` takes every request, whether or not it has a route for it. */
  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline
    this.server = createServer({
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A proxy may read one of two equal headers and this server the other; joined, they are rejected.
      joinDuplicateHeaders: true,
      // rejectSmuggling checks it: Node's own rejection has no body.
      requireHostHeader: false,
    })
    pipeline.install(this.server)
  }

  /** Resolves with `http://HOST:PORT` when the server listens. */
  async listen(options: ListenOptions): Promise<string> {
    this.server.listen(options)
    await once(this.server, 'listening')
    const { address, family, port } = this.server.address() as AddressInfo
    const host = family === 'IPv6' ? `[${address}]` : address.replace('0.0.0.0', '127.0.0.1')
    return `http://${host}:${port}`
  }

  /** Resolves when the requests in flight are answered, or given up. */
  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve))
    await this.#pipeline.inFlight.stop()
  }
}
