// What is known of a value that was thrown: it may be anything.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system or of a library, such as `ENOENT`; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && typeof error.code === 'string' ? error.code : undefined
}

/** What the work gives; undefined where it throws. */
export function orUndefined<Found>(work: () => Found): Found | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
