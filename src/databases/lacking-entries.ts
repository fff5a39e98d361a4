// What a copy of a database says of a company that has fewer entries of the change log than its counter says.

export interface EntryCount {
  readonly company: string
  /** By the counter. */
  readonly counted: number
  readonly found: number
}

/** Undefined when none is missing. */
export function lackingEntries({ company, counted, found }: EntryCount): string | undefined {
  if (found >= counted) return undefined
  return `the change log of company '${company}' has ${found} entries instead of ${counted}`
}
