// The interface of the ERP system that a company is a mirror of. Requests keep within their share of its quotas, and
// wait as it asks them to.
import { isUtf8 } from 'node:buffer'
import { jsonOrUndefined } from '../../base/strict-json.ts'
import type { SourceRules } from '../../setup/rules/source.ts'
import { SourceQuota, type Taken } from './source-quota.ts'

export class SourceAnswer {
  readonly status: number
  readonly headers: Headers
  /** UTF-8. */
  readonly bytes: Buffer<ArrayBuffer>

  constructor({ status, headers }: Response, bytes: Buffer<ArrayBuffer>) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes)
  }
}

/** Why the source has not given what was asked for. */
export class SourceFailure extends Error {
  /** 0: there was no answer, or it broke off. */
  readonly status: number
  /** Whether a smaller question may be answered. */
  readonly isOfSize: boolean

  constructor(status: number, message: string, { isOfSize = false, ...options }: FailureOptions = {}) {
    super(message, options)
    this.status = status
    this.isOfSize = isOfSize
  }
}

interface FailureOptions extends ErrorOptions {
  readonly isOfSize?: boolean
}

/** Nothing was sent: the share of the quotas is used up, or the source wants no requests now. */
export class SourceBusy extends SourceFailure {
  readonly waitMs: number

  constructor(waitMs: number) {
    super(429, 'the share of the quotas of the source is used up')
    this.waitMs = waitMs
  }
}

export interface SourceRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent piece by piece is made again for each attempt. */
  readonly body?: string | (() => AsyncIterable<Uint8Array>)
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined
  /** For those who wait for the answer: it is sent at once or not at all, and never again. */
  readonly isUrgent?: boolean | undefined
  /** Bytes that the answer may have. */
  readonly expected?: number
  /** A larger answer is none. */
  readonly mostBytes?: number
  /** Default: as long as most sources take at all. */
  readonly timeoutMs?: number | undefined
}

export interface SourceParts {
  readonly rules: SourceRules
  readonly environment: NodeJS.ProcessEnv
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Default: that of the program. */
  readonly fetch?: typeof fetch
  /** Called for each request; status 0: there was no answer. */
  readonly onAnswer?: (status: number) => void
}

