// A receiver of webhooks that answers as a script says.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedWebhook {
  /** The id of its event. */
  readonly id: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** By the clock of the test. */
  readonly at: number
  /** How many requests had come, with this one, that had the same `webhook-id`. */
  readonly attempt: number
}

/** A status, no answer at all (`late`), or a broken connection (`reset`). */
export type ScriptedAnswer = number | 'late' | 'reset' | { readonly status: number; readonly retryAfter: string }

export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = []
  /** Requests that are not answered yet, by their id. */
  readonly open = new Set<string>()
  answer: (webhook: ReceivedWebhook) => ScriptedAnswer | Promise<ScriptedAnswer> = () => 200
  readonly #server: Server
  readonly #now: () => number

  private constructor(server: Server, now: () => number) {
    this.#server = server
    this.#now = now
  }

  static async start(now: () => number = Date.now): Promise<WebhookReceiver> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      await receiver.#receive(request.headers as Record<string, string>, String(Buffer.concat(chunks)), response)
    })
    const receiver = new WebhookReceiver(server, now)
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`
  }

  /** The ids of the events in the order in which they came. */
  get ids(): string[] {
    return this.received.map(({ id }) => id)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resume) => this.#server.close(resume))
  }

  async #receive(headers: Record<string, string>, body: string, response: ServerResponse): Promise<void> {
    const parsed = JSON.parse(body)
    const [event] = [parsed].flat()
    const messageId = headers['webhook-id'] ?? ''
    const attempt = this.received.filter((one) => one.headers['webhook-id'] === messageId).length + 1
    const { id, subject = '' } = event
    const webhook = { id, subject, headers, body, at: this.#now(), attempt }
    this.received.push(webhook)
    this.open.add(id)
    const answer = await this.answer(webhook)
    this.open.delete(id)
    if (answer === 'late') return
    if (answer === 'reset') response.socket?.resetAndDestroy()
    else if (typeof answer === 'number') response.writeHead(answer).end(`answered ${answer}`)
    else response.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end()
  }
}
