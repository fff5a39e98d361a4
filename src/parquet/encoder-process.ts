// A process that writes Parquet files: of each request it gets a description and then the rows, and sends the file. It
// reads and writes synchronously, so a full pipe blocks it, and it never has more than one group of rows.

import { lowerPriority } from '../base/process/processes.ts'
import { messageOf } from '../base/thrown.ts'
import { FrameKind, receiveKindedFrame, sendFrame } from '../process-pool/frames.ts'
import { type ParquetDescription, ParquetFile } from './parquet-file.ts'

// A point read in the service goes first.
lowerPriority()

for (let request = receiveKindedFrame(); request; request = receiveKindedFrame()) {
  try {
    sendFrame(FrameKind.end, String(writeFile(JSON.parse(request.body.toString()) as ParquetDescription)))
  } catch (error) {
    sendFrame(FrameKind.failure, messageOf(error))
    // The rest of its rows is still on the way.
    break
  }
}

/** Returns the number of rows. */
function writeFile(description: ParquetDescription): number {
  const file = new ParquetFile(description, (bytes) => {
    if (bytes.length > 0) sendFrame(FrameKind.chunk, bytes)
  })
  let incomplete: Buffer[] = []
  for (;;) {
    const frame = receiveKindedFrame()
    if (!frame) throw new Error('the service is gone')
    if (frame.kind === FrameKind.end) break
    incomplete = addLines(file, incomplete, frame.body)
  }
  if (incomplete.length > 0) throw new Error('the last row is incomplete')
  return file.end()
}

/** Adds the complete lines of a chunk; returns the rest. A row may have many chunks, which are joined once. */
function addLines(file: ParquetFile, incomplete: Buffer[], chunk: Buffer): Buffer[] {
  const end = chunk.lastIndexOf('\n') + 1
  if (end === 0) {
    // The last chunk may be empty.
    if (chunk.length > 0) incomplete.push(chunk)
    return incomplete
  }
  const lines = chunk.subarray(0, end)
  file.addRows(incomplete.length === 0 ? lines : Buffer.concat([...incomplete, lines]))
  return end === chunk.length ? [] : [chunk.subarray(end)]
}
