// A file beside the database by which a process tells the one that writes that it waits for its turn. SQLite tells
// nobody who waits for its lock. Only the time of the file counts.
import { statSync, writeFileSync } from 'node:fs'

/** The file's time is that of the kernel's clock, which may be behind by some milliseconds. */
const CLOCK_TICK_MS = 10

export class WaitingMark {
  readonly #file: string

  constructor(database: string) {
    this.#file = `${database}-waiting`
  }

  set(): void {
    writeFileSync(this.#file, '', { mode: 0o600 })
  }

  /** Whether a process has waited after a time, in milliseconds since the epoch. */
  isSetAfter(at: number): boolean {
    return (statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at + CLOCK_TICK_MS
  }
}
