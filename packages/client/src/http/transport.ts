// Sends a request until it is answered: with a token, within its time, and again where that does no harm.
import { NetworkProblem, type Problem, problemOf } from '../problems.ts'
import { addressOf, companyNamed, linkedAddress, requirePath } from './address.ts'
import { type Deadline, deadlineOf, orAborted } from './deadline.ts'
import { changeNumberIn, changeNumberOf, OwnWrites } from './own-writes.ts'
import type { ClientRequest, SentBody, Transport } from './request.ts'
import { isTransient, retryAfterMs, waitMs } from './retry.ts'
import type { Surroundings } from './surroundings.ts'
import type { TokenSource } from './tokens.ts'

export interface TransportParts {
  readonly baseUrl: string
  readonly company: string | undefined
  readonly timeoutMs: number
  /** At most so many tries of a request. */
  readonly tries: number
  readonly tokens: TokenSource
  readonly surroundings: Surroundings
}

export function transportOf(given: TransportParts): Transport {
  const own = new OwnWrites()
  const parts = { ...given, own }
  const { baseUrl, company } = parts
  return {
    send: async (request) => {
      requirePath(request.path)
      return await send(parts, addressOf(baseUrl, company, request), request)
    },
    follow: (link, request) => send(parts, linkedAddress(link, baseUrl), { ...request, path: '' }),
    wroteInBatch: ({ url, body }, headers) => {
      const address = addressOf(baseUrl, company, { path: url, body })
      own.wrote(companyNamed(address, body), changeNumberOf(headers))
    },
  }
}

interface SendingParts extends TransportParts {
  readonly own: OwnWrites
}

/** A request that is ready to be sent, any number of times. */
interface Prepared {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyOf: () => SentBody | undefined
  /** Whether it does no harm to send it once more without knowing what has become of it. */
  readonly isRepeatable: boolean
  readonly streams: boolean
}

async function send(parts: SendingParts, url: string, request: ClientRequest): Promise<Response> {
  const { surroundings, timeoutMs, own } = parts
  const deadline = deadlineOf(request.signal, request.timeoutMs ?? timeoutMs, surroundings.now())
  const company = companyNamed(url, request.body)
  const prepared = preparedOf(url, request, surroundings, own.least(company))
  let answered = false
  try {
    const answer = await sendUntilAnswered(parts, prepared, deadline)
    answered = prepared.streams
    if (WRITES.includes(prepared.method)) own.wrote(company, changeNumberIn(answer))
    return answer
  } catch (error) {
    // The caller's own signal throws what the caller gave it, as `fetch` does.
    if (request.signal?.aborted && !deadline.isOver()) throw request.signal.reason
    throw error
  } finally {
    if (answered) deadline.stopClock()
    else deadline.release()
  }
}

async function sendUntilAnswered(parts: TransportParts, prepared: Prepared, deadline: Deadline): Promise<Response> {
  const { surroundings } = parts
  const progress = { mayRenewToken: true }
  for (let tries = 1; ; tries++) {
    const outcome = await tryOnce(parts, prepared, deadline, progress)
    if (outcome instanceof Response) return outcome
    const { problem, askedMs } = outcome
    const isUnknown = problem instanceof NetworkProblem
    const mayRepeat = prepared.isRepeatable && (isUnknown || isTransient(problem.status))
    const wait = waitMs(tries, askedMs, surroundings.random)
    const isTooLong = surroundings.now() + wait >= deadline.endsAt
    if (!mayRepeat || tries >= parts.tries || isTooLong || deadline.signal.aborted) throw problem
    await pause(wait, parts, deadline, problem)
  }
}

async function pause(
  wait: number,
  { surroundings }: TransportParts,
  deadline: Deadline,
  problem: Problem,
): Promise<void> {
  try {
    await surroundings.sleep(wait, deadline.signal)
  } catch (reason) {
    throw deadline.isOver() ? problem : reason
  }
}

interface Failure {
  readonly problem: Problem
  readonly askedMs: number | undefined
}

