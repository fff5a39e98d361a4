// The purchases behind the ledger: the invoices of suppliers, as the vouchers have them, with the orders that they name
// and the contracts of those who deliver services.
import type { DemoSupplier } from './pools.ts'
import type { LedgerLine } from './voucher.ts'

interface Purchases {
  readonly contracts: readonly Contract[]
  readonly orders: readonly PurchaseOrder[]
  readonly invoices: readonly SupplierInvoice[]
}

type Contract = ReturnType<typeof contractOf>
type PurchaseOrder = ReturnType<typeof orderOf>
type SupplierInvoice = ReturnType<typeof invoiceOf>

/** More would take a notable part of the first start: the invoices of the last weeks, with their orders. */
const INVOICES = 800
/** Orders that are not delivered yet. */
const ORDERED_AGAIN = 12
const DAY_MS = 86_400_000
const MONTHS = 12
/** The series in the setup begins here. */
const FIRST_NUMBER = 70_000
const GOODS = 'IT'
/** Accounts from here on are costs. */
const FIRST_COST = '3000'
/** An item as a line of the ledger has it: `Flange DN 50, 12 pcs, order 41890`; a single piece has no quantity. */
const ITEM_TEXT = /^(.*?)(?:, (\d+) (\w+))?, order (\d+)$/

interface Party {
  readonly supplier: DemoSupplier
  readonly buyerId: string
}

/** Those of the newest invoices, derived of the lines of a ledger alone. */
export function purchasesOf({ invoices, paid, costs }: PurchaseLedger, suppliers: readonly DemoSupplier[]): Purchases {
  const parties = new Map(suppliers.map((supplier) => [supplier.supplierId, partyOf(supplier)]))
  const contracts = costs.flatMap(([supplierId, cost], at) => {
    const party = parties.get(supplierId)
    return party ? [contractOf(party, cost, at)] : []
  })
  const numbers = new Map(contracts.map(({ supplierId, contractNo }) => [supplierId, contractNo]))
  const known = invoices.flatMap((lines): Invoiced[] => {
    const party = parties.get(lines[0]?.supplier_id ?? '')
    return party ? [{ ...party, lines, isPaid: paid.has(invoiceName(lines[0]!)) }] : []
  })
  const orders = known.filter(({ lines }) => lines.some(isItem)).map(orderOf)
  return {
    contracts,
    orders: [...orders, ...orders.slice(-ORDERED_AGAIN).map(orderedAgain)],
    invoices: known.map((invoice) => invoiceOf(invoice, numbers)),
  }
}

interface Invoiced extends Party {
  /** The lines of the voucher, in their order. */
  readonly lines: readonly LedgerLine[]
  readonly isPaid: boolean
}

/** What a supplier of services has cost. */
interface Cost {
  readonly text: string
  readonly amount: number
}

/** What the lines of a ledger tell of purchases, while they are made. */
export class PurchaseLedger {
  readonly #vouchers = new Map<number, LedgerLine[]>()
  readonly #costs = new Map<string, Cost>()
  readonly paid = new Set<string>()

