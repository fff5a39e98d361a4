// The interface of the ERP system that a company is a mirror of. Requests keep within their share of its quotas, and
// wait as it asks them to.
import type { SourceRules } from '../../setup/rules/source.ts'
import { SourceQuota } from './source-quota.ts'

export interface SourceAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Why the source has not given what was asked for. */
export class SourceFailure extends Error {
  /** 0: there was no answer, or it broke off. */
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

export interface SourceRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined
  /** For those who wait for the answer: it is sent at once, and never again. */
  readonly isUrgent?: boolean
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
/** No page is as large, and no answer to anything else. */
const MOST_BYTES = 128 * 1024 * 1024
const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 10 * 60_000
/** A token is asked for again as long before its end. */
const TOKEN_MARGIN_MS = 30_000
const DEFAULT_TOKEN_SECONDS = 300
/** Answers that ask to wait. */
const WAITING: ReadonlySet<number> = new Set([429, 503])

export class Source {
  readonly rules: SourceRules
  readonly quota: SourceQuota
  readonly #parts: SourceParts
  #token: { readonly value: string; readonly until: number } | undefined

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
    if (answer.status === 200) return answer
    throw new SourceFailure(answer.status, `${answer.status} for ${path.split('?')[0]}: ${excerptOf(answer.text)}`)
  }

  /** Sends a request; after 429 and 503 again, as late as the source asks for, unless it is urgent. */
  async send(path: string, request: SourceRequest = {}): Promise<SourceAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      if (!request.isUrgent) await this.#turn(request.signal)
      const answer = await this.#authorised(path, request)
      if (request.isUrgent || !WAITING.has(answer.status)) return answer
      const now = this.#parts.now()
      this.quota.close(now, waitOf(answer.headers.get('retry-after'), now, attempt))
    }
  }

  /** Resolves when the share of the quotas allows a request. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const ms = this.quota.waitMs(this.#parts.now())
      if (ms <= 0) return
      await this.#parts.sleep(ms, signal)
    }
  }

  async #authorised(path: string, request: SourceRequest): Promise<SourceAnswer> {
    const given = request.headers?.authorization
    const answer = await this.#exchange(this.rules.url + path, request, given ?? (await this.#credentials()))
    if (answer.status !== 401 || given !== undefined || !this.#token) return answer
    // The token may have ended before its time, once.
    this.#token = undefined
    return this.#exchange(this.rules.url + path, request, await this.#credentials())
  }

  async #credentials(): Promise<string> {
    const { tokenUrl } = this.rules
    const basic = `Basic ${Buffer.from(`${this.#variable('clientIdEnv')}:${this.#variable('secretEnv')}`).toString('base64')}`
    if (tokenUrl === undefined) return basic
    const now = this.#parts.now()
    if (!this.#token || this.#token.until < now) this.#token = await this.#newToken(tokenUrl, basic)
    return `Bearer ${this.#token.value}`
  }

  async #newToken(url: string, authorization: string) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = { method: 'POST', headers, body: 'grant_type=client_credentials' }
    const { status, text } = await this.#exchange(url, request, authorization)
    const found = status === 200 ? tokenIn(text) : undefined
    if (found) return { value: found.token, until: this.#parts.now() + found.seconds * 1000 - TOKEN_MARGIN_MS }
    throw new SourceFailure(status === 200 ? 0 : 401, `no token at ${url}: ${status} ${excerptOf(text)}`)
  }

  #variable(member: 'clientIdEnv' | 'secretEnv'): string {
    const name = this.rules[member]
    const value = this.#parts.environment[name]
    if (value) return value
    throw new SourceFailure(401, `the environment has no ${name}, which the setup names as ${member}`)
  }

  async #exchange(url: string, request: SourceRequest, authorization: string): Promise<SourceAnswer> {
    const { method = 'GET', headers = {}, body, signal } = request
    const { now, fetch: send = fetch, onAnswer } = this.#parts
    const taken = this.quota.take(now())
    const timeout = AbortSignal.timeout(TIME_LIMIT_MS)
    try {
      const response = await send(url, {
        method,
        headers: { ...headers, authorization },
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body === undefined ? {} : { body }),
      })
      const text = await textOf(response, (bytes) => {
        taken.bytes += bytes
      })
      this.#heed(response.headers)
      onAnswer?.(response.status)
      return { status: response.status, headers: response.headers, text }
    } catch (cause) {
      signal?.throwIfAborted()
      onAnswer?.(0)
      if (cause instanceof SourceFailure) throw cause
      const reason = timeout.aborted ? 'no answer in time' : reasonOf(cause)
      throw new SourceFailure(0, `${new URL(url).host}: ${reason}`, { cause })
    }
  }

  /** Some sources tell how much is left for all programs: what is not the mirror's share is left to the others. */
  #heed(headers: Headers): void {
    const left = Number(LEFT_HEADERS.map((name) => headers.get(name)).find((text) => text !== null) ?? Number.NaN)
    const { requestsPerMinute, share } = this.rules
    if (!(left < requestsPerMinute * (1 - share)) && left !== 0) return
    const reset = Number(RESET_HEADERS.map((name) => headers.get(name)).find((text) => text !== null) ?? Number.NaN)
    const seconds = reset > 0 && reset <= 60 ? reset : 5
    this.quota.close(this.#parts.now(), seconds * 1000)
  }
}

const LEFT_HEADERS = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining']
const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset']

/** `Retry-After` is seconds or a date (RFC 9110, 10.2.3); without it the wait doubles from one attempt to the next. */
export function waitOf(retryAfter: string | null, now: number, attempt: number): number {
  const text = retryAfter?.trim() ?? ''
  const asked = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  const ms = Number.isNaN(asked) ? MIN_WAIT_MS * 2 ** Math.min(attempt, 10) : asked
  return Math.min(Math.max(ms, MIN_WAIT_MS), MAX_WAIT_MS)
}

async function textOf(response: Response, count: (bytes: number) => void): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [text, size] = ['', 0]
  for await (const chunk of response.body) {
    size += chunk.length
    count(chunk.length)
    if (size > MOST_BYTES) throw new SourceFailure(0, `an answer of more than ${MOST_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function tokenIn(text: string): { token: string; seconds: number } | undefined {
  try {
    const { access_token: token, expires_in: seconds = DEFAULT_TOKEN_SECONDS } = JSON.parse(text)
    return typeof token === 'string' && token !== '' ? { token, seconds: Number(seconds) } : undefined
  } catch {
    return undefined
  }
}

const EXCERPT_LENGTH = 200

function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_LENGTH).replaceAll(/\s+/g, ' ')
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}
