// Journal entry numbers of a write of many records, one for each that is written. The next record takes the number of
// one that was not.
import type { Tx } from '../store.ts'

export class EntryNumbers {
  readonly #write: Tx
  #current: Tx | undefined

  constructor(write: Tx) {
    this.#write = write
    this.#current = write
  }

  async current(): Promise<Tx> {
    this.#current ??= await this.#write.nextEntry()
    return this.#current
  }

  use(): void {
    this.#current = undefined
  }
}
