/** Work that holds much memory waits until there is room for it, in the order in which it came. */
export class Memory {
  #free: number
  readonly #waiting: { readonly bytes: number; readonly begin: () => void }[] = []

  /** One piece of work may take all of it. */
  constructor(bytes: number) {
    this.#free = bytes
  }

  async hold<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    this.#waiting.push({ bytes, begin })
    this.#beginNext()
    await begun
    try {
      return await work()
    } finally {
      this.#free += bytes
      this.#beginNext()
    }
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.bytes
      next.begin()
    }
  }
}
