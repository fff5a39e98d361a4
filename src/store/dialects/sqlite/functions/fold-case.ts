// Case folding as the query language defines it: SQLite's built-in functions only handle ASCII.
import { casePairs } from '../../../compile/case-pairs.ts'
import type { Connection } from '../connection.ts'
import { addUnlimitedFunctions } from './reach.ts'

function mapOf({ from, to }: ReturnType<typeof casePairs>): ReadonlyMap<string, string> {
  return new Map([...from].map((letter, index) => [letter, to[index] ?? letter]))
}

const ONLY_ASCII = /^[\x00-\x7f]*$/

/** ASCII texts are folded by `foldAscii`, which is faster and gives the same result. */
function folder(to: 'lower' | 'upper', foldAscii: (text: string) => string): (text: unknown) => string {
  let map: ReadonlyMap<string, string> | undefined
  return (value) => {
    const text = String(value)
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

/** Registers the functions that queries use on a reading connection, without work limits (see reach.ts). */
export function addFunctions(connection: Connection): void {
  addUnlimitedFunctions(connection)
  for (const [name, run] of Object.entries(FUNCTIONS)) connection.function(name, { deterministic: true }, run)
}
