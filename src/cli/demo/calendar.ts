export interface Day {
  readonly index: number
  /** As yyyy-mm-dd. */
  readonly date: string
  /** As a line of the ledger says it. */
  readonly timestamp: string
  readonly period: number
  /** 0 is December 2025, 11 is November 2026. */
  readonly month: number
  /** `November 2026`. */
  readonly monthName: string
  readonly isPayday: boolean
  readonly isMonthEnd: boolean
  /** How much of the year's business is done when the day is over, 0 to 1. */
  readonly doneAfter: number
}

const FIRST_DAY = Date.UTC(2025, 11, 1)
const DAYS = 365
const DAY = 86_400_000
/** Contractors stand still in July and at Christmas, and are busiest before both. */
const BUSY = [0.85, 0.8, 0.9, 1.05, 1, 1.05, 1.2, 0.55, 0.95, 1.1, 1.15, 1.1]
const HOLIDAYS = '2025-12-25 2025-12-26 2026-01-01 2026-04-02 2026-04-03 2026-05-01 2026-05-14'.split(' ')
const NAMES = 'December January February March April May June July August September October November'.split(' ')

/** The twelve periods 202512 to 202611, day by day. */
export function calendar(): Day[] {
  const weights = Array.from({ length: DAYS }, (_, index) => weightOf(new Date(FIRST_DAY + index * DAY)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let done = 0
  return weights.map((weight, index) => {
    done += weight
    return dayOf(index, index === DAYS - 1 ? 1 : done / total)
  })
}

function dayOf(index: number, doneAfter: number): Day {
  const at = new Date(FIRST_DAY + index * DAY)
  const month = (at.getUTCMonth() + 1) % 12
  const date = at.toISOString().slice(0, 10)
  return {
    index,
    date,
    timestamp: at.toISOString(),
    period: at.getUTCFullYear() * 100 + at.getUTCMonth() + 1,
    month,
    monthName: `${NAMES[month]} ${date.slice(0, 4)}`,
    isPayday: isPayday(at),
    isMonthEnd: new Date(at.getTime() + DAY).getUTCDate() === 1,
    doneAfter,
  }
}

function weightOf(at: Date): number {
  const weekday = at.getUTCDay()
  const ofMonth = BUSY[(at.getUTCMonth() + 1) % 12] ?? 1
  const isClosing = isPayday(at) || new Date(at.getTime() + DAY).getUTCDate() === 1
  if (isClosing) return ofMonth * 1.8
  if (HOLIDAYS.includes(at.toISOString().slice(0, 10))) return 0.02
  if (weekday === 0) return ofMonth * 0.02
  return ofMonth * (weekday === 6 ? 0.06 : 1)
}

/** The 20th, or the Friday before it. */
function isPayday(at: Date): boolean {
  const weekday = at.getUTCDay()
  const day = at.getUTCDate()
  if (weekday === 0 || weekday === 6) return false
  return day === 20 || (weekday === 5 && (day === 19 || day === 18))
}
