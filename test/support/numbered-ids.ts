// Predictable document ids, known before the documents are created, so that test tables can name them.

export interface NumberedIds {
  readonly next: () => string
  /** Starts again at 1, for the next kind of archive. */
  restart(): void
}

export function numberedIds(): NumberedIds {
  let made = 0
  return {
    next: () => idOf(++made),
    restart: () => {
      made = 0
    },
  }
}

/** The id of the n-th created document; it contains letters. */
export function idOf(n: number): string {
  return `abcdef00-0000-4000-8000-${String(n).padStart(12, '0')}`
}
