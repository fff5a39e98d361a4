// The ERP without sockets, for tests with a million steps: what `fetch` is to others.
import type { ErpAnswer, ErpRequest } from './message.ts'

export type ErpFetch = (input: string | URL, init?: RequestInit) => Promise<Response>

export function fetchOf(answer: (request: ErpRequest) => Promise<ErpAnswer>): ErpFetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input)
    const headers = Object.fromEntries(new Headers(init.headers))
    const body = init.body === undefined || init.body === null ? '' : await new Response(init.body).text()
    const request = { method: init.method ?? 'GET', target: pathname + search, headers, body }
    const answered = await orAborted(answer(request), init.signal)
    if (answered.breaks === 'before') throw broken()
    const isEmpty = request.method === 'HEAD' || [204, 304].includes(answered.status)
    return new Response(isEmpty ? null : streamOf(answered), { status: answered.status, headers: answered.headers })
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

const broken = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })

function streamOf({ body, breaks }: ErpAnswer): ReadableStream<Uint8Array> {
  const parts = body[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = parts.next()
      if (!done) controller.enqueue(Buffer.from(value))
      else if (breaks === 'within') controller.error(broken())
      else controller.close()
    },
  })
}
