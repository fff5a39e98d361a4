// Large buffers that are used again. Memory outside of the heap makes the garbage collector run over all of the heap, much
// more often than its size would.

export class BufferPool {
  readonly #sizeBytes: number
  readonly #mostIdle: number
  readonly #idle: Buffer[] = []

  /** Of buffers of this size, so many are kept when nobody uses them. */
  constructor(sizeBytes: number, mostIdle: number) {
    this.#sizeBytes = sizeBytes
    this.#mostIdle = mostIdle
  }

  /** A buffer with room for what is needed, as far as the size of the pool goes. Whatever was in it still is. */
  take(neededBytes: number): Buffer {
    return this.#idle.pop() ?? Buffer.allocUnsafe(Math.min(neededBytes, this.#sizeBytes))
  }

  /** Gives a buffer back that nobody will read or write any more. One that is not given back is lost to the pool alone. */
  give(buffer: Buffer): void {
    if (buffer.length === this.#sizeBytes && this.#idle.length < this.#mostIdle) this.#idle.push(buffer)
  }
}
