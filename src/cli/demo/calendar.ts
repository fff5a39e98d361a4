/** What is posted on a day: months are closed on their last day, whether it is worked or not. */
export type DayKind = 'worked' | 'payday' | 'closing' | 'weekend' | 'weekend closing'

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
  readonly kind: DayKind
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

const WEIGHTS: Readonly<Record<DayKind, number>> = {
  worked: 1,
  payday: 1.9,
  closing: 1.8,
  weekend: 0.06,
  'weekend closing': 0.8,
}

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
    kind: kindOf(at),
    doneAfter,
  }
}

function weightOf(at: Date): number {
  const ofMonth = BUSY[(at.getUTCMonth() + 1) % 12] ?? 1
  return ofMonth * WEIGHTS[kindOf(at)] * (at.getUTCDay() === 0 ? 0.4 : 1)
}

function kindOf(at: Date): DayKind {
  const weekday = at.getUTCDay()
  const isWorked = weekday % 6 !== 0 && !HOLIDAYS.includes(at.toISOString().slice(0, 10))
  const isMonthEnd = new Date(at.getTime() + DAY).getUTCDate() === 1
  if (isMonthEnd) return isWorked ? 'closing' : 'weekend closing'
  if (!isWorked) return 'weekend'
  return isPayday(at) ? 'payday' : 'worked'
}

/** The 20th, or the Friday before it; never asked of a weekend. */
function isPayday(at: Date): boolean {
  const day = at.getUTCDate()
  return day === 20 || (at.getUTCDay() === 5 && (day === 19 || day === 18))
}
