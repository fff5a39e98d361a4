/** Runs work with the same key sequentially, in the order of the calls. Work with different keys runs concurrently. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
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
