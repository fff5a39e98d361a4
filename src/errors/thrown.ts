// Anything can be thrown. What is no error must not pass for none where `null` means that all is well.

/** What was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('something that is no error was thrown', { cause: thrown })
}