  take(line: LedgerLine): void {
    if (line.transaction_type === 'PAY' && line.supplier_id !== '') {
      this.paid.add(`${line.supplier_id} ${line.description.split(' ').at(-1)}`)
    }
    if (line.transaction_type !== 'AP') return
    const voucher = this.#vouchers.get(line.transaction_number)
    if (voucher) voucher.push(line)
    else {
      this.#vouchers.set(line.transaction_number, [line])
      const [oldest = 0] = this.#vouchers.keys()
      if (this.#vouchers.size > INVOICES) this.#vouchers.delete(oldest)
    }
    if (line.account < FIRST_COST || isItem(line)) return
    const { text = line.description.split(',')[0] ?? '', amount = 0 } = this.#costs.get(line.supplier_id) ?? {}
    this.#costs.set(line.supplier_id, { text, amount: amount + line.currency_amount })
  }

  get isEmpty(): boolean {
    return this.#vouchers.size === 0
  }

  /** The vouchers of the newest invoices. */
  get invoices(): readonly (readonly LedgerLine[])[] {
    return [...this.#vouchers.values()]
  }

  /** By supplier, in the order of their numbers, whoever has sent the first invoice. */
  get costs(): readonly (readonly [supplierId: string, cost: Cost])[] {
    return [...this.#costs].sort(([one], [other]) => (one < other ? -1 : 1))
  }
}

function isItem({ attribute_id_5 }: LedgerLine): boolean {
  return attribute_id_5 === GOODS
}

/** As a payment names an invoice. */
function invoiceName({ supplier_id, external_reference }: LedgerLine): string {
  return `${supplier_id} ${external_reference}`
}

function partyOf(supplier: DemoSupplier): Party {
  const buyer = supplier.relatedValues.find(({ relationId }) => relationId === 'SUPPBUY')
  return { supplier, buyerId: buyer?.relatedValue ?? '' }
}

function contractOf({ supplier, buyerId }: Party, { text, amount }: Cost, at: number) {
  const year = 2022 + (at % 4)
  return {
    companyId: supplier.companyId,
    contractNo: `K-${year}-${String(11 + at * 7).padStart(3, '0')}`,
    subject: `${text}, ${supplier.supplierName}`,
    supplierId: supplier.supplierId,
    validFrom: `${year}-${String(1 + (at % 10)).padStart(2, '0')}-01`,
    // Some are open-ended.
    ...(at % 3 === 0 ? {} : { validTo: `${year + 5}-12-31` }),
    noticeMonths: [3, 6, 1, 12][at % 4],
    currencyCode: supplier.payment.currencyCode,
    monthlyAmount: Math.round(amount / MONTHS / 100) * 100,
    responsibleId: buyerId,
  }
}

function orderOf({ supplier, buyerId, lines }: Invoiced) {
  const [head] = lines as [LedgerLine]
  const items = lines.filter(isItem)
  const orderNo = orderNumberOf(lines)
  const delivered = Date.parse(head.transaction_date) - (1 + (Number(orderNo) % 5)) * DAY_MS
  return {
    companyId: supplier.companyId,
    orderNo,
    supplierId: supplier.supplierId,
    orderDate: workdayOf(delivered - (6 + (Number(orderNo) % 23)) * DAY_MS),
    deliveryDate: workdayOf(delivered),
    currencyCode: head.currency_code,
    buyerId,
    warehouseId: items[0]?.attribute_value_1 ?? '',
    // Delivered, until the voucher of its invoice is posted.
    status: head.state === 'registered' ? 'D' : 'I',
    lines: items.map((item, at) => {
      const [, description = '', quantity = '1', unit = 'pcs'] = ITEM_TEXT.exec(item.description) ?? []
      const price = Math.round((item.currency_amount * 100) / Number(quantity)) / 100
      return {
        lineNo: 10 * (at + 1),
        itemId: item.attribute_value_5,
        description,
        quantity: Number(quantity),
        unit,
        price,
      }
    }),
  }
}

/** The same goods once more, with the next number of the series. */
function orderedAgain(order: PurchaseOrder, at: number): PurchaseOrder {
  const last = Date.parse(order.deliveryDate)
  return {
    ...order,
    orderNo: String(FIRST_NUMBER + at),
    orderDate: workdayOf(last + 14 * DAY_MS),
    deliveryDate: workdayOf(last + (35 + at) * DAY_MS),
    status: 'O',
  }
}

function invoiceOf({ supplier, lines, isPaid }: Invoiced, contracts: ReadonlyMap<string, string>) {
  const [head] = lines as [LedgerLine]
  const orderNo = orderNumberOf(lines)
  const days = Number(supplier.payment.paymentTermsId)
  // The last line is what is owed.
  const owed = lines.at(-1)?.currency_amount ?? 0
  const net = lines
    .filter(({ account }) => account >= FIRST_COST)
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  return {
    companyId: supplier.companyId,
    voucherNo: head.transaction_number,
    supplierId: supplier.supplierId,
    invoiceNo: head.external_reference,
    invoiceDate: head.transaction_date.slice(0, 10),
    dueDate: dayOf(Date.parse(head.transaction_date) + (days > 0 ? days : 30) * DAY_MS),
    currencyCode: head.currency_code,
    netAmount: net / 100,
    amount: -owed,
    orderNo,
    contractNo: orderNo === '' ? (contracts.get(supplier.supplierId) ?? '') : '',
    status: isPaid ? 'C' : 'N',
  }
}

/** The order that the items of a voucher are of; empty where there are none. */
function orderNumberOf(lines: readonly LedgerLine[]): string {
  return ITEM_TEXT.exec(lines.find(isItem)?.description ?? '')?.[4] ?? ''
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** On a weekend: the Friday before. */
function workdayOf(time: number): string {
  const weekday = new Date(time).getUTCDay()
  return dayOf(time - (weekday === 6 ? 1 : weekday === 0 ? 2 : 0) * DAY_MS)
}
