// Bugs of the server below the requests: of sockets, bytes and slow clients, for H2 and H5.
import type { PlantedBug } from './planted-bug.ts'

const BYTES = ['test/reliability/h2-sockets.test.ts', 'H2 no byte'] as const
const SLOW = ['test/reliability/load/h5-slow-clients.test.ts', 'H5 slow clients are given up'] as const
const ADDRESS = ['test/reliability/load/h5-slow-clients.test.ts', 'H5 one address'] as const
const UPLOADS = ['src/http/file-body/slow-uploads.test.ts', 'gives up with 408'] as const

export const socketBugs: readonly PlantedBug[] = [
  {
    name: 'headers may take as long as they like',
    file: 'src/http/server.ts',
    find: 'headersTimeout: HEADERS_TIMEOUT_MS,',
    replace: 'headersTimeout: 0,',
    test: SLOW,
  },
  {
    name: 'one address may have all connections',
    file: 'src/http/connections.ts',
    find: 'others.size >= this.#perAddress',
    replace: 'others.size >= MAX_CONNECTIONS',
    test: ADDRESS,
  },
  {
    name: 'the lenient parser is on',
    file: 'src/http/server.ts',
    find: 'requireHostHeader: false,',
    replace: 'requireHostHeader: false,\n      insecureHTTPParser: true,',
    test: BYTES,
  },
  {
    name: 'a refusal is sent twice',
    file: 'src/http/client-error.ts',
    find: 'socket.end(`',
    replace: "for (const send of ['write', 'end'] as const) socket[send](`",
    test: BYTES,
  },
  {
    name: 'a request that is answered is answered again when its body is wrong',
    file: 'src/http/client-error.ts',
    find: 'if (isOfLatest && latest.answer.headersSent)',
    replace: 'if (false)',
    test: BYTES,
  },
  {
    name: 'what cannot be read is answered before what was asked first',
    file: 'src/http/client-error.ts',
    find: 'if (!answer || answer.writableFinished) act()',
    replace: 'if (answer !== null) act()',
    test: BYTES,
  },
  {
    name: 'a request may have two hosts',
    file: 'src/http/sound-message.ts',
    find: ": host.includes(',')",
    replace: ': false',
    test: BYTES,
  },
  {
    name: 'HTTP/0.9 is taken with headers and a body',
    file: 'src/http/sound-message.ts',
    find: "if (version !== '1.1' && version !== '1.0')",
    replace: "if (version === '2.0')",
    test: BYTES,
  },
  {
    name: 'a body may have codings that nobody undoes',
    file: 'src/http/sound-message.ts',
    find: "coding.toLowerCase() !== 'chunked'",
    replace: "!coding.toLowerCase().includes('chunked')",
    test: BYTES,
  },
  {
    name: 'slow uploads keep their memory while others are turned away',
    file: 'src/http/file-body/slow-uploads.ts',
    find: 'socket.bytesRead - bytes >= least',
    replace: 'socket.bytesRead - bytes >= 0',
    test: UPLOADS,
  },
]
