import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A client's own id is used if it is harmless in a header and a log line. */
const SAFE_ID = /^[\w.:-]{1,128}$/

export function requestIdOf(request: IncomingMessage): string {
  const requested = request.headers['x-request-id']
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID()
}
