import type { Day } from './calendar.ts'
import { accountingOf, type Coding, type LedgerLine, type LedgerState, type LedgerStatus } from './ledger-line.ts'

/** What all lines of a voucher share. */
export interface VoucherHead {
  readonly number: number
  readonly type: string
  readonly day: Day
  readonly state: LedgerState
  readonly status: LedgerStatus
  readonly reference: string
  readonly currency: string
  /** Kroner for 10,000 of the currency. */
  readonly rate: number
  readonly customerId: string
}

/** A voucher under the pen. Amounts are whole oere (or cents) until they stand in a line. */
export class Voucher {
  readonly lines: LedgerLine[] = []
  readonly head: VoucherHead
  private balance = 0
  private currencyBalance = 0

  constructor(head: VoucherHead) {
    this.head = head
  }

  /** Adds a line in the voucher's currency; debit is positive. */
  post(account: string, cents: number, description: string, coding: Coding): void {
    this.add(account, Math.round((cents * this.head.rate) / 10_000), cents, description, coding)
  }

  /** Adds a line whose amount in kroner does not follow from the rate. */
  add(account: string, oere: number, cents: number, description: string, coding: Coding, customerId = ''): void {
    const { head } = this
    this.balance += oere
    this.currencyBalance += cents
    this.lines.push({
      transactionNumber: head.number,
      sequenceNumber: this.lines.length + 1,
      state: head.state,
      status: head.status,
      transactionType: head.type,
      transactionDate: head.day.timestamp,
      period: head.day.period,
      description,
      externalReference: head.reference,
      customerId: customerId || head.customerId,
      accountingInformation: accountingOf(account, coding),
      amounts: {
        amount: oere / 100,
        currencyAmount: cents / 100,
        currencyCode: head.currency,
        debitCredit: oere < 0 ? -1 : 1,
      },
    })
  }

  /** Adds the line that makes the voucher balance, and says how much it was. */
  settle(account: string, description: string, coding: Coding): { oere: number; cents: number } {
    const rest = { oere: 0 - this.balance, cents: 0 - this.currencyBalance }
    this.add(account, rest.oere, rest.cents, description, coding)
    return rest
  }
}
