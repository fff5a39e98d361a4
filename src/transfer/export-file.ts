// Streams the result of a query to a file or to standard output.
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CollectionAnswer } from '../store/collection.ts'

/** The file has a temporary name until it is complete. `progress` is called with the number of lines written. */
export async function writeExport(
  body: CollectionAnswer['body'],
  target: string | Writable,
  progress: (lines: number) => void,
): Promise<void> {
  if (typeof target !== 'string') return writeTo(target, countedChunks(body, progress))
  const temporary = `${target}.tmp`
  try {
    await pipeline(countedChunks(body, progress), createWriteStream(temporary, { flush: true }))
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** A reader of standard output such as `head` may close the pipe early, which is no error. */
async function writeTo(output: Writable, content: Readable): Promise<void> {
  try {
    await pipeline(content, output, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function countedChunks(body: CollectionAnswer['body'], progress: (lines: number) => void): Readable {
  let lines = 0
  const withCount = async function* () {
    for await (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [Buffer.from(body)] : body) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1
      progress(lines)
      yield chunk
    }
  }
  return Readable.from(withCount(), { objectMode: false })
}

const LINE_FEED = 0x0a
