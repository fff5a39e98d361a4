// Numbers from a seed: the same for the same seed on every machine.

/** A well mixed 32-bit number for the `at`-th thing of a seed. */
export function mixed(seed: number, at: number): number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(at + 1, 0x85ebca6b)) >>> 0
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97)
  return (state ^ (state >>> 15)) >>> 0
}

/** A seed for each of several things that one seed decides. */
export function seedOf(seed: number, name: string): number {
  let state = seed >>> 0
  for (const letter of name) state = mixed(state, letter.codePointAt(0)!)
  return state
}

/** Fractions from 0 up to 1, one after the other. */
export function fractions(seed: number): () => number {
  let at = 0
  return () => mixed(seed, at++) / 2 ** 32
}

/** The member that a number chooses. */
export function chosen<T>(things: readonly T[], number: number): T {
  return things[number % things.length]!
}
