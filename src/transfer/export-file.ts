// Streams the result of a query to a file or to standard output.

import { createWriteStream } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openOutput } from '../base/process/named-output.ts'
import { codeOf } from '../base/thrown.ts'
import { type CollectionAnswer, discardRows } from '../store/collection.ts'

/** A regular file is replaced when it is complete. `progress` is called with the number of lines written. */
export async function writeExport(
  body: CollectionAnswer['body'],
  target: string | Writable,
  progress: (lines: number) => void,
): Promise<void> {
  try {
    await writeBody(body, target, progress)
  } finally {
    // A file that cannot be opened has read nothing of it.
    await discardRows(body)
  }
}

async function writeBody(body: CollectionAnswer['body'], target: string | Writable, progress: (lines: number) => void) {
  if (typeof target !== 'string') return writeTo(target, countedChunks(body, progress))
  const output = openOutput(target)
  try {
    const file = createWriteStream(target, { fd: output.handle, autoClose: false })
    await writeTo(file, countedChunks(body, progress), true)
  } catch (error) {
    output.discard()
    throw error
  }
  output.keep()
}

/** The reader of a pipe, such as `head`, may close it early, which is no error. */
async function writeTo(output: Writable, content: Readable, end = false): Promise<void> {
  try {
    await pipeline(content, output, { end })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
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
