// A voucher in the making: its lines balance in kroner and in its currency.
import { accountingOf, type Coding, type LedgerLine } from './ledger-line.ts'

/** The data that all lines of a voucher share. */
export type VoucherHead = Pick<
  LedgerLine,
  'transactionNumber' | 'transactionType' | 'transactionDate' | 'period' | 'state' | 'status' | 'externalReference'
> & {
  readonly currency: string
  readonly customerId: string
}

/** Kroner for 10,000 units of a currency. */
const RATES: Readonly<Record<string, number>> = { NOK: 10_000, EUR: 116_500, SEK: 10_450, DKK: 15_610, USD: 99_800 }

/** Amounts are integers in oere or cents; the lines have decimal amounts. */
export class Voucher {
  readonly lines: LedgerLine[] = []
  readonly #head: VoucherHead
  #oere = 0
  #cents = 0

  constructor(head: VoucherHead) {
    this.#head = head
  }

  /** In the voucher's currency; debit is positive. */
  post(account: string, cents: number, description: string, coding: Coding): void {
    this.add(account, Math.round((cents * (RATES[this.#head.currency] ?? 10_000)) / 10_000), cents, description, coding)
  }

  /** With separate amounts in kroner (`oere`) and in the voucher's currency (`cents`). */
  add(account: string, oere: number, cents: number, description: string, coding: Coding): void {
    const { currency, customerId, ...shared } = this.#head
    this.#oere += oere
    this.#cents += cents
    this.lines.push({
      ...shared,
      sequenceNumber: this.lines.length + 1,
      description,
      customerId: customerId || (coding.customer ?? ''),
      accountingInformation: accountingOf(account, coding),
      amounts: {
        amount: oere / 100,
        currencyAmount: cents / 100,
        currencyCode: currency,
        debitCredit: oere < 0 ? -1 : 1,
      },
    })
  }

  /** Adds the line that balances the voucher, and returns its amounts. */
  settle(account: string, description: string, coding: Coding): { readonly oere: number; readonly cents: number } {
    const remainder = { oere: 0 - this.#oere, cents: 0 - this.#cents }
    this.add(account, remainder.oere, remainder.cents, description, coding)
    return remainder
  }
}

/** The price of goods in another currency, in cents. */
export function inCurrency(oere: number, currency: string): number {
  return Math.round((oere / (RATES[currency] ?? 10_000)) * 10_000)
}
