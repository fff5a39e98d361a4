// The general ledger of the demo company: as many lines as are asked for, spread over the year 202512 to 202611.
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
/** The last part of the lines is entered and not yet posted. */
const REGISTERED_FROM = 0.97
const LAST_HISTORICAL = 202601

/** Writes a voucher, or none when there is nothing to write it about. */
type Kind = (desk: Desk) => Voucher | undefined

/** Vouchers of a hundred on a worked day. */
const WORKED: readonly (readonly [Kind, number])[] = [
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
  worked: mix(WORKED),
  payday: mix([...WORKED, [payroll, 75]]),
  closing: mix([...WORKED, [depreciation, 35], [reallocation, 45]]),
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

/** Lines of whole, balanced vouchers, `count` of them; the same count and seed give the same lines for ever. */
export function* ledgerLines(count: number, setup: ParsedDemoSetup, seed = 1): Generator<LedgerLine> {
  if (count === 1) throw new RangeError('A voucher has at least two lines: ask for 0, 2 or more')
  const days = calendar()
  const desk = new Desk(setup, seed, days[0] as Day)
  let at = 0
  let written = 0
  for (let number = FIRST_VOUCHER; written < count; number++) {
    while (written >= (days[at]?.doneAfter ?? 1) * count) at++
    desk.day = days[at] as Day
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

/** What the day brings; a reallocation of what is left where that would leave too few lines for another voucher. */
function nextVoucher(desk: Desk, left: number): Voucher {
  const kinds = KINDS[desk.day.kind]
  const voucher = desk.random.pick(kinds)(desk) ?? customerInvoice(desk)
  const after = left - voucher.lines.length
  return after === 0 || after > 1 ? voucher : reallocationOf(desk, left)
}
