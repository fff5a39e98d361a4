// Pages of other origins, which the administrator has named (CORS, Fetch Standard 3.2). They show credentials of their
// own in `Authorization`; cookies are not for them, so a session of the console is out of their reach.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from '../route/send.ts'

/** How long a browser need not ask again; none keeps it for longer. */
const KEPT_SECONDS = 86_400

/** What a page may read of an answer, besides what it always may. `*` is not known to all browsers. */
const EXPOSED = [
  'Accept-Ranges',
  'Acting-As',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'OData-Version',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-ERP-Change-Number',
  'X-ERP-Total-Count',
  'X-ERP-Truncated',
  'X-Request-Id',
]

export class CrossOrigin {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** Lets the page read whatever will be answered, also refusals, files and what comes from the cache. */
  open({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
    const isAllowed = origin !== undefined && this.#origins.has(origin)
    const writeHead = response.writeHead.bind(response)
    response.writeHead = (status: number, headers?: unknown) => {
      setHeaders(response, headers)
      response.setHeader('vary', [response.getHeader('vary') ?? [], 'origin'].flat().join(', '))
      if (isAllowed) {
        response.setHeader('access-control-allow-origin', origin)
        response.setHeader('access-control-expose-headers', EXPOSED.join(', '))
        response.setHeader('cross-origin-resource-policy', 'cross-origin')
      }
      return writeHead(status)
    }
  }

  /**
   * The answer to a question of the browser whether the page may send a request: it carries no credentials. Undefined
   * for any other request.
   */
  preflight({ method, headers }: IncomingMessage): Reply | undefined {
    const { origin, 'access-control-request-method': requested, 'access-control-request-headers': names } = headers
    if (method !== 'OPTIONS' || origin === undefined || requested === undefined || !this.#origins.has(origin))
      return undefined
    return {
      status: 204,
      headers: {
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
        'access-control-allow-headers': names ?? '',
        'access-control-max-age': String(KEPT_SECONDS),
      },
    }
  }
}

/** As Node's `writeHead` takes them: by name, or names and values in turn. */
function setHeaders(response: ServerResponse, headers: unknown): void {
  const list = Array.isArray(headers) ? headers : Object.entries(headers ?? {}).flat(1)
  for (let at = 0; at < list.length; at += 2) response.setHeader(list[at], list[at + 1])
}
