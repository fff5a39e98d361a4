// Letters and their other case, one character for one, so that both engines fold the same way whatever their locale.

interface CasePairs {
  readonly from: string
  readonly to: string
}

const LAST_BASIC = 0xffff
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

function pairsBy(fold: (letter: string) => string): CasePairs {
  let [from, to] = ['', '']
  for (let code = 0; code <= LAST_BASIC; code++) {
    if (code >= FIRST_SURROGATE && code <= LAST_SURROGATE) continue
    const letter = String.fromCharCode(code)
    const folded = fold(letter)
    // Letters that fold to several (sharp s) or to nothing else stay as they are.
    if (folded.length !== 1 || folded === letter) continue
    from += letter
    to += folded
  }
  return { from, to }
}

export const CASE_PAIRS: Readonly<Record<'lower' | 'upper', CasePairs>> = {
  lower: pairsBy((letter) => letter.toLowerCase()),
  upper: pairsBy((letter) => letter.toUpperCase()),
}
