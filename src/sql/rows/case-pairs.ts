// Letters and their other case, one character each, so that all databases fold the same way in any locale.

/** Where letters with two cases are: between these are scripts without. A test goes through all of Unicode. */
const CASED = [
  [0x41, 0x2fff],
  [0xa640, 0xabff],
  [0xfb00, 0xffff],
  [0x10400, 0x10fff],
  [0x11800, 0x11fff],
  [0x16e00, 0x16fff],
  [0x1e900, 0x1e9ff],
] as const

type CasePairs = ReadonlyMap<string, string>

function pairsBy(fold: (letter: string) => string): CasePairs {
  const pairs = new Map<string, string>()
  for (const [first, last] of CASED) {
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code)
      const folded = fold(letter)
      // Letters that fold to several characters (sharp s) stay unchanged.
      if (folded !== letter && String.fromCodePoint(folded.codePointAt(0) ?? 0) === folded) pairs.set(letter, folded)
    }
  }
  return pairs
}

const known: { lower?: CasePairs; upper?: CasePairs } = {}

/** Computed at first use: few queries fold, and the computation visits some 15,000 characters. */
export function casePairs(to: 'lower' | 'upper'): CasePairs {
  known[to] ??= pairsBy((letter) => (to === 'lower' ? letter.toLowerCase() : letter.toUpperCase()))
  return known[to]
}
