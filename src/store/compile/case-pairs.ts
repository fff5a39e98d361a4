// Pairs of letters and their other case, one character each, so that all databases fold the same way in any locale.

interface CasePairs {
  readonly from: string
  readonly to: string
}

/**
 * The most frequent characters first. A database searches the list from its start for each character, so these are
 * listed even when they are unchanged: otherwise every blank would be compared with the complete list.
 */
const EVERYDAY = ' eatinrosldhcugmpfbykvwzxqj0123456789-_.,/()&EATINROSLDHCUGMPFBYKVWZXQJ'
const FIRST_VISIBLE = 0x20
const LAST_WESTERN = 0x17f
const LAST_BASIC = 0xffff
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

function pairsBy(fold: (letter: string) => string): CasePairs {
  let [from, to] = ['', '']
  const add = (letter: string, isIncluded: boolean): void => {
    const folded = fold(letter)
    // Letters that fold to several characters (sharp s) or to none stay unchanged.
    const isSame = folded.length !== 1 || folded === letter
    if (isSame && !isIncluded) return
    from += letter
    to += isSame ? letter : folded
  }
  for (const letter of EVERYDAY) add(letter, true)
  for (let code = FIRST_VISIBLE; code <= LAST_BASIC; code++) {
    if (code >= FIRST_SURROGATE && code <= LAST_SURROGATE) continue
    const letter = String.fromCharCode(code)
    if (!EVERYDAY.includes(letter)) add(letter, code <= LAST_WESTERN)
  }
  return { from, to }
}

const known: { lower?: CasePairs; upper?: CasePairs } = {}

/** Computed at first use: few queries fold, and the computation visits every character. */
export function casePairs(to: 'lower' | 'upper'): CasePairs {
  known[to] ??= pairsBy((letter) => (to === 'lower' ? letter.toLowerCase() : letter.toUpperCase()))
  return known[to]
}
