// Reads the frames of a reader process one after the other, with backpressure: unread data stays in the pipe and blocks
// the reader.
import type { Socket } from 'node:net'
import { unavailable } from '../../../../errors/catalogue.ts'
import { HEADER_BYTES } from './frames.ts'

/** The maximum amount of buffered data. */
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

  /** Reads the next header: kind and length. Throws a Problem (503) when the process has ended. */
  async readHeader(): Promise<{ kind: number; length: number }> {
    const header = await this.readExactly(HEADER_BYTES)
    return { kind: header.readUInt8(4), length: header.readUInt32LE() }
  }

  /** Reads some content as it arrived: between one and `most` bytes. */
  async readSome(most: number): Promise<Buffer> {
    if (this.#size === 0) await this.#wait(1)
    const first = this.#chunks.shift() as Buffer
    const taken = first.subarray(0, most)
    if (first.length > most) this.#chunks.unshift(first.subarray(most))
    this.#size -= taken.length
    return taken
  }

  /** Reads content of exactly this length; for short content. */
  async readExactly(length: number): Promise<Buffer> {
    await this.#wait(length)
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; missing -= parts.at(-1)?.length ?? 0)
      parts.push(await this.readSome(missing))
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
