// The ERP on a port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Erp } from './erp.ts'
import type { ErpAnswer } from './message.ts'

export class ErpServer {
  readonly #server: Server
  readonly #erp: Erp

  constructor(erp: Erp) {
    this.#erp = erp
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        // Who asked may have gone; anything else is a fault of the ERP itself.
        if (!response.destroyed && !response.headersSent) console.error(error)
        response.destroy()
      })
    })
  }

  /** Begins to listen; the address that answers, with its base path. */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#erp.options.basePath}`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = 'GET', url: target = '/' } = request
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const answer = await this.#erp.answer({ method, target, headers, body: Buffer.concat(parts).toString() })
    if (answer.breaks === 'before') response.destroy()
    else await this.#send(request, response, answer)
  }

  async #send(request: IncomingMessage, response: ServerResponse, answer: ErpAnswer): Promise<void> {
    const isGzip = this.#erp.options.hasGzip && /\bgzip\b/.test(String(request.headers['accept-encoding']))
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
    if (isGzip) response.setHeader('Content-Encoding', 'gzip')
    response.writeHead(answer.status)
    const body = Readable.from(apart(answer.body))
    if (request.method === 'HEAD') response.end()
    else if (answer.breaks === 'within') {
      for await (const part of body) response.write(part)
      // What was written has to be on its way before the connection ends.
      response.write('', () => response.destroy())
    } else if (isGzip) await pipeline(body, createGzip({ level: 1 }), response)
    else await pipeline(body, response)
  }
}

/** The parts, each in its own turn of the event loop, so that others are heard too. */
async function* apart(body: Iterable<string>): AsyncGenerator<Buffer> {
  for (const part of body) {
    await new Promise(setImmediate)
    yield Buffer.from(part)
  }
}
