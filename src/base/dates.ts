// Date-times are stored as text of a fixed form in UTC, so that texts sort in the order of time on every store.

/** The start of a validity without a start; also the value of an absent date. */
export const OPEN_FROM = '1900-01-01T00:00:00.000Z'

/** The end of a validity without an end. */
export const OPEN_TO = '2099-12-31T00:00:00.000Z'

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i

/**
 * Converts an ISO 8601 date, with or without time and zone (default UTC), to `YYYY-MM-DDTHH:mm:ss.SSSZ`. Fractions of a
 * second are truncated to milliseconds. `undefined` if the day or time does not exist.
 */
export function parseDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, date, minutes = '00:00', seconds = '00', fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  const local = `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  if (!exists(local)) return undefined
  if (sign === undefined) return local
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  const stored = new Date(Date.parse(local) + (sign === '-' ? offset : -offset)).toISOString()
  return exists(stored) ? stored : undefined
}

/** Without the zone, as in the responses of some resources: `2026-01-31T00:00:00.000`. */
export function withoutZone(stored: string): string {
  return stored.endsWith('Z') ? stored.slice(0, -1) : stored
}

/** Whether the day and time of a text in the stored form exist. */
function exists(text: string): boolean {
  if (text.length !== OPEN_FROM.length) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const isTime = text.slice(11, 13) < '24' && text.slice(14, 16) < '60' && text.slice(17, 19) < '60'
  return isTime && year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

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

const AGE = /^([1-9]\d{0,4})([dmy])$/
const DAY_MS = 24 * 60 * 60_000
const MONTHS_PER_YEAR = 12

/** The instant that is as old as an age says, such as 90d, 24m or 10y; undefined when the text is no age. */
export function timeBefore(now: string, age: string): string | undefined {
  const [, count, unit] = AGE.exec(age) ?? []
  if (unit === undefined) return undefined
  if (unit === 'd') return new Date(Date.parse(now) - Number(count) * DAY_MS).toISOString()
  return monthsAfter(now, unit === 'm' ? -Number(count) : -Number(count) * MONTHS_PER_YEAR)
}
