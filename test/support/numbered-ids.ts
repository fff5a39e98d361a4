// Ids of documents that are known before the documents are made: a table can name them.

export interface NumberedIds {
  readonly next: () => string
  /** Begins again with 1, in the archive of the next kind. */
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

/** The id of the document that is made as the n-th; it has letters in it. */
export function idOf(n: number): string {
  return `abcdef00-0000-4000-8000-${String(n).padStart(12, '0')}`
}
