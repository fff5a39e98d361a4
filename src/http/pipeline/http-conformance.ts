// Rejects requests that Node's parser accepts but that a proxy in front may delimit differently (request smuggling,
// RFC 9112, 11.2). No further request is accepted on such a connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { coded } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'

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

/** Whether `rejectSmuggling` would accept the request. */
export function isConformant({ socket, httpVersion, headers }: IncomingMessage): boolean {
  return !rejected.has(socket) && defectOf(httpVersion, headers) === undefined
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
