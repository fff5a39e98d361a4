/**
 * Digits behind the point of every amount of the service's own documents: no currency of ISO 4217 has more than four, and
 * 14 before it leave room for hundred trillions.
 */
export const AMOUNT_SCALE = 4
