/** Wraps a thrown value that is no Error: callbacks take `null` or `undefined` for success. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('a value that is no Error was thrown', { cause: thrown })
}
