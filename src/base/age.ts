// Ages as people write them: 90d, 24m, 10y.
import { monthsAfter } from './dates.ts'

const AGE = /^([1-9]\d{0,4})([dmy])$/
const DAY_MS = 24 * 60 * 60_000
const MONTHS_PER_YEAR = 12

/** The instant that is so old, in the stored form, as `now` is; undefined when the text is no age. */
export function timeBefore(now: string, age: string): string | undefined {
  const [, count, unit] = AGE.exec(age) ?? []
  if (unit === undefined) return undefined
  if (unit === 'd') return new Date(Date.parse(now) - Number(count) * DAY_MS).toISOString()
  return monthsAfter(now, unit === 'm' ? -Number(count) : -Number(count) * MONTHS_PER_YEAR)
}
