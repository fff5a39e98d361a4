// Calendar arithmetic, in UTC.

/** Midnight of the day of an instant. Both are in the stored form of date-times. */
export function dayOf(stored: string): string {
  return `${stored.slice(0, 10)}T00:00:00.000Z`
}

/** The same day some months later, or the last day of that month if it is shorter. */
export function monthsAfter(stored: string, months: number): string {
  const day = new Date(stored)
  const month = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1))
  const lastDay = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
  month.setUTCDate(Math.min(day.getUTCDate(), lastDay))
  return month.toISOString()
}
