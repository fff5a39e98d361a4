// The file store with its traffic counted, and with spans when tracing is on.
import type { Readable } from 'node:stream'
import type { FileMetrics } from '../observe/metrics.ts'
import type { Traces } from '../observe/observation.ts'
import type { FileStore } from './file-store.ts'
import type { Staging } from './staging.ts'

type Span = Traces['span']

const withoutSpan: Span = (_name, work) => work()
const spanOf = (traces: Traces | undefined): Span => (traces ? (name, work) => traces.span(name, work) : withoutSpan)

export function watchedFiles(store: FileStore, metrics: FileMetrics, traces: Traces | undefined): FileStore {
  const span = spanOf(traces)
  return {
    put: (...args) => span('files keep', () => store.put(...args)),
    read: async (...args) => countBytes(await span('files read', () => store.read(...args)), metrics),
    readChunks: (...args) => countChunks(store.readChunks(...args), metrics, span),
    list: () => store.list(),
    remove: (...args) => store.remove(...args),
    findRendition: (...args) => span('files find derived', () => store.findRendition(...args)),
    listRenditions: (...args) => span('files list derived', () => store.listRenditions(...args)),
    putRendition: (...args) => span('files keep derived', () => store.putRendition(...args)),
    close: () => store.close(),
  }
}

export function watchedStaging(staging: Staging, metrics: FileMetrics, traces: Traces | undefined): Staging {
  const span = spanOf(traces)
  return {
    take: async (source, limitBytes) => {
      metrics.uploadsUnderWay++
      try {
        const staged = await span('files receive', () => staging.take(source, limitBytes))
        metrics.bytes.inc({ direction: 'in' }, staged.size)
        return staged
      } finally {
        metrics.uploadsUnderWay--
      }
    },
    discard: (content) => staging.discard(content),
  }
}

/** Pauses the stream first: a 'data' listener would start the flow before its reader is attached. */
function countBytes(stream: Readable, metrics: FileMetrics): Readable {
  stream.pause()
  return stream.on('data', (chunk: Uint8Array) => metrics.bytes.inc({ direction: 'out' }, chunk.length))
}

async function* countChunks(
  chunks: AsyncGenerator<Uint8Array, void, void>,
  metrics: FileMetrics,
  span: Span,
): AsyncGenerator<Uint8Array, void, void> {
  // The first chunk opens the file.
  const first = await span('files read', () => chunks.next())
  if (first.done) return
  metrics.bytes.inc({ direction: 'out' }, first.value.length)
  try {
    yield first.value
    for await (const chunk of chunks) {
      metrics.bytes.inc({ direction: 'out' }, chunk.length)
      yield chunk
    }
  } finally {
    await chunks.return()
  }
}
