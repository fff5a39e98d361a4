// A voucher in the making: its lines balance in kroner and in its currency.

/** One line of a voucher: a row of the general ledger, with '' in unused positions of attributes. */
export type LedgerLine = Readonly<Record<AttributeColumn, string>> & {
  readonly transaction_number: number
  readonly sequence_number: number
  readonly state: 'registered' | 'posted' | 'historical'
  readonly status: 'N' | 'P' | 'C'
  readonly transaction_type: string
  readonly transaction_date: string
  readonly period: number
  readonly description: string
  readonly external_reference: string
  /** Set on lines of customer invoices and receipts; '' elsewhere. */
  readonly customer_id: string
  /** Set on lines of supplier invoices and payments; '' elsewhere. */
  readonly supplier_id: string
  readonly account: string
  readonly amount: number
  readonly currency_amount: number
  readonly currency_code: string
  readonly debit_credit: 1 | -1
}

type AttributeColumn = `attribute_${'id' | 'value'}_${1 | 2 | 3 | 4 | 5 | 6 | 7}`

/** What all lines of a voucher share. */
export type VoucherHead = Pick<
  LedgerLine,
  | 'transaction_number'
  | 'transaction_type'
  | 'transaction_date'
  | 'period'
  | 'state'
  | 'status'
  | 'external_reference'
  | 'currency_code'
  | 'customer_id'
  | 'supplier_id'
>

/** The attribute values of a line besides its account. */
export interface Coding {
  readonly costCentre?: string
  /** Project and department share a position. */
  readonly project?: string
  readonly department?: string
  readonly wageType?: string
  /** Customer and supplier share a position. */
  readonly customer?: string
  readonly supplier?: string
  readonly item?: string
  readonly asset?: string
  readonly tax?: string
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
      customer_id: this.#head.customer_id || (coding.customer ?? ''),
      supplier_id: this.#head.supplier_id || (coding.supplier ?? ''),
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

/** Every attribute has a fixed position, so that positions of different lines are comparable. */
function attributesOf(coding: Coding): Record<AttributeColumn, string> {
  const { costCentre = '', project = '', department = '', wageType = '' } = coding
  const { customer = '', supplier = '', item = '', asset = '', tax = '' } = coding
  return {
    attribute_id_1: costCentre && 'C1',
    attribute_value_1: costCentre,
    attribute_id_2: project ? 'C5' : department && 'C2',
    attribute_value_2: project || department,
    attribute_id_3: wageType && 'WT',
    attribute_value_3: wageType,
    attribute_id_4: customer ? 'A4' : supplier && 'A6',
    attribute_value_4: customer || supplier,
    attribute_id_5: item && 'IT',
    attribute_value_5: item,
    attribute_id_6: asset && 'AS',
    attribute_value_6: asset,
    attribute_id_7: tax && 'TX',
    attribute_value_7: tax,
  }
}

/** The price of goods in another currency, in cents. */
export function inCurrency(oere: number, currency: string): number {
  return Math.round((oere / (RATES[currency] ?? 10_000)) * 10_000)
}
