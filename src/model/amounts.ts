/**
 * Decimal places of every amount in built-in documents: no currency of ISO 4217 has more than four, and the remaining
 * 14 integer digits allow for amounts up to hundred trillions.
 */
export const AMOUNT_SCALE = 4
