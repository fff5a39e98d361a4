/** The kind of a day determines its postings. Months are closed on their last day, even if it is not a working day. */
export type DayKind = 'worked' | 'payday' | 'closing' | 'weekend' | 'weekend closing'

export interface Day {
  readonly index: number
  /** As yyyy-mm-dd. */
  readonly date: string
  /** The date as a date-time of the ledger. */
  readonly timestamp: string
  readonly period: number
  /** 0 is December 2025, 11 is November 2026. */
  readonly month: number
  /** `November 2026`. */
  readonly monthName: string
  readonly kind: DayKind
  /** Share of the year's postings up to the end of the day, 0 to 1. */
  readonly doneAfter: number
}

const FIRST_DAY = Date.UTC(2025, 11, 1)
const DAYS = 365
const DAY_MS = 86_400_000
/** Weights of the months from December. Contractors pause at Christmas and in July, and are busiest before. */
const MONTH_WEIGHTS = [0.85, 0.8, 0.9, 1.05, 1, 1.05, 1.2, 0.55, 0.95, 1.1, 1.15, 1.1]
const HOLIDAYS = '2025-12-25 2025-12-26 2026-01-01 2026-04-02 2026-04-03 2026-05-01 2026-05-14'.split(' ')
const NAMES = 'December January February March April May June July August September October November'.split(' ')

const KIND_WEIGHTS: Readonly<Record<DayKind, number>> = {
  worked: 1,
  payday: 1.9,
  closing: 1.8,
  weekend: 0.06,
  'weekend closing': 0.8,
}

/** The twelve periods 202512 to 202611, day by day. */
export function calendar(): Day[] {
  const weights = Array.from({ length: DAYS }, (_, index) => weightOf(new Date(FIRST_DAY + index * DAY_MS)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let done = 0
  return weights.map((weight, index) => {
    done += weight
    return dayOf(index, index === DAYS - 1 ? 1 : done / total)
  })
}

function dayOf(index: number, doneAfter: number): Day {
  const at = new Date(FIRST_DAY + index * DAY_MS)
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
  const monthWeight = MONTH_WEIGHTS[(at.getUTCMonth() + 1) % 12] ?? 1
  return monthWeight * KIND_WEIGHTS[kindOf(at)] * (at.getUTCDay() === 0 ? 0.4 : 1)
}

function kindOf(at: Date): DayKind {
  const weekday = at.getUTCDay()
  const isWorkday = weekday % 6 !== 0 && !HOLIDAYS.includes(at.toISOString().slice(0, 10))
  const isMonthEnd = new Date(at.getTime() + DAY_MS).getUTCDate() === 1
  if (isMonthEnd) return isWorkday ? 'closing' : 'weekend closing'
  if (!isWorkday) return 'weekend'
  return isPayday(at) ? 'payday' : 'worked'
}

/** The 20th, or the Friday before it. Only called for weekdays. */
function isPayday(at: Date): boolean {
  const day = at.getUTCDate()
  return day === 20 || (at.getUTCDay() === 5 && (day === 19 || day === 18))
}
