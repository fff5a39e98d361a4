// Instruments the file store: counts the bytes of contents in and out, and adds spans when tracing is enabled.
import type { Readable } from 'node:stream'
import type { FileMetrics } from '../observe/figures.ts'
import type { Traces } from '../observe/traces.ts'
import type { FileStore, StagedFile } from './file-store.ts'

/** Receives uploaded contents. */
interface Intake {
  take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StagedFile>
}

const withoutSpan = <T>(_name: string, work: () => Promise<T>): Promise<T> => work()

export function watchFiles(store: FileStore, intake: Intake, metrics: FileMetrics, traces: Traces | undefined): void {
  const span: Traces['span'] = traces ? traces.span.bind(traces) : withoutSpan
  const [put, read, readChunks] = [store.put.bind(store), store.read.bind(store), store.readChunks.bind(store)]
  const [findRendition, putRendition] = [store.findRendition.bind(store), store.putRendition.bind(store)]
  const listRenditions = store.listRenditions.bind(store)
  const take = intake.take.bind(intake)
  store.put = (companyId, staged) => span('files keep', () => put(companyId, staged))
  store.read = async (companyId, hash, range) =>
    countBytes(await span('files read', () => read(companyId, hash, range)), metrics)
  store.readChunks = (...args) => countChunks(readChunks(...args), metrics, span)
  store.findRendition = (...args) => span('files find derived', () => findRendition(...args))
  store.listRenditions = (...args) => span('files list derived', () => listRenditions(...args))
  store.putRendition = (...args) => span('files keep derived', () => putRendition(...args))
  intake.take = async (source, limitBytes) => {
    metrics.uploadsUnderWay++
    try {
      const staged = await span('files receive', () => take(source, limitBytes))
      metrics.bytesIn += staged.size
      return staged
    } finally {
      metrics.uploadsUnderWay--
    }
  }
}

/** Pauses the stream first: a 'data' listener would start the flow before its reader is attached. */
function countBytes(stream: Readable, metrics: FileMetrics): Readable {
  stream.pause()
  return stream.on('data', (chunk: Uint8Array) => {
    metrics.bytesOut += chunk.length
  })
}

async function* countChunks(
  chunks: AsyncGenerator<Uint8Array, void, void>,
  metrics: FileMetrics,
  span: Traces['span'],
): AsyncGenerator<Uint8Array, void, void> {
  // The first chunk opens the file.
  const first = await span('files read', () => chunks.next())
  if (first.done) return
  metrics.bytesOut += first.value.length
  try {
    yield first.value
    for await (const chunk of chunks) {
      metrics.bytesOut += chunk.length
      yield chunk
    }
  } finally {
    await chunks.return()
  }
}
