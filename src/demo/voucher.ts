// A voucher in the making: its lines balance in kroner and in its currency.

/** Every attribute has a fixed position, so that positions of different lines are comparable. */
const POSITIONS = { C1: 1, C5: 2, C2: 2, WT: 3, A4: 4, A6: 4, IT: 5, AS: 6, TX: 7 } as const

/** The values of a line besides its account, by their attributes. */
type Coding = Readonly<Partial<Record<keyof typeof POSITIONS, string>>>

/** One line of a voucher: a row of the general ledger, with '' in unused positions of attributes. */
export type LedgerLine = Readonly<AttributeColumns> &
  VoucherHead & {
    readonly sequence_number: number
    readonly description: string
    readonly account: string
    readonly amount: number
    readonly currency_amount: number
    readonly debit_credit: 1 | -1
  }

/** What all lines of a voucher share. */
type VoucherHead = {
  readonly transaction_number: number
  readonly transaction_type: string
  readonly transaction_date: string
  readonly period: number
  readonly state: 'registered' | 'posted' | 'historical'
  readonly status: 'N' | 'P' | 'C'
  readonly external_reference: string
  readonly currency_code: string
  /** Set on lines of customer invoices and receipts; '' elsewhere. */
  readonly customer_id: string
  /** Set on lines of supplier invoices and payments; '' elsewhere. */
  readonly supplier_id: string
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
    const rate = RATES[this.#head.currency_code] ?? 10_000
    this.add(account, Math.round((cents * rate) / 10_000), cents, description, coding)
  }

  /** With separate amounts in kroner (`oere`) and in the voucher's currency (`cents`). */
  add(account: string, oere: number, cents: number, description: string, coding: Coding): void {
    this.#oere += oere
    this.#cents += cents
    this.lines.push({
      ...this.#head,
      customer_id: this.#head.customer_id || (coding.A4 ?? ''),
      supplier_id: this.#head.supplier_id || (coding.A6 ?? ''),
      sequence_number: this.lines.length + 1,
      description,
      account,
      ...attributesOf(coding),
      amount: oere / 100,
      currency_amount: cents / 100,
      debit_credit: oere < 0 ? -1 : 1,
    })
  }

  /** Adds the line that balances the voucher, and returns its amounts. */
  settle(account: string, description: string, coding: Coding): { readonly oere: number; readonly cents: number } {
    const remainder = { oere: 0 - this.#oere, cents: 0 - this.#cents }
    this.add(account, remainder.oere, remainder.cents, description, coding)
    return remainder
  }
}

type AttributeColumns = Record<`attribute_${'id' | 'value'}_${1 | 2 | 3 | 4 | 5 | 6 | 7}`, string>

const UNCODED = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7].flatMap((position) => [
    [`attribute_id_${position}`, ''],
    [`attribute_value_${position}`, ''],
  ]),
) as AttributeColumns

function attributesOf(coding: Coding): AttributeColumns {
  const columns = { ...UNCODED }
  for (const id in coding) {
    const value = coding[id as keyof Coding] ?? ''
    if (value === '') continue
    const position = POSITIONS[id as keyof Coding]
    columns[`attribute_id_${position}`] = id
    columns[`attribute_value_${position}`] = value
  }
  return columns
}

/** The price of goods in another currency, in cents. */
export function inCurrency(oere: number, currency: string): number {
  return Math.round((oere / (RATES[currency] ?? 10_000)) * 10_000)
}
