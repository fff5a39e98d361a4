// Frames of a reader process, read one after the other; what nobody asks for stays in the pipe and holds the reader up.
import type { Socket } from 'node:net'
import { unavailable } from '../../../../errors/catalogue.ts'
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

  /** What comes next, and how long it is. Throws a Problem (503) when the process has ended. */
  async head(): Promise<{ kind: number; length: number }> {
    const header = await this.whole(HEADER_BYTES)
    return { kind: header.readUInt8(4), length: header.readUInt32LE() }
  }

  /** Some of the content, as it came: at least one byte, at most so many. */
  async some(most: number): Promise<Buffer> {
    if (this.#size === 0) await this.#wait(1)
    const first = this.#chunks.shift() as Buffer
    const taken = first.subarray(0, most)
    if (first.length > most) this.#chunks.unshift(first.subarray(most))
    this.#size -= taken.length
    return taken
  }

  /** Content that is short. */
  async whole(length: number): Promise<Buffer> {
    await this.#wait(length)
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; missing -= parts.at(-1)?.length ?? 0) parts.push(await this.some(missing))
    const [only] = parts
    return parts.length === 1 && only ? only : Buffer.concat(parts, length)
  }

  async #wait(length: number): Promise<void> {
    while (this.#size < length) {
      if (this.#isEnded) throw unavailable('The query was ended with its reader.', 1)
      this.#channel.resume()
      await new Promise<void>((resume) => {
        this.#wake = resume
      })
    }
  }
}
