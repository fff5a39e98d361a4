// Date-times are kept as text of one form, in UTC: its order as text is its order in time, on every store.

/** Where validity without a start begins; also what an absent date reads as. */
export const OPEN_FROM = '1900-01-01T00:00:00.000Z'

/** Where validity without an end ends. */
export const OPEN_TO = '2099-12-31T00:00:00.000Z'

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i

/**
 * Reads an ISO 8601 date, with or without time and zone (none is UTC), as `YYYY-MM-DDTHH:mm:ss.SSSZ`.
 * Fractions of a second are cut to milliseconds. `undefined` for what is no day of the calendar or no time of the day.
 */
export function parseDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, date, minutes = '00:00', seconds = '00', fraction = '', sign, hoursOff = '0', minutesOff = '0'] = match
  const local = `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  if (!isReal(local)) return undefined
  if (sign === undefined) return local
  const offset = (Number(hoursOff) * 60 + Number(minutesOff)) * 60_000
  const stored = new Date(Date.parse(local) + (sign === '-' ? offset : -offset)).toISOString()
  return isReal(stored) ? stored : undefined
}

/** The form without zone, in which some resources answer: `2026-01-31T00:00:00.000`. */
export function withoutZone(stored: string): string {
  return stored.endsWith('Z') ? stored.slice(0, -1) : stored
}

/** Whether the text, of the form that is stored, is a day of the calendar and a time of the day. */
function isReal(text: string): boolean {
  if (text.length !== OPEN_FROM.length) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const isTime = text.slice(11, 13) < '24' && text.slice(14, 16) < '60' && text.slice(17, 19) < '60'
  return isTime && year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
