// Generates the general ledger of the demo company: the requested number of lines, spread over the periods 202512 to
// 202611.
import { type DemoCompany, poolsOf } from './pools.ts'
import { Random } from './random.ts'
import type { LedgerLine, Voucher } from './voucher.ts'
import { Books, type Slot } from './vouchers.ts'

const FIRST_VOUCHER = 26_000_001
/** Lines after this share are registered but not posted. */
const REGISTERED_FROM = 0.97
const LAST_HISTORICAL = 202601
const FIRST_DAY = Date.UTC(2025, 11, 1)
const DAYS = 365
const DAY_MS = 86_400_000
/** Weights of the months from January. Contractors pause at Christmas and in July, and are busiest before. */
const MONTH_WEIGHTS = [0.8, 0.9, 1.05, 1, 1.05, 1.2, 0.55, 0.95, 1.1, 1.15, 1.1, 0.85]
const WEEKEND_WEIGHT = 0.05
const PAYDAY = 20

/** Creates a voucher; undefined when there is nothing to post, such as no open invoice. */
type Kind = (books: Books, slot: Slot) => Voucher | undefined

/** Kinds of vouchers on a working day, in percent. */
const KINDS: readonly (readonly [Kind, percent: number])[] = [
  [(books, slot) => books.customerInvoice(slot), 40],
  [(books, slot) => books.supplierInvoice(slot), 30],
  [(books, slot) => books.customerReceipts(slot), 17],
  [(books, slot) => books.supplierPayments(slot), 13],
]
const DRAWN = KINDS.flatMap(([kind, percent]) => Array<Kind>(percent).fill(kind))
const PAYROLL_SHARE = 0.4

interface Day {
  readonly index: number
  readonly at: Date
  readonly period: number
  /** Share of the year's postings up to the end of the day, 0 to 1. */
  readonly doneAfter: number
}

/** Generates `count` lines of complete, balanced vouchers. The same count and seed always give the same lines. */
export function* ledgerLines(count: number, company: DemoCompany, seed = 1): Generator<LedgerLine> {
  if (count === 1) throw new RangeError('A voucher has at least two lines: ask for 0, 2 or more')
  const random = new Random(seed)
  const books = new Books(poolsOf(company), random)
  const days = calendar()
  let day = days[0] as Day
  let written = 0
  for (let number = FIRST_VOUCHER; written < count; number++) {
    while (written >= day.doneAfter * count) day = days[day.index + 1] as Day
    const { period } = day
    const isRegistered = written / count >= REGISTERED_FROM
    const slot: Slot = {
      transaction_number: number,
      transaction_date: day.at.toISOString(),
      period,
      state: period <= LAST_HISTORICAL ? 'historical' : isRegistered ? 'registered' : 'posted',
      status: random.chance(0.996) ? 'N' : isRegistered ? 'P' : 'C',
      day: day.index,
    }
    const { lines } = nextVoucher(books, slot, day, random, count - written)
    written += lines.length
    yield* lines
  }
}

/** A random voucher of the day; if it would leave a single line for another one, a payroll with all lines left. */
function nextVoucher(books: Books, slot: Slot, { at }: Day, random: Random, left: number): Voucher {
  const isPaid = at.getUTCDate() === PAYDAY && random.chance(PAYROLL_SHARE)
  const voucher = isPaid ? books.payroll(slot) : (random.pick(DRAWN)(books, slot) ?? books.customerInvoice(slot))
  const after = left - voucher.lines.length
  return after === 0 || after > 1 ? voucher : books.payroll(slot, left)
}

function calendar(): Day[] {
  const dates = Array.from({ length: DAYS }, (_, index) => new Date(FIRST_DAY + index * DAY_MS))
  const weights = dates.map(
    (at) => (MONTH_WEIGHTS[at.getUTCMonth()] ?? 1) * (at.getUTCDay() % 6 === 0 ? WEEKEND_WEIGHT : 1),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let done = 0
  return dates.map((at, index) => {
    done += weights[index] ?? 0
    const period = at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
    return { index, at, period, doneAfter: index === DAYS - 1 ? 1 : done / total }
  })
}
