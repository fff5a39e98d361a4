// Which programs may use the schema of a newer version. An older program does not know the newer migrations, so their
// names tell it: `0108-vat-number.since-0104` is for every program that knows migration 0104.
import type { Observe } from '../../observe/observation.ts'

/** The migrations of versions before the first release have smaller numbers. */
const FIRST_RELEASED = 101

/** Throws unless a program that knows the other migrations may use what the newer ones have left. */
export function requireCompatible(newer: readonly string[], known: readonly string[]): void {
  if (newer.some((name) => numberOf(name) < FIRST_RELEASED)) {
    throw new Error(
      'the database was made by a version of Tabularium before 1.0: export its records with that version, and import them into a new database',
    )
  }
  const newest = Math.max(...known.map(numberOf))
  const refusing = newer.filter((name) => !(oldestBeside(name) <= newest))
  if (refusing.length === 0) return
  throw new Error(
    `the database was changed by a newer version of Tabularium (${refusing.join(', ')}): run that version, or restore a backup`,
  )
}

/** The number of the oldest migration whose programs may use the schema; that of its own without a declaration. */
export function oldestBeside(name: string): number {
  const declared = /\.since-(\d{4})$/.exec(name)
  return declared ? Number(declared[1]) : numberOf(name)
}

/** The number that a name begins with. */
export function numberOf(name: string): number {
  return Number.parseInt(name, 10)
}

/** Tells whoever operates the program that the database has a newer schema. */
export function reportNewer(newer: readonly string[], observe: Observe): void {
  if (newer.length === 0) return
  const message = `a newer version of Tabularium has changed the database (${newer.join(', ')}), and lets this one use it`
  observe({ kind: 'store-warning', message })
}
