// Letters and their other case, one character for one, so that both engines fold the same way whatever their locale.

interface CasePairs {
  readonly from: string
  readonly to: string
}

/**
 * What most texts are made of, the commonest first. A database looks each character up from the start of the list, so
 * these stand there even where they stay as they are: without them, every blank would be compared with the whole list.
 */
const EVERYDAY = ' eatinrosldhcugmpfbykvwzxqj0123456789-_.,/()&EATINROSLDHCUGMPFBYKVWZXQJ'
const FIRST_VISIBLE = 0x20
const LAST_WESTERN = 0x17f
const LAST_BASIC = 0xffff
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

function pairsBy(fold: (letter: string) => string): CasePairs {
  let [from, to] = ['', '']
  const add = (letter: string, isKept: boolean): void => {
    const folded = fold(letter)
    // Letters that fold to several (sharp s) or to nothing else stay as they are.
    const isSame = folded.length !== 1 || folded === letter
    if (isSame && !isKept) return
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

/** Found when first needed: few questions fold, and looking at every character takes a while. */
export function casePairs(to: 'lower' | 'upper'): CasePairs {
  known[to] ??= pairsBy((letter) => (to === 'lower' ? letter.toLowerCase() : letter.toUpperCase()))
  return known[to]
}
