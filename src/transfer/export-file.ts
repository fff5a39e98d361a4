// Writes what a query finds to a file or a stream, piece by piece.
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CollectionAnswer } from '../store/collection.ts'

/** Under a temporary name until it is whole. `progress` is told how many bytes have been written. */
export async function writeAnswer(
  body: CollectionAnswer['body'],
  file: string | undefined,
  progress: (bytes: number) => void,
): Promise<void> {
  if (file === undefined) {
    await pipeline(pieces(body, progress), process.stdout, { end: false })
    return
  }
  const temporary = `${file}.tmp`
  try {
    await pipeline(pieces(body, progress), createWriteStream(temporary, { flush: true }))
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function pieces(body: CollectionAnswer['body'], progress: (bytes: number) => void): Readable {
  let bytes = 0
  const counted = async function* () {
    for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [Buffer.from(body)] : body) {
      bytes += piece.length
      progress(bytes)
      yield piece
    }
  }
  return Readable.from(counted(), { objectMode: false })
}
