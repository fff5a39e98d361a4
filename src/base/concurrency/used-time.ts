// How long each group has used what it shares with others, so that the one with the least goes first: turns by number
// would give the most to whoever brings what takes longest.

export class UsedTime {
  readonly #ms = new Map<string, number>()

  add(group: string, ms: number): void {
    this.#ms.set(group, this.of(group) + ms)
  }

  /** In milliseconds; 0 for a group that has used nothing since `clear`. */
  of(group: string): number {
    return this.#ms.get(group) ?? 0
  }

  /** Forgets everything, when nobody uses or waits for anything. */
  clear(): void {
    this.#ms.clear()
  }
}
