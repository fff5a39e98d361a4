// Letter case as the query language means it: SQLite's own functions know ASCII alone.
import { casePairs } from '../../../compile/case-pairs.ts'
import type { Connection } from '../connection.ts'
import { addReach } from './reach.ts'

function mapOf({ from, to }: ReturnType<typeof casePairs>): ReadonlyMap<string, string> {
  return new Map([...from].map((letter, index) => [letter, to[index] ?? letter]))
}

const ONLY_ASCII = /^[\x00-\x7f]*$/

/** ASCII is left to `foldAscii`, which is quicker and means the same there. */
function folder(to: 'lower' | 'upper', foldAscii: (text: string) => string): (text: unknown) => string {
  let map: ReadonlyMap<string, string> | undefined
  return (given) => {
    const text = String(given)
    if (ONLY_ASCII.test(text)) return foldAscii(text)
    map ??= mapOf(casePairs(to))
    let folded = ''
    for (const letter of text) folded += map.get(letter) ?? letter
    return folded
  }
}

const FUNCTIONS: Readonly<Record<string, (text: unknown) => string>> = {
  fold_lower: folder('lower', (text) => text.toLowerCase()),
  fold_upper: folder('upper', (text) => text.toUpperCase()),
}

/**
 * Gives a reading connection the functions that queries use; whatever they are asked for is in reach (see reach.ts).
 */
export function addFunctions(connection: Connection): void {
  addReach(connection)
  for (const [name, run] of Object.entries(FUNCTIONS)) connection.function(name, { deterministic: true }, run)
}
