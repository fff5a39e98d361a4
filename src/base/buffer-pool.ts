// A pool of large buffers for reuse. Allocating memory outside the V8 heap triggers full garbage collections much more
// often than the size of the heap would.

export class BufferPool {
  readonly #sizeBytes: number
  readonly #maxIdle: number
  readonly #idle: Buffer[] = []

  /** `sizeBytes`: of each pooled buffer; `maxIdle`: how many unused ones are retained. */
  constructor(sizeBytes: number, maxIdle: number) {
    this.#sizeBytes = sizeBytes
    this.#maxIdle = maxIdle
  }

  /** A buffer of at least `neededBytes`, but at most of the pool's size. It is not cleared. */
  take(neededBytes: number): Buffer {
    return this.#idle.pop() ?? Buffer.allocUnsafe(Math.min(neededBytes, this.#sizeBytes))
  }

  /** Returns a buffer that is no longer in use. One that is never returned is simply garbage collected. */
  give(buffer: Buffer): void {
    if (buffer.length === this.#sizeBytes && this.#idle.length < this.#maxIdle) this.#idle.push(buffer)
  }
}
