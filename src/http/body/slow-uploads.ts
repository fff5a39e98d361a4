// Aborts uploads that are too slow, but only while other clients wait for the memory that they hold.
import type { IncomingMessage } from 'node:http'
import { type Flow, flowKey } from '../../base/concurrency/fair-queue.ts'
import { coded } from '../../errors/catalogue.ts'

const CHECK_MS = 10_000
/**
 * What an upload must receive between two checks, multiplied by the number of uploads that its client has running: the
 * client with the most uploads loses its own first.
 */
const MIN_BYTES = 64 * 1024

interface Upload {
  readonly flow: Flow
  readonly payload: IncomingMessage
  /** Bytes read from the connection at the last check; undefined before the first. */
  bytes: number | undefined
  abort(reason: Error): void
}

export class SlowUploads {
  readonly #isBlockingOthers: (flow: Flow) => boolean
  readonly #running = new Set<Upload>()
  #timer: NodeJS.Timeout | undefined

  /** `isBlockingOthers`: whether other clients wait for the memory that this one holds. */
  constructor(isBlockingOthers: (flow: Flow) => boolean) {
    this.#isBlockingOthers = isBlockingOthers
  }

  /** Settles as `reading` does, or rejects with 408 if the upload is too slow; its connection is then closed. */
  async watch<T>(flow: Flow, payload: IncomingMessage, reading: Promise<T>): Promise<T> {
    const { promise: aborted, reject: abort } = Promise.withResolvers<never>()
    const upload: Upload = { flow, payload, bytes: undefined, abort }
    this.#running.add(upload)
    this.#timer ??= setInterval(() => this.#checkAll(), CHECK_MS).unref()
    try {
      return await Promise.race([reading, aborted])
    } finally {
      this.#running.delete(upload)
      if (this.#running.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }

  #checkAll(): void {
    const running = Map.groupBy(this.#running, ({ flow }) => flowKey(flow))
    for (const uploads of running.values()) {
      const minBytes = MIN_BYTES * uploads.length
      const isBlocking = this.#isBlockingOthers((uploads[0] as Upload).flow)
      for (const upload of uploads) this.#check(upload, isBlocking, minBytes)
    }
  }

  #check(upload: Upload, isBlocking: boolean, minBytes: number): void {
    const { payload, bytes } = upload
    const { socket } = payload
    upload.bytes = socket.bytesRead
    if (!isBlocking || bytes === undefined || socket.bytesRead - bytes >= minBytes) return
    // Once a request is answered, Node does not report to its body that the connection has closed.
    socket.once('close', () => payload.destroy())
    upload.abort(tooSlow(minBytes))
  }
}

function tooSlow(minBytes: number): Error {
  const message = `The file came too slowly while others waited: less than ${minBytes} bytes in ${CHECK_MS / 1_000} s.`
  return coded(408, 1010, message, { headers: { connection: 'close' } })
}
