// Frames of a reader process, read one after the other; what nobody asks for stays in the pipe and holds the reader up.
import type { Socket } from 'node:net'
import { unavailable } from '../../../errors/catalogue.ts'
import { HEADER_BYTES } from './frames.ts'

/** As much may wait here while a piece is taken. */
const BUFFERED_BYTES = 256 * 1024

export class FrameReader {
  readonly #channel: Socket
  #chunks: Buffer[] = []
  #size = 0
  #isEnded = false
  #wake = (): void => {}

  constructor(channel: Socket) {
    this.#channel = channel
    channel.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      if (this.#size >= BUFFERED_BYTES) channel.pause()
      this.#wake()
    })
    channel.on('close', () => {
      this.#isEnded = true
      this.#wake()
    })
  }

  /** Throws a Problem (503) when the process has ended. */
  async next(): Promise<{ kind: number; content: Buffer }> {
    const header = await this.#take(HEADER_BYTES)
    return { kind: header.readUInt8(4), content: await this.#take(header.readUInt32LE()) }
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#size < length) {
      if (this.#isEnded) throw unavailable('The query was ended with its reader.', 1)
      this.#channel.resume()
      await new Promise<void>((resume) => {
        this.#wake = resume
      })
    }
    this.#size -= length
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; ) {
      const chunk = this.#chunks.shift() as Buffer
      parts.push(chunk.subarray(0, missing))
      if (chunk.length > missing) this.#chunks.unshift(chunk.subarray(missing))
      missing -= Math.min(missing, chunk.length)
    }
    const [only] = parts
    return parts.length === 1 && only ? only : Buffer.concat(parts, length)
  }
}
