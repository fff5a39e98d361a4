// What Node's parser lets through and no careful reader takes: another one before us may see other requests there. Nothing is
// read on such a connection any more.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { coded } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

const distrusted = new WeakSet<Socket>()

/** Why the request is refused with 400; must be called for each as soon as it has come. */
export function distrust({ socket, httpVersion, headers }: IncomingMessage): Problem | undefined {
  const reason = distrusted.has(socket)
    ? 'An earlier request on the connection is not valid.'
    : fault(httpVersion, headers)
  if (reason === undefined) return undefined
  distrusted.add(socket)
  return coded(400, 1010, reason, { headers: { connection: 'close' } })
}

/** Whether `distrust` would let the request pass. */
export function isSound({ socket, httpVersion, headers }: IncomingMessage): boolean {
  return !distrusted.has(socket) && fault(httpVersion, headers) === undefined
}

function fault(version: string, { host, 'transfer-encoding': coding }: IncomingMessage['headers']): string | undefined {
  // 0.9 and 2.0 pass the parser, with headers and bodies as if they were 1.1.
  if (version !== '1.1' && version !== '1.0') return 'The request is not HTTP/1.1.'
  // Two are joined by a comma.
  if (host === undefined ? version === '1.1' : host.includes(','))
    return 'The request does not have exactly one Host header.'
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'The only Transfer-Encoding that is read is chunked.'
  return undefined
}
