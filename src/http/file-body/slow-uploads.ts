// Uploads that come too slowly to be borne: only while others are turned away because of them.
import type { IncomingMessage } from 'node:http'
import { type Flow, flowKey } from '../../base/fair-queue.ts'
import { coded } from '../../errors/catalogue.ts'

const CHECK_MS = 10_000
/** What an upload must bring from one look to the next, times as many as its caller has under way: the greediest go first. */
const LEAST_BYTES = 64 * 1024

interface Upload {
  readonly flow: Flow
  readonly payload: IncomingMessage
  /** Of the connection when it was last looked at; undefined before. */
  bytes: number | undefined
  giveUp(reason: Error): void
}

export class SlowUploads {
  readonly #holdsUp: (flow: Flow) => boolean
  readonly #running = new Set<Upload>()
  #timer: NodeJS.Timeout | undefined

  /** `holdsUp` tells whether others wait for the room that a caller has. */
  constructor(holdsUp: (flow: Flow) => boolean) {
    this.#holdsUp = holdsUp
  }

  /** As `reading`, or 408 when what is read comes too slowly; then the connection is closed, which ends the reading. */
  async watch<T>(flow: Flow, payload: IncomingMessage, reading: Promise<T>): Promise<T> {
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>()
    const upload: Upload = { flow, payload, bytes: undefined, giveUp }
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
    const running = Map.groupBy(this.#running, ({ flow }) => flowKey(flow))
    for (const uploads of running.values()) {
      const least = LEAST_BYTES * uploads.length
      const isInTheWay = this.#holdsUp((uploads[0] as Upload).flow)
      for (const upload of uploads) this.#lookAt(upload, isInTheWay, least)
    }
  }

  #lookAt(upload: Upload, isInTheWay: boolean, least: number): void {
    const { payload, bytes } = upload
    const { socket } = payload
    upload.bytes = socket.bytesRead
    if (!isInTheWay || bytes === undefined || socket.bytesRead - bytes >= least) return
    // Of a request that is answered, Node tells nobody that its connection is closed.
    socket.once('close', () => payload.destroy())
    upload.giveUp(tooSlow(least))
  }
}

function tooSlow(least: number): Error {
  const message = `The file came too slowly while others waited: less than ${least} bytes in ${CHECK_MS / 1_000} s.`
  return coded(408, 1010, message, { headers: { connection: 'close' } })
}
