// A client with one keep-alive connection: requests that many of them send at once arrive concurrently.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** The service may wait for a lock; a longer wait counts as a hang. */
const ANSWER_TIMEOUT_MS = 30_000

export interface SentRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReceivedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export class KeepAliveClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #address: string
  readonly #authorization: string

  constructor(address: string, authorization: string) {
    this.#address = address
    this.#authorization = authorization
  }

  /** Sends one request and reads its answer to the end. Rejects when the connection breaks before that. */
  send({ method, path, body, headers }: SentRequest): Promise<ReceivedAnswer> {
    const content = body === undefined ? '' : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const sending = request(this.#address + path, {
        method,
        agent: this.#agent,
        timeout: ANSWER_TIMEOUT_MS,
        headers: {
          authorization: this.#authorization,
          ...(content === ''
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
          ...headers,
        },
      })
      sending.on('response', (answer) => textOf(answer).then((text) => resolve(answered(answer, text)), reject))
      sending.on('timeout', () => sending.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)))
      sending.on('error', reject)
      sending.end(content)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function answered({ statusCode = 0, headers }: IncomingMessage, text: string): ReceivedAnswer {
  return { status: statusCode, headers, text }
}
