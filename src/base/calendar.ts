// Days and months, in UTC.

/** The day of an instant, at midnight, as date-times are stored. */
export function dayOf(stored: string): string {
  return `${stored.slice(0, 10)}T00:00:00.000Z`
}

/** The same day some months later; the last of the month where it is shorter. */
export function monthsAfter(stored: string, months: number): string {
  const day = new Date(stored)
  const wanted = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1))
  const lastOfMonth = new Date(Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth() + 1, 0)).getUTCDate()
  wanted.setUTCDate(Math.min(day.getUTCDate(), lastOfMonth))
  return wanted.toISOString()
}
