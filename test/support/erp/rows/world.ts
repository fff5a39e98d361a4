// What all rows of a company are made from.

export interface Sizes {
  readonly ledger: number
  readonly customers: number
  /** The number of attribute values; they have relations beside. */
  readonly values: number
  readonly documents: number
  /** The number of rows of each of the smaller documents. */
  readonly others: number
}

export interface World {
  readonly companyId: string
  readonly seed: number
  readonly sizes: Sizes
}

/** All rows at the beginning were changed in the year before this moment. */
export const BEGINNING = Date.parse('2026-01-01T00:00:00Z')
const YEAR = 365 * 86_400_000

/** A moment in the year before the beginning; a larger number gives a later one. */
export function momentOf(fraction: number): number {
  return BEGINNING - YEAR + Math.floor(fraction * YEAR)
}

/** The digits of a number, so many that texts sort as the numbers do. */
export function padded(number: number, width: number): string {
  return String(number).padStart(width, '0')
}
