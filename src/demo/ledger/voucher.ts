import type { Day } from './calendar.ts'
import { accountingOf, type Coding, type LedgerLine, type LedgerState, type LedgerStatus } from './ledger-line.ts'

/** The data that all lines of a voucher share. */
export interface VoucherHead {
  readonly number: number
  readonly type: string
  readonly day: Day
  readonly state: LedgerState
  readonly status: LedgerStatus
  readonly reference: string
  readonly currency: string
  /** Kroner for 10,000 units of the currency. */
  readonly rate: number
  readonly customerId: string
}

/** Builds a voucher. Amounts are integers in oere or cents; the lines have decimal amounts. */
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

  /** Adds a line with separate amounts in kroner (`oere`) and in the voucher's currency (`cents`). */
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

  /** Adds the line that balances the voucher, and returns its amounts. */
  settle(account: string, description: string, coding: Coding): { oere: number; cents: number } {
    const remainder = { oere: 0 - this.balance, cents: 0 - this.currencyBalance }
    this.add(account, remainder.oere, remainder.cents, description, coding)
    return remainder
  }
}