/** Most ERP systems answer nothing after 220 seconds. */
export const TIME_LIMIT_MS = 220_000
/** No content is as large, and no answer to anything else. */
const MOST_BYTES = 128 * 1024 * 1024
/** Most answers have fewer. */
const FIRST_BYTES = 64 * 1024
const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 10 * 60_000
/** So often a source may ask to wait before that is told. */
const MOST_WAITS = 10
/** Answers that clients wait for, at once. */
const MOST_URGENT = 16
/** So many refusals without an answer between them are those of the client, and not of what it asks for. */
const SURELY_REFUSED = 3
/** Refused credentials are shown again after as long, then after twice as long, and so on. */
const REFUSED_MS = 60_000
const MAX_REFUSED_MS = 30 * 60_000
const TOKEN_LIMIT_MS = 30_000
/** A token is asked for again as long before its end. */
const TOKEN_MARGIN_MS = 30_000
const DEFAULT_TOKEN_SECONDS = 300
/** Answers that ask to wait. */
const WAITING: ReadonlySet<number> = new Set([429, 503])
/** Answers of a token endpoint to a client that it does not know (RFC 6749, 5.2). */
const REFUSING: ReadonlySet<number> = new Set([400, 401, 403])
/** Nobody has heard the question. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export class ErpSource {
  readonly rules: SourceRules
  readonly quota: SourceQuota
  /** Keeps what is used of the quotas, for whoever asks the source when this process has ended. */
  keepUse: ((expected: number) => Promise<void>) | undefined
  readonly #parts: SourceParts
  #token: { readonly value: string; readonly until: number } | undefined
  #asking: Promise<{ readonly value: string; readonly until: number }> | undefined
  /** Since the last other answer. */
  #refusals = 0
  /** How often credentials were given up since they were accepted last, and until when. */
  #refused = { times: 0, until: 0, message: '' }
  #urgent = 0

  constructor(parts: SourceParts) {
    this.#parts = parts
    this.rules = parts.rules
    this.quota = new SourceQuota(parts.rules)
  }

  /** The path with the company of the source, and these parameters. */
  pathOf(path: string, parameters: Readonly<Record<string, string | number | boolean | undefined>> = {}): string {
    const pairs = Object.entries({ companyId: this.rules.companyId, ...parameters })
    const given = pairs.flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return `${path}?${new URLSearchParams(given).toString().replaceAll('+', '%20')}`
  }

  /** What a GET answers with 200. Throws `SourceFailure` for any other answer, and for none. */
  async read(path: string, request: SourceRequest = {}): Promise<SourceAnswer> {
    const answer = await this.send(path, request)
    const { status } = answer
    if (status === 200) return answer
    const what = status === 401 || WAITING.has(status) ? this.#host : path.split('?')[0]
    const isOfSize = status >= 500 && !WAITING.has(status)
    throw new SourceFailure(status, `${status} for ${what}: ${excerptOf(answer.text)}`, { isOfSize })
  }

  /** Sends a request; after 429 and 503 again, as late as the source asks for, unless it is urgent. */
  async send(path: string, request: SourceRequest = {}): Promise<SourceAnswer> {
    if (request.isUrgent) return this.#sendUrgently(path, request)
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#taken(await this.#turn(request), path, request)
      if (!this.#isToWait(answer, attempt) || attempt >= MOST_WAITS) return answer
    }
  }

  async #sendUrgently(path: string, request: SourceRequest): Promise<SourceAnswer> {
    const waitMs = this.quota.waitMs(this.#parts.now(), request)
    if (waitMs > 0 || this.#urgent >= MOST_URGENT) throw new SourceBusy(Math.max(waitMs, MIN_WAIT_MS))
    this.#urgent += 1
    try {
      const answer = await this.#taken(this.quota.take(request.expected), path, request)
      this.#isToWait(answer, 0)
      return answer
    } finally {
      this.#urgent -= 1
    }
  }

  #isToWait({ status, headers }: SourceAnswer, attempt: number): boolean {
    if (!WAITING.has(status)) return false
    const now = this.#parts.now()
    // A date is one of its clock.
    const there = Date.parse(headers.get('date') ?? '')
    const at = Number.isNaN(there) ? now : there
    this.quota.close(now, waitOf(headers.get('retry-after'), at, attempt))
    return true
  }

  async #taken(taken: Taken, path: string, request: SourceRequest): Promise<SourceAnswer> {
    try {
      return await this.#authorised(path, request, taken)
    } finally {
      this.quota.end(taken, this.#parts.now())
    }
  }

  /** Resolves when the share of the quotas allows the request, which is then taken from it. */
  async #turn(request: SourceRequest): Promise<Taken> {
    const { signal } = request
    for (;;) {
      signal?.throwIfAborted()
      const ms = this.quota.waitMs(this.#parts.now(), request)
      if (ms > 0) await this.#parts.sleep(ms, signal)
      else if (this.keepUse && this.quota.isToKeep(request.expected)) await this.keepUse(request.expected ?? 0)
      else return this.quota.take(request.expected)
    }
  }

  async #authorised(path: string, request: SourceRequest, taken: Taken): Promise<SourceAnswer> {
    const given = request.headers?.authorization
    if (given !== undefined) return this.#exchange(this.rules.url + path, request, given, taken)
    const { until, message } = this.#refused
    if (this.#parts.now() < until) throw new SourceFailure(401, message)
    const token = this.#token
    const credentials = await this.#credentials(request.signal)
    const answer = await this.#exchange(this.rules.url + path, request, credentials, taken)
    if (answer.status !== 401) return this.#accepted(answer)
    // A token may have ended before its time, once.
    if (!token || token !== this.#token) return this.#refusedAnswer(answer)
    this.#token = undefined
    const again = await this.#exchange(this.rules.url + path, request, await this.#credentials(request.signal))
    return again.status === 401 ? this.#refusedAnswer(again) : this.#accepted(again)
  }

  #accepted(answer: SourceAnswer): SourceAnswer {
    this.#refusals = 0
    this.#refused = { times: 0, until: 0, message: '' }
    return answer
  }

  #refusedAnswer(answer: SourceAnswer): SourceAnswer {
    this.#refusals += 1
    this.#token = undefined
    if (this.#refusals >= SURELY_REFUSED) this.#giveUp(`401 for ${this.#host}: ${excerptOf(answer.text)}`)
    return answer
  }

  /** The source hears nothing for a while of credentials that it refuses: it may count how often they are shown. */
  #giveUp(message: string): void {
    const { times } = this.#refused
    const ms = Math.min(REFUSED_MS * 2 ** times, MAX_REFUSED_MS)
    this.#refused = { times: times + 1, until: this.#parts.now() + ms, message }
  }

  get #host(): string {
    return new URL(this.rules.url).host
  }

  async #credentials(signal: AbortSignal | undefined): Promise<string> {
    const { tokenUrl } = this.rules
    const basic = `Basic ${Buffer.from(`${this.#variable('clientIdEnv')}:${this.#variable('secretEnv')}`).toString('base64')}`
    if (tokenUrl === undefined) return basic
    if (!this.#token || this.#token.until < this.#parts.now()) {
      // Several documents are asked for at once.
      this.#asking ??= this.#newToken(tokenUrl, basic).finally(() => {
        this.#asking = undefined
      })
      this.#token = await orAborted(this.#asking, signal)
    }
    return `Bearer ${this.#token.value}`
  }

  async #newToken(url: string, authorization: string) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = { method: 'POST', headers, body: 'grant_type=client_credentials', timeoutMs: TOKEN_LIMIT_MS }
    const { status, text } = await this.#exchange(url, request, authorization)
    const found = status === 200 ? tokenIn(text) : undefined
    if (found) {
      const ms = found.seconds * 1000
      return { value: found.token, until: this.#parts.now() + ms - Math.min(TOKEN_MARGIN_MS, ms / 2) }
    }
    const message = `no token at ${url}: ${status} ${excerptOf(text)}`
    if (!REFUSING.has(status)) throw new SourceFailure(status === 200 ? 0 : status, message)
    this.#giveUp(message)
    throw new SourceFailure(401, message)
  }

  #variable(member: 'clientIdEnv' | 'secretEnv'): string {
    const name = this.rules[member]
    const value = this.#parts.environment[name]
    if (value) return value
    throw new SourceFailure(401, `the environment has no ${name}, which the setup names as ${member}`)
  }

  async #exchange(
    url: string,
    request: SourceRequest,
    authorization: string,
    taken = this.quota.take(request.expected),
  ): Promise<SourceAnswer> {
    const { method = 'GET', headers = {}, body, signal, timeoutMs = TIME_LIMIT_MS, mostBytes = MOST_BYTES } = request
    const { now, fetch: send = fetch, onAnswer } = this.#parts
    const given = new AbortController()
    const giveUp = () => given.abort(signal?.reason)
    const timeout = setTimeout(() => given.abort(NO_ANSWER), timeoutMs)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      const response = await send(url, {
        method,
        headers: { ...headers, authorization },
        redirect: 'error',
        signal: given.signal,
        ...(typeof body === 'function' ? { body: ReadableStream.from(body()), duplex: 'half' } : { body }),
      })
      const bytes = await bytesOf(response, mostBytes, (more) => {
        taken.bytes += more
      })
      this.#heed(response.headers)
      onAnswer?.(response.status)
      return new SourceAnswer(response, bytes)
    } catch (cause) {
      signal?.throwIfAborted()
      onAnswer?.(0)
      if (cause instanceof SourceFailure) throw cause
      const reason = given.signal.reason === NO_ANSWER ? NO_ANSWER.message : reasonOf(cause)
      const isOfSize = !UNREACHABLE.has(codeOf(cause))
      throw new SourceFailure(0, `${new URL(url).host}: ${reason}`, { cause, isOfSize })
    } finally {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', giveUp)
      this.quota.end(taken, now())
    }
  }

  /** Some sources tell how much is left for all programs: what is not the mirror's share is left to the others. */
  #heed(headers: Headers): void {
    const { requestsPerMinute, bytesPerFiveMinutes, share } = this.rules
    const isShort = (suffix: string, all: number) => {
      const left = numberIn(headers, LEFT_HEADERS, suffix)
      return left <= 0 || left < all * (1 - share)
    }
    if (!isShort('', requestsPerMinute) && !isShort('-bytes', bytesPerFiveMinutes)) return
    const reset = numberIn(headers, RESET_HEADERS)
    const seconds = reset > 0 && reset <= 60 ? reset : 5
    this.quota.close(this.#parts.now(), seconds * 1000)
  }
}

