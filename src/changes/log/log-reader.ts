// Reads the log page by page, each about a step long: what an entry costs differs by its kind and the length of its
// texts, so each page has as many as the one before lets expect.
import { STEP_MS, type Steps } from '../../base/concurrency/steps.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ChangeKind } from '../change-kind.ts'
import type { Position } from '../record-change.ts'
import type { LogSource } from './log-source.ts'
import { type LogPage, readChanges } from './read-changes.ts'

/** Entries of a page. Fewer would cost more for what each page takes by itself. */
const FEWEST = 16
const MOST = 1_000
/** Unknown entries may be long. */
const FIRST = 64

export class LogReader {
  readonly #source: LogSource
  readonly #company: CompanyRules
  readonly #kinds: readonly ChangeKind[]
  readonly #steps: Steps
  #size = FIRST
  #before: number | undefined

  constructor(source: LogSource, company: CompanyRules, kinds: readonly ChangeKind[], steps: Steps) {
    this.#source = source
    this.#company = company
    this.#kinds = kinds
    this.#steps = steps
  }

  /**
   * The changes after a position, at most `limit`, and fewer where they take long. What is done with a page until the
   * next is read counts as a part of its step. Throws as `readChanges` does, and when nobody waits any more.
   */
  async read(from: Position, limit: number): Promise<LogPage> {
    if (this.#before !== undefined) this.#size = this.#sizeAfter(processorMs() - this.#before)
    await this.#steps.pause()
    this.#before = processorMs()
    return readChanges(this.#source, this.#company, from, Math.min(limit, this.#size), this.#kinds)
  }

  /** Other work of the thread between counts too: it makes pages smaller when the service is busy. */
  #sizeAfter(ms: number): number {
    if (ms > STEP_MS) return Math.max(FEWEST, this.#size >> 1)
    return ms < STEP_MS / 2 ? Math.min(MOST, this.#size * 2) : this.#size
  }
}

/** The processor time of the thread, in milliseconds: waits for a database are none of it. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
