import type { Day } from './calendar.ts'
import type { LedgerState, LedgerStatus } from './ledger-line.ts'
import { OpenItems } from './open-items.ts'
import { type Payroll, payrollsOf } from './payroll.ts'
import { type Branch, type ParsedDemoSetup, poolsOf, type ValuePools } from './pools.ts'
import { Random } from './random.ts'
import { Voucher } from './voucher.ts'

export const FIRST_CUSTOMER = 100_000
const CUSTOMERS = 2_000

/** Kroner for 10,000 units of a currency. DRIFT changes the rate of each month by a percentage. */
const RATES: Readonly<Record<string, number>> = { NOK: 10_000, EUR: 116_500, SEK: 10_450, DKK: 15_610, USD: 99_800 }
const DRIFT = [0.8, 1.4, 0.6, -0.4, -1.2, -0.7, 0.2, 0.9, 1.1, 0.3, -0.6, -1]

/** State of the bookkeeping: the current day, the next numbers, and the open items. */
export class Desk {
  readonly random: Random
  readonly pools: ValuePools
  readonly payrolls: readonly Payroll[]
  readonly receivables = new OpenItems()
  readonly payables = new OpenItems()
  readonly foreignPayables = new OpenItems()
  day: Day
  /** Number of the next voucher. */
  number = 0
  state: LedgerState = 'posted'
  invoice = 6_100_000
  order = 41_870
  nextPayroll = 0
  nextAsset = 0

  constructor(setup: ParsedDemoSetup, seed: number, day: Day) {
    this.random = new Random(seed)
    this.pools = poolsOf(setup)
    this.payrolls = payrollsOf(this.pools)
    this.day = day
  }

  voucher(type: string, reference: string, currency = 'NOK', customerId = ''): Voucher {
    const { number, day, state } = this
    const rate = this.rateOf(currency)
    return new Voucher({ number, type, day, state, status: this.status(), reference, currency, rate, customerId })
  }

  /** The exchange rate of the current month. */
  rateOf(currency: string): number {
    const rate = RATES[currency] ?? 10_000
    return currency === 'NOK' ? rate : Math.round(rate * (1 + (DRIFT[this.day.month] ?? 0) / 100))
  }

  /** A random customer; a few customers buy most. */
  customer(): number {
    const rank = Math.floor(this.random.next() ** 2.6 * CUSTOMERS)
    return FIRST_CUSTOMER + ((rank * 617) % CUSTOMERS)
  }

  /** The branch of a customer, which never changes. */
  branchOf(customer: number): Branch {
    const { branches } = this.pools
    return branches[(customer * 31) % branches.length] as Branch
  }

  private status(): LedgerStatus {
    const draw = this.random.next()
    if (draw > 0.004) return 'N'
    return this.state === 'registered' || draw < 0.001 ? 'P' : 'C'
  }
}
