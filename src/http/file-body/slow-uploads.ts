// Uploads that come too slowly to be borne: only while others are turned away because of them.
import type { IncomingMessage } from 'node:http'
import { coded } from '../../errors/catalogue.ts'

const CHECK_MS = 10_000
/** What an upload must bring from one look to the next. */
const LEAST_BYTES = 64 * 1024

interface Upload {
  readonly payload: IncomingMessage
  /** Of the connection when it was last looked at; undefined before. */
  bytes: number | undefined
  giveUp(reason: Error): void
}

export class SlowUploads {
  readonly #isCrowded: () => boolean
  readonly #running = new Set<Upload>()
  #timer: NodeJS.Timeout | undefined

  /** `isCrowded` tells whether there is no room for another. */
  constructor(isCrowded: () => boolean) {
    this.#isCrowded = isCrowded
  }

  /** As `reading`, or 408 when what is read comes too slowly; then the connection is closed, which ends the reading. */
  async watch<T>(payload: IncomingMessage, reading: Promise<T>): Promise<T> {
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>()
    const upload: Upload = { payload, bytes: undefined, giveUp }
    this.#running.add(upload)
    this.#timer ??= setInterval(() => this.#look(), CHECK_MS).unref()
    try {
      return await Promise.race([reading, givenUp])
    } finally {
      this.#running.delete(upload)
      if (this.#running.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }

  #look(): void {
    const isCrowded = this.#isCrowded()
    for (const upload of this.#running) {
      const { payload, bytes } = upload
      const { socket } = payload
      upload.bytes = socket.bytesRead
      if (!isCrowded || bytes === undefined || socket.bytesRead - bytes >= LEAST_BYTES) continue
      // Of a request that is answered, Node tells nobody that its connection is closed.
      socket.once('close', () => payload.destroy())
      upload.giveUp(tooSlow())
    }
  }
}

function tooSlow(): Error {
  const message = `The file came too slowly while others waited: less than ${LEAST_BYTES} bytes in ${CHECK_MS / 1_000} s.`
  return coded(408, 1010, message, { headers: { connection: 'close' } })
}
