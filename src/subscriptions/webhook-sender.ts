// One attempt to deliver a webhook. It follows no redirects, knows no proxies and keeps no cookies: Node's own client
// does none of that by itself.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Agent as HttpAgent, request as httpRequest } from '../base/process/node-http.ts'
import { AddressGuard } from './address-guard.ts'
import { type AttemptOutcome, outcomeOf } from './attempt-outcome.ts'

export interface WebhookRequest {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookReply {
  readonly outcome: AttemptOutcome
  /** 0: there was no answer. */
  readonly status: number
  readonly ms: number
  /** The beginning of the answer, or what went wrong. */
  readonly excerpt: string
  /** What `Retry-After` asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/** For the whole attempt, from the look-up of the name to the end of the answer. */
const TIMEOUT_MS = 15_000
/** No more of an answer is read: only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const EXCERPT_LENGTH = 200
/** Connections to one host, of all subscriptions. */
const MAX_SOCKETS = 64
const IDLE_MS = 5_000

interface SenderSettings {
  readonly guard?: AddressGuard
  readonly timeoutMs?: number
}

export class WebhookSender {
  readonly #guard: AddressGuard
  readonly #timeoutMs: number
  readonly #http: InstanceType<typeof HttpAgent>
  readonly #https: HttpsAgent

  constructor({ guard = new AddressGuard(), timeoutMs = TIMEOUT_MS }: SenderSettings = {}) {
    this.#guard = guard
    this.#timeoutMs = timeoutMs
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS, lookup: guard.lookup }
    this.#http = new HttpAgent(options)
    // An environment variable of Node.js must not switch the verification of certificates off.
    this.#https = new HttpsAgent({ ...options, rejectUnauthorized: true })
  }

  /** Why webhooks cannot be sent to the URL, as far as it tells without a look-up; undefined if they can. */
  refusalOf(target: string): string | undefined {
    return this.#guard.refusalOf(target)
  }

  /** Sends the request once. Never throws; `signal` gives the attempt up. */
  async send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookReply> {
    const start = performance.now()
    const excerpt = this.#guard.refusalOf(request.target)
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const ended = signal ? AbortSignal.any([timeout, signal]) : timeout
    const refused = excerpt === undefined ? undefined : { outcome: 'address' as const, status: 0, excerpt }
    return { ...(refused ?? (await this.#attempt(request, ended))), ms: Math.round(performance.now() - start) }
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  async #attempt(request: WebhookRequest, signal: AbortSignal): Promise<Omit<WebhookReply, 'ms'>> {
    try {
      const { response, text, address } = await this.#answer(request, signal)
      const status = response.statusCode ?? 0
      const retryAfterMs = retryAfter(response.headers['retry-after'])
      const excerpt = this.#guard.tells(address) ? text : ''
      return { outcome: status >= 200 && status < 300 ? 'delivered' : 'status', status, excerpt, retryAfterMs }
    } catch (error) {
      return { status: 0, ...outcomeOf(error, signal) }
    }
  }

  async #answer(request: WebhookRequest, signal: AbortSignal): Promise<ReceiverAnswer> {
    try {
      return await answerTo(this.#start(request, signal, true))
    } catch (error) {
      // The receiver has closed an idle connection at this very moment: that says nothing of the webhook.
      if (!(error instanceof StaleConnection) || signal.aborted) throw error
      return answerTo(this.#start(request, signal, false))
    }
  }

  #start({ target, headers, body }: WebhookRequest, signal: AbortSignal, reuses: boolean): ClientRequest {
    const isTls = target.toLowerCase().startsWith('https:')
    const agent = isTls ? this.#https : this.#http
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
      agent: reuses ? agent : false,
      // Without an agent, the options of a connection come from here.
      lookup: this.#guard.lookup,
      rejectUnauthorized: true,
    } as const
    return (isTls ? httpsRequest : httpRequest)(target, options).end(body)
  }
}

/** A kept connection that turned out to be closed. */
class StaleConnection extends Error {}

interface ReceiverAnswer {
  readonly response: IncomingMessage
  readonly text: string
  /** Where it has come from. */
  readonly address: string
}

function answerTo(request: ClientRequest): Promise<ReceiverAnswer> {
  return new Promise((resolve, reject) => {
    let hasAnswer = false
    request.on('error', (error) =>
      reject(request.reusedSocket && !hasAnswer ? new StaleConnection('', { cause: error }) : error),
    )
    request.on('response', (response) => {
      hasAnswer = true
      const { remoteAddress: address = '' } = response.socket
      excerptOf(response).then((text) => resolve({ response, text, address }), reject)
    })
  })
}

/** Reads the answer, so that the connection can be used again, but not an endless one. */
async function excerptOf(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < EXCERPT_LENGTH * 4) kept.push(chunk.subarray(0, EXCERPT_LENGTH * 4))
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES) break
  }
  return excerptFrom(Buffer.concat(kept).toString())
}

/** On one line and without characters that a terminal would obey. */
function excerptFrom(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT_LENGTH)
    .toWellFormed()
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
