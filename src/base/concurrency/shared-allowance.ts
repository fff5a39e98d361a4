// So many in any window, by all processes together: each reserves a block before it lets anybody through, so that no
// burst gets past several of them. What a process does not use it gives back.
import { type Amounts, SlidingWindow } from './sliding-window.ts'

/** A block is this part of what is left: few questions at first, and single ones at the end. */
const BLOCKS_LEFT = 8

interface AllowanceSettings {
  readonly most: number
  readonly windowMs: number
  /** As `SharedUsages.add`. */
  add(amounts: Amounts, since: number): Promise<Amounts>
  now(): number
}

export class SharedAllowance {
  readonly #settings: AllowanceSettings
  readonly #window: SlidingWindow
  /** Reserved in a step of the window, and not used. */
  #reserved = { step: 0, left: 0 }
  /** Those who wait for the block that is being reserved. */
  #waiting = 0
  #reserving: Promise<boolean> | undefined
  #isIdle = false
  #hasRefused = false

  constructor(settings: AllowanceSettings) {
    this.#settings = settings
    this.#window = new SlidingWindow(settings.windowMs)
  }

  /** What all processes have used, as far as this one knows. */
  get used(): number {
    return this.#window.usedUntil(this.#settings.now()) - this.#reserved.left
  }

  /** Milliseconds until no more than `most` are used. */
  waitUntil(most: number): number {
    return this.#window.waitUntil(this.#settings.now(), most)
  }

  /** Whether one can be used without asking. */
  get hasReserve(): boolean {
    return this.#reserved.left > 0 && this.#reserved.step === this.#window.stepAt(this.#settings.now())
  }

  /** Uses one. False: all are used. Without a reserve it is told to the others with the next exchange. */
  take(): boolean {
    this.#isIdle = false
    if (this.hasReserve) {
      this.#reserved.left -= 1
      return true
    }
    if (this.#room() <= 0) {
      this.#hasRefused = true
      return false
    }
    this.#window.add(1, this.#settings.now())
    return true
  }

  /** As `take`, with a reserve if there can be one. */
  async takeReserved(): Promise<boolean> {
    // Nothing may come between the last look and the use: several wait for one block.
    while (!this.hasReserve && this.#room() > 0) if (!(await this.#nextBlock(1))) break
    return this.take()
  }

  /** Reserves so many, or what is left. */
  async reserve(count: number): Promise<void> {
    const isMissing = () => !this.hasReserve || this.#reserved.left < count
    while (isMissing() && this.#room() > 0) if (!(await this.#nextBlock(count))) break
  }

  /** Gives back what was not used for a while, and asks what the others have used, where that matters. */
  async exchange(): Promise<void> {
    if (this.#isIdle) this.#giveBack()
    this.#isIdle = true
    const unsent = this.#window.takeUnsent()
    if (unsent.size === 0 && !this.#hasRefused) return
    this.#hasRefused = false
    this.#window.merge(unsent, await this.#tell(unsent))
  }

  async #nextBlock(count: number): Promise<boolean> {
    this.#waiting += count
    try {
      this.#reserving ??= this.#reserveBlock().finally(() => (this.#reserving = undefined))
      return await this.#reserving
    } finally {
      this.#waiting -= count
    }
  }

  /** False: the store does not answer. */
  async #reserveBlock(): Promise<boolean> {
    this.#giveBackOlder()
    const room = this.#room()
    const block = Math.max(1, Math.min(room, Math.max(this.#waiting, Math.floor(room / BLOCKS_LEFT))))
    const step = this.#window.stepAt(this.#settings.now())
    try {
      this.#window.merge(new Map(), await this.#tell(new Map([[step, block]])))
    } catch {
      return false
    }
    const excess = Math.min(block, Math.max(0, -this.#room()))
    if (excess > 0) this.#window.add(-excess, step)
    this.#reserved = { step, left: this.#reserved.left + block - excess }
    return true
  }

  #tell(amounts: Amounts): Promise<Amounts> {
    return this.#settings.add(amounts, this.#window.since(this.#settings.now()))
  }

  /** Without what is reserved. */
  #room(): number {
    return this.#settings.most - this.#window.usedUntil(this.#settings.now())
  }

  /** What is used counts in the step in which it is used. */
  #giveBackOlder(): void {
    if (!this.hasReserve) this.#giveBack()
  }

  #giveBack(): void {
    const { step, left } = this.#reserved
    if (left > 0) this.#window.add(-left, step)
    this.#reserved = { step: 0, left: 0 }
  }
}
