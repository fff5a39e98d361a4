// Limits that Node's parser does not enforce. Requests that a proxy in front may delimit differently than it does are
// rejected (request smuggling, RFC 9112, 11.2), and no further request is accepted on such a connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { coded, unavailable } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import { rejectEncodedBody } from './json-body.ts'

export const MAX_HEADERS = 100
/** Long enough for a filter of 8,000 characters, partly percent-encoded. */
const MAX_URL_BYTES = 16 * 1024

const rejected = new WeakSet<Socket>()

/** The 400 for a request that is rejected. Must be called for every request, before anything else. */
export function rejectSmuggling({ socket, httpVersion, headers }: IncomingMessage): Problem | undefined {
  const reason = rejected.has(socket)
    ? 'An earlier request on the connection is not valid.'
    : defectOf(httpVersion, headers)
  if (reason === undefined) return undefined
  rejected.add(socket)
  return coded(400, 1010, reason, { headers: { connection: 'close' } })
}

/** Throws if the service is closing, the URL is too long, there are too many headers, or the body is encoded. */
export function checkLimits(request: PlainRequest, isClosing: boolean): void {
  if (isClosing) throw unavailable('The service is stopping.')
  const { url = '', rawHeaders } = request.raw
  requireShortUrl(url)
  if (rawHeaders.length > MAX_HEADERS * 2) throw coded(431, 1010, `The request has more than ${MAX_HEADERS} headers.`)
  rejectEncodedBody(request)
}

/** Throws 414 for a URL that is too long. */
export function requireShortUrl(url: string): void {
  if (url.length > MAX_URL_BYTES) throw coded(414, 1010, `The URL is longer than ${MAX_URL_BYTES} bytes.`)
}

/** Whether a request without a body passes both checks. */
export function isConformant({ socket, httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length <= MAX_HEADERS * 2 && !rejected.has(socket) && defectOf(httpVersion, headers) === undefined
}

function defectOf(
  version: string,
  { host, 'transfer-encoding': coding }: IncomingMessage['headers'],
): string | undefined {
  // The parser accepts the versions 0.9 and 2.0 and reads such requests as HTTP/1.1.
  if (version !== '1.1' && version !== '1.0') return 'The request is not HTTP/1.1.'
  // Node joins two Host headers with a comma (joinDuplicateHeaders).
  if (host === undefined ? version === '1.1' : host.includes(','))
    return 'The request does not have exactly one Host header.'
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'The only Transfer-Encoding that is read is chunked.'
  return undefined
}
