/** How fast a line moves on, learnt from its last steps. */
export class Pace {
  #stepMs = 0

  /** The line, which did not become empty, has moved on by so many within `ms`. */
  moved(steps: number, ms: number): void {
    this.#stepMs += (ms / steps - this.#stepMs) * NEWEST_SHARE
  }

  /** What who stands behind so many will have to wait. */
  waitMs(waiting: number): number {
    return waiting * this.#stepMs
  }
}

/** How much the last step counts in what is known of all: one that was held up by chance counts for little. */
const NEWEST_SHARE = 0.02
