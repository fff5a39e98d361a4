// Pieces of an answer that are looked at before they are given on. Whoever gets them may leave them at any time, also
// before the first: then what makes them must be ended too, which a generator that was never started does not do.
import type { Pieces } from './store.ts'

/** Pieces of which the first is there already, so that a refusal still can be one. */
export async function begun(pieces: Pieces): Promise<Pieces> {
  const first = await pieces.next()
  return first.done ? pieces : behind([first.value], pieces)
}

/** Some pieces that were taken already, then the rest. */
export function behind(taken: readonly Uint8Array[], rest: Pieces): Pieces {
  let at = 0
  return {
    async next() {
      const value = taken[at++]
      return value === undefined ? rest.next() : { done: false, value }
    },
    return: (rows) => rest.return(rows),
    throw: (error) => rest.throw(error),
    async [Symbol.asyncDispose]() {
      await rest.return(0)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
