/** Work on one and the same thing is done one after the other, in the order in which it came; on others at once. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    this.#last.set(key, done)
    await before
    try {
      return await work()
    } finally {
      finish()
      if (this.#last.get(key) === done) this.#last.delete(key)
    }
  }
}
