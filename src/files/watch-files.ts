// Counts the bytes of contents that come and go, and tells of what is done with them when traces are wanted.
import type { Readable } from 'node:stream'
import type { FileFigures } from '../observe/figures.ts'
import type { Traces } from '../observe/traces.ts'
import type { FileStore, StagedFile } from './file-store.ts'

/** Where contents are received. */
interface Intake {
  take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StagedFile>
}

const asItIs = <T>(_name: string, work: () => Promise<T>): Promise<T> => work()

export function watchFiles(store: FileStore, intake: Intake, figures: FileFigures, traces: Traces | undefined): void {
  const span: Traces['span'] = traces ? traces.span.bind(traces) : asItIs
  const [keep, read, pieces] = [store.keep.bind(store), store.read.bind(store), store.pieces.bind(store)]
  const [findDerived, keepDerived] = [store.findDerived.bind(store), store.keepDerived.bind(store)]
  const listDerived = store.listDerived.bind(store)
  const take = intake.take.bind(intake)
  store.keep = (companyId, staged) => span('files keep', () => keep(companyId, staged))
  store.read = async (companyId, hash, range) =>
    counted(await span('files read', () => read(companyId, hash, range)), figures)
  store.pieces = (...given) => countedPieces(pieces(...given), figures, span)
  store.findDerived = (...given) => span('files find derived', () => findDerived(...given))
  store.listDerived = (...given) => span('files list derived', () => listDerived(...given))
  store.keepDerived = (...given) => span('files keep derived', () => keepDerived(...given))
  intake.take = async (source, limitBytes) => {
    figures.uploadsUnderWay++
    try {
      const staged = await span('files receive', () => take(source, limitBytes))
      figures.bytesIn += staged.size
      return staged
    } finally {
      figures.uploadsUnderWay--
    }
  }
}

/** Paused first: to be listened to must not let it flow before its reader comes. */
function counted(stream: Readable, figures: FileFigures): Readable {
  stream.pause()
  return stream.on('data', (chunk: Uint8Array) => {
    figures.bytesOut += chunk.length
  })
}

async function* countedPieces(
  pieces: AsyncGenerator<Uint8Array, void, void>,
  figures: FileFigures,
  span: Traces['span'],
): AsyncGenerator<Uint8Array, void, void> {
  // With the first piece the file is opened.
  const first = await span('files read', () => pieces.next())
  if (first.done) return
  figures.bytesOut += first.value.length
  try {
    yield first.value
    for await (const piece of pieces) {
      figures.bytesOut += piece.length
      yield piece
    }
  } finally {
    await pieces.return()
  }
}
