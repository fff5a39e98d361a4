// Mutations of the server below the requests: of sockets, bytes and slow clients, for H2 and H5.
import type { Mutation } from './mutation.ts'

const BYTES = ['test/reliability/http/sockets.test.ts', 'H2 no byte'] as const
const SLOW = ['test/reliability/load/slow-clients.test.ts', 'H5 slow clients are disconnected'] as const
const ADDRESS = ['test/reliability/load/slow-clients.test.ts', 'H5 one address'] as const
const UPLOADS = ['src/http/body/slow-uploads.test.ts', 'gives up with 408'] as const

export const socketMutations: readonly Mutation[] = [
  {
    name: 'headers have no timeout',
    find: 'headersTimeout: HEADERS_TIMEOUT_MS,',
    replace: 'headersTimeout: 0,',
    test: SLOW,
  },
  {
    name: 'one address may use all connections',
    find: 'fromAddress.size >= this.#bounds.fromAddress',
    replace: 'fromAddress.size >= this.#bounds.all',
    test: ADDRESS,
  },
  {
    name: 'the lenient parser is on',
    find: 'requireHostHeader: false,',
    replace: 'requireHostHeader: false,\n      insecureHTTPParser: true,',
    test: BYTES,
  },
  {
    name: 'a rejection is sent twice',
    find: 'socket.end(answer)',
    replace: "for (const send of ['write', 'end'] as const) socket[send](answer)",
    test: BYTES,
  },
  {
    name: 'a request that is answered is answered again when its body is wrong',
    find: 'if (isOfLatest && latest.response.headersSent)',
    replace: 'if (false)',
    test: BYTES,
  },
  {
    name: 'what cannot be read is answered before what was asked first',
    find: 'if (!response || response.writableFinished) action()',
    replace: 'if (response !== null) action()',
    test: BYTES,
  },
  {
    name: 'a request may have two hosts',
    find: ": host.includes(',')",
    replace: ': false',
    test: BYTES,
  },
  {
    name: 'HTTP/0.9 is accepted with headers and a body',
    find: "if (version !== '1.1' && version !== '1.0')",
    replace: "if (version === '2.0')",
    test: BYTES,
  },
  {
    name: 'a body may have unsupported codings',
    find: "coding.toLowerCase() !== 'chunked'",
    replace: "!coding.toLowerCase().includes('chunked')",
    test: BYTES,
  },
  {
    name: 'slow uploads keep their memory while others are rejected',
    find: 'socket.bytesRead - bytes >= minBytes',
    replace: 'socket.bytesRead - bytes >= 0',
    test: UPLOADS,
  },
]
