// Generates the general ledger of the demo company: the requested number of lines, spread over the periods 202512 to
// 202611.
import { calendar, type Day, type DayKind } from './calendar.ts'
import { Desk } from './desk.ts'
import { depreciation, projectHours, reallocation, reallocationOf } from './internal.ts'
import type { LedgerLine } from './ledger-line.ts'
import { payroll, travelExpenses } from './payroll.ts'
import type { ParsedDemoSetup } from './pools.ts'
import { foreignInvoice, foreignPayment, goodsInvoice, overheadInvoice, supplierPayments } from './purchases.ts'
import { creditNote, customerInvoice, customerReceipts, exportInvoice, projectInvoice } from './sales.ts'
import type { Voucher } from './voucher.ts'

export type { LedgerLine } from './ledger-line.ts'
export type { ParsedDemoSetup } from './pools.ts'

const FIRST_VOUCHER = 26_000_001
/** Lines after this share are registered but not posted. */
const REGISTERED_FROM = 0.97
const LAST_HISTORICAL = 202601

/** Creates a voucher; undefined when there is nothing to post, such as no open invoice. */
type Kind = (desk: Desk) => Voucher | undefined

/** Kinds of vouchers on a working day, in percent. */
const WORKDAY: readonly (readonly [Kind, number])[] = [
  [customerInvoice, 32],
  [projectInvoice, 4],
  [exportInvoice, 2],
  [creditNote, 2],
  [customerReceipts, 13],
  [overheadInvoice, 15],
  [goodsInvoice, 7],
  [foreignInvoice, 6],
  [supplierPayments, 8],
  [foreignPayment, 5],
  [travelExpenses, 3],
  [projectHours, 2],
  [reallocation, 1],
]
const KINDS: Readonly<Record<DayKind, readonly Kind[]>> = {
  worked: mix(WORKDAY),
  payday: mix([...WORKDAY, [payroll, 75]]),
  closing: mix([...WORKDAY, [depreciation, 35], [reallocation, 45]]),
  weekend: mix([
    [customerInvoice, 5],
    [travelExpenses, 2],
  ]),
  'weekend closing': mix([
    [depreciation, 4],
    [reallocation, 5],
  ]),
}

function mix(kinds: readonly (readonly [Kind, number])[]): Kind[] {
  return kinds.flatMap(([kind, share]) => Array<Kind>(share).fill(kind))
}

/** Generates `count` lines of complete, balanced vouchers. The same count and seed always give the same lines. */
export function* ledgerLines(count: number, setup: ParsedDemoSetup, seed = 1): Generator<LedgerLine> {
  if (count === 1) throw new RangeError('A voucher has at least two lines: ask for 0, 2 or more')
  const days = calendar()
  const desk = new Desk(setup, seed, days[0] as Day)
  let dayIndex = 0
  let written = 0
  for (let number = FIRST_VOUCHER; written < count; number++) {
    while (written >= (days[dayIndex]?.doneAfter ?? 1) * count) dayIndex++
    desk.day = days[dayIndex] as Day
    desk.number = number
    desk.state = stateOf(desk.day, written / count)
    const { lines } = nextVoucher(desk, count - written)
    written += lines.length
    yield* lines
  }
}

function stateOf({ period }: Day, done: number): Desk['state'] {
  if (period <= LAST_HISTORICAL) return 'historical'
  return done < REGISTERED_FROM ? 'posted' : 'registered'
}

/** A random voucher of the day; if it would leave too few lines for another one, a reallocation with all lines left. */
function nextVoucher(desk: Desk, left: number): Voucher {
  const kinds = KINDS[desk.day.kind]
  const voucher = desk.random.pick(kinds)(desk) ?? customerInvoice(desk)
  const after = left - voucher.lines.length
  return after === 0 || after > 1 ? voucher : reallocationOf(desk, left)
}
