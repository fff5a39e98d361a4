// A part that is looked for in a folded text: only letters that the part has need to be folded, which databases do by
// themselves, and much faster than all letters.
import { casePairs } from './case-pairs.ts'

/** With more, folding the text is as fast. */
const MOST_LETTERS = 6

let known: ReadonlyMap<string, readonly string[]> | undefined

/** The letters beyond ASCII by the small one that they fold to. */
const capitals = () => {
  known ??= Map.groupBy(
    [...casePairs('lower').keys()].filter((letter) => letter > '\x7f'),
    (letter) => casePairs('lower').get(letter) ?? letter,
  )
  return known
}

/**
 * The letters beyond ASCII that fold to one of the part. Undefined where there are many, and for a part that no folded
 * text has.
 */
export function lettersOfPart(part: string): string | undefined {
  const letters = [...new Set(part)]
  const found = letters.flatMap((letter) => capitals().get(letter) ?? [])
  const isFolded = letters.every((letter) => !casePairs('lower').has(letter))
  return isFolded && found.length <= MOST_LETTERS ? found.join('') : undefined
}
