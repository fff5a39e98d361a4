// A large body, with news of how much of it has left.
import type { RepeatableBody } from './request.ts'

export type OnProgress = (sentBytes: number, allBytes: number) => void

const CHUNK_BYTES = 64 * 1024

/**
 * A body that tells how much of it was taken. Browsers send no streams over HTTP/1.1: there it is told at the
 * beginning and when the body is handed over.
 */
export function uploadBody(content: Blob, contentType: string, onProgress: OnProgress | undefined): RepeatableBody {
  // Without its own type: the request has one.
  const whole = content.slice(0, content.size)
  if (onProgress === undefined) return { contentType, make: () => whole }
  const isBrowser = 'XMLHttpRequest' in globalThis
  return {
    contentType,
    make: () => {
      onProgress(0, content.size)
      if (!isBrowser) return streamOf(whole, onProgress)
      onProgress(content.size, content.size)
      return whole
    },
  }
}

/** Cut into pieces where they are asked for: a `Blob` in a file is never in memory as a whole. */
function streamOf(content: Blob, onProgress: OnProgress): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = new Uint8Array(await content.slice(sent, sent + CHUNK_BYTES).arrayBuffer())
        if (piece.byteLength === 0) return controller.close()
        controller.enqueue(piece)
        sent += piece.byteLength
        onProgress(sent, content.size)
      },
    },
    { highWaterMark: 0 },
  )
}