/** One try; with another token at once if the service does not take this one. */
async function tryOnce(
  parts: TransportParts,
  prepared: Prepared,
  deadline: Deadline,
  progress: { mayRenewToken: boolean },
): Promise<Response | Failure> {
  const { tokens, surroundings } = parts
  const token = await tokenOf(tokens, deadline)
  const answer = await fetchOnce(prepared, token, deadline, surroundings)
  if (answer instanceof NetworkProblem) return { problem: answer, askedMs: undefined }
  if (answer.ok || answer.status === 304) return answer
  if (token !== undefined && isRefusedToken(answer) && progress.mayRenewToken) {
    progress.mayRenewToken = false
    tokens.refuse(token)
    await answer.body?.cancel().catch(() => {})
    return tryOnce(parts, prepared, deadline, progress)
  }
  const askedMs = retryAfterMs(answer.headers.get('retry-after'), surroundings.now())
  return { problem: await problemOf(answer, surroundings.now()), askedMs }
}

async function tokenOf(tokens: TokenSource, deadline: Deadline): Promise<string | undefined> {
  try {
    return await tokens.token(deadline.signal)
  } catch (error) {
    throw deadline.isOver() ? timeoutProblem(error) : error
  }
}

/** RFC 6750, 3.1. A service that names no reason may still take a new token. */
function isRefusedToken({ status, headers }: Response): boolean {
  const challenge = headers.get('www-authenticate')
  return status === 401 && (challenge === null || /invalid_token/.test(challenge))
}

/** An answer, complete unless it is to be streamed. */
async function fetchOnce(
  { url, method, headers, bodyOf, streams }: Prepared,
  token: string | undefined,
  deadline: Deadline,
  { fetch }: Surroundings,
): Promise<Response | NetworkProblem> {
  try {
    const body = bodyOf()
    const sending = fetch(url, {
      method,
      headers: token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers },
      signal: deadline.signal,
      ...(body === undefined ? {} : { body }),
      // A stream can only be sent half-duplex, and says so.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    // A `fetch` of the program's own may not hear the signal.
    const answer = await orAborted(sending, deadline.signal)
    return streams && answer.ok ? answer : await complete(answer)
  } catch (error) {
    return deadline.isOver() ? timeoutProblem(error) : new NetworkProblem(`No answer of ${url}.`, { cause: error })
  }
}

/** Read to its end, so that a broken connection is known while the request can still be repeated. */
async function complete(answer: Response): Promise<Response> {
  const { status, statusText, headers } = answer
  const bytes = await answer.arrayBuffer()
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers })
}

function timeoutProblem(cause: unknown): NetworkProblem {
  return new NetworkProblem('The time of the call is over.', { cause, isTimeout: true })
}

const WRITES = ['POST', 'PATCH', 'DELETE']

function preparedOf(
  url: string,
  request: ClientRequest,
  { newKey }: Surroundings,
  minChange: string | undefined,
): Prepared {
  const { method = 'GET', idempotencyKey, ifMatch, headers: given = {}, streams = false } = request
  const sent = bodyOf(request)
  const named = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  const headers = Object.fromEntries(named)
  if (sent !== undefined) headers['content-type'] ??= sent.contentType
  if (ifMatch !== undefined) headers['if-match'] = ifMatch
  const isWrite = WRITES.includes(method)
  const key = headers['idempotency-key'] ?? idempotencyKey ?? (isWrite && !request.validateOnly ? newKey() : false)
  if (key !== false) headers['idempotency-key'] = key
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (isRead && minChange !== undefined) headers['min-change'] ??= minChange
  return {
    url,
    method,
    headers,
    bodyOf: sent?.make ?? (() => undefined),
    isRepeatable: isRead || (isWrite && (key !== false || request.validateOnly === true)),
    streams,
  }
}

function bodyOf({ body, repeatableBody }: ClientRequest): ClientRequest['repeatableBody'] {
  if (repeatableBody !== undefined || body === undefined) return repeatableBody
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob
  const content = isRaw ? (body as SentBody) : JSON.stringify(body)
  return { contentType: 'application/json', make: () => content }
}
