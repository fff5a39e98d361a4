// Writes what a query finds to a file or a stream, piece by piece.
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CollectionAnswer } from '../store/collection.ts'

/** Under a temporary name until it is whole. `progress` is told how many lines have been written. */
export async function writeAnswer(
  body: CollectionAnswer['body'],
  file: string | undefined,
  progress: (lines: number) => void,
): Promise<void> {
  if (file === undefined) return writeOut(pieces(body, progress))
  const temporary = `${file}.tmp`
  try {
    await pipeline(pieces(body, progress), createWriteStream(temporary, { flush: true }))
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** To standard output; whoever reads it may stop when they have seen enough, as `head` does. */
async function writeOut(answer: Readable): Promise<void> {
  try {
    await pipeline(answer, process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function pieces(body: CollectionAnswer['body'], progress: (lines: number) => void): Readable {
  let lines = 0
  const counted = async function* () {
    for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [Buffer.from(body)] : body) {
      for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) lines += 1
      progress(lines)
      yield piece
    }
  }
  return Readable.from(counted(), { objectMode: false })
}

const LINE_FEED = 0x0a