const NO_ANSWER = new Error('no answer in time')

const LEFT_HEADERS = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining']
const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset']

/** Not a number where there is no such header. */
function numberIn(headers: Headers, names: readonly string[], suffix = ''): number {
  const text = names.map((name) => headers.get(name + suffix)).find((value) => value !== null)
  return text ? Number(text) : Number.NaN
}

/** `Retry-After` is seconds or a date (RFC 9110, 10.2.3); without it the wait doubles from one attempt to the next. */
function waitOf(retryAfter: string | null, now: number, attempt: number): number {
  const text = retryAfter?.trim() ?? ''
  const asked = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  const ms = Number.isNaN(asked) ? MIN_WAIT_MS * 2 ** Math.min(attempt, 10) : asked
  return Math.min(Math.max(ms, MIN_WAIT_MS), MAX_WAIT_MS)
}

/** Whoever gives up does not wait for what others wait for. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function bytesOf(response: Response, most: number, count: (bytes: number) => void): Promise<Buffer<ArrayBuffer>> {
  // Chunks that were kept until the end would outlive the young generation.
  let [buffer, size] = [new ArrayBuffer(FIRST_BYTES), 0]
  for await (const chunk of response.body ?? []) {
    const end = size + chunk.length
    count(chunk.length)
    if (end > most) throw new SourceFailure(0, `an answer of more than ${most} bytes`, { isOfSize: true })
    if (end > buffer.byteLength) buffer = buffer.transfer(Math.max(end, buffer.byteLength * 2))
    new Uint8Array(buffer).set(chunk, size)
    size = end
  }
  const bytes = Buffer.from(buffer.transfer(size))
  if (!isUtf8(bytes)) throw new TypeError('the answer is not valid UTF-8')
  return bytes
}

function tokenIn(text: string): { token: string; seconds: number } | undefined {
  const { access_token: token, expires_in: seconds } = Object(jsonOrUndefined(text))
  if (typeof token !== 'string' || token === '') return undefined
  return { token, seconds: Number(seconds) || DEFAULT_TOKEN_SECONDS }
}

const EXCERPT_LENGTH = 200

function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_LENGTH).replaceAll(/\s+/g, ' ')
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } }
  return cause?.code ?? code ?? ''
}
