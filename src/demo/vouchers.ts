// The five kinds of vouchers: invoices to customers and from suppliers, the payments of both, and payrolls.
import type { Branch, Item, Supplier, ValuePools } from './pools.ts'
import type { Random } from './random.ts'
import { inCurrency, type LedgerLine, Voucher } from './voucher.ts'

/** The head of the next voucher. */
export type Slot = Pick<LedgerLine, 'transaction_number' | 'transaction_date' | 'period' | 'state' | 'status'> & {
  /** Index of the day. */
  readonly day: number
}

/** An invoice that is not paid yet; amounts are negative when the company owes them. */
interface OpenItem {
  readonly party: string
  readonly invoice: string
  readonly oere: number
  readonly cents: number
  /** Index of the day of the invoice. */
  readonly since: number
}

const CUSTOMERS = 2_000
const FIRST_CUSTOMER = 100_000
const DISCOUNTS = [0, 0, 0, 5, 5, 7.5, 10, 12.5, 15, 20, 25]
/** Purchase price as a share of the sales price. */
const COST_SHARE = 0.62
const CURRENCIES = ['NOK', 'NOK', 'NOK', 'EUR', 'SEK', 'DKK', 'USD']
/** Time until payment, in days. */
const TERMS_DAYS = 18
const PAYMENTS_PER_VOUCHER = 8
/** Payments choose among this many of the oldest invoices, since invoices are not paid in strict order. */
const CANDIDATES = 40
const ITEMS_OF_TRADES: Readonly<Record<string, RegExp>> = {
  Pumps: /^(?:P|BS)/,
  Valves: /^V/,
  'Pipe Systems': /^(?:FL|TE)/,
  Seals: /^S/,
  Instruments: /^MF/,
}

/** Other purchases: trade, account, text, median in kroner, and what bears the cost. */
const COSTS: readonly Cost[] = [
  ['Energy', '6340', 'Electricity and grid rent', 14_200, 'branch'],
  ['Property', '6300', 'Rent of premises', 68_000, 'branch'],
  ['Telecom', '6910', 'Mobile subscriptions', 3_900, 'branch'],
  ['Transport', '6100', 'Outward freight', 2_750, 'branch'],
  ['Software', '6420', 'Software subscription', 8_700, 'office'],
  ['Cloud', '6553', 'Cloud services', 3_400, 'office'],
  ['Consulting', '6730', 'Consultants, hours', 38_000, 'office'],
  ['Staffing', '4520', 'Hired fitters', 46_000, 'project'],
  ['Contractors', '4500', 'Pipe laying, subcontractor', 61_000, 'project'],
  ['Fuel', '7005', 'Diesel', 940, 'vehicle'],
  ['Fleet', '7025', 'Service and tyres', 3_900, 'vehicle'],
]
type Cost = readonly [trade: string, account: string, text: string, median: number, bearer: Bearer]
type Bearer = 'branch' | 'office' | 'project' | 'vehicle'

/** The wages of a branch: cost centre, department, account and wage type. */
const WAGES = [
  ['sales', '530', '5010', '105'],
  ['warehouse', '730', '5020', '120'],
  ['workshop', '810', '5025', '125'],
  ['field service', '820', '5030', '130'],
  ['projects', '920', '5035', '135'],
] as const

/** The bookkeeping: its open items, the next numbers, and a function for each kind of voucher. */
export class Books {
  readonly #random: Random
  readonly #pools: ValuePools
  readonly #suppliers: readonly Supplier[]
  readonly #itemsOfTrades: ReadonlyMap<string, readonly Item[]>
  readonly #receivables: OpenItem[] = []
  readonly #payables = new Map(CURRENCIES.map((currency) => [currency, [] as OpenItem[]]))
  #invoice = 6_100_000
  #order = 41_870

  constructor(pools: ValuePools, random: Random) {
    this.#pools = pools
    this.#suppliers = pools.suppliers.filter((one) => one.trade in ITEMS_OF_TRADES || costOf(one))
    this.#itemsOfTrades = new Map(
      Object.entries(ITEMS_OF_TRADES).map(([trade, ids]) => [trade, pools.items.filter(({ id }) => ids.test(id))]),
    )
    this.#random = random
  }

  /** Goods to a customer. A few customers buy most, each at one branch. */
  customerInvoice(slot: Slot): Voucher {
    const random = this.#random
    const customer = String(FIRST_CUSTOMER + ((Math.floor(random.next() ** 2.6 * CUSTOMERS) * 617) % CUSTOMERS))
    const { branches, items } = this.#pools
    const branch = branches[(Number(customer) * 31) % branches.length] as Branch
    const [invoice, order] = [String(this.#invoice++), this.#order++]
    const voucher = open(slot, 'AR', invoice, 'NOK', { customer_id: customer })
    const discount = random.pick(DISCOUNTS)
    let net = 0
    for (let line = random.few(7); line > 0; line--) {
      const item = random.pick(items)
      const quantity = random.few(item.lot)
      const oere = Math.round((item.price * quantity * (100 - discount)) / 100)
      const coding = { C1: branch.costCentre('sales'), IT: item.id, TX: '3' }
      voucher.post(item.revenueAccount, -oere, `${quantityOf(item, quantity)}, order ${order}`, coding)
      net += oere
    }
    voucher.post('2700', -vatOf(net), `Output VAT 25 %, invoice ${invoice}`, { TX: '3' })
    const owed = voucher.settle('1500', `Invoice ${invoice}, order ${order}`, { A4: customer })
    this.#receivables.push({ party: customer, invoice, ...owed, since: slot.day })
    return voucher
  }

  /** Goods for resale, possibly from abroad, or other purchases. */
  supplierInvoice(slot: Slot): Voucher {
    const random = this.#random
    const supplier = random.pick(this.#suppliers)
    const { id, name, currency } = supplier
    const cost = costOf(supplier)
    const invoice = String(1000 + ((Number(id) * 7919 + this.#order) % 88_000))
    const voucher = open(slot, 'AP', invoice, currency, { supplier_id: id })
    const isForeign = currency !== 'NOK'
    const net = cost ? this.#postCosts(voucher, cost) : this.#postGoods(voucher, supplier)
    const tax = isForeign ? '81' : '1'
    voucher.post(isForeign ? '2715' : '2710', vatOf(net), 'Input VAT 25 %', { TX: tax })
    // The buyer accounts for the VAT of a purchase abroad.
    if (isForeign) voucher.post('2705', -vatOf(net), 'Output VAT 25 %, from abroad', { TX: tax })
    const owed = voucher.settle(isForeign ? '2401' : '2400', `${name}, invoice ${invoice}`, { A6: id })
    this.#payables.get(currency)?.push({ party: id, invoice, ...owed, since: slot.day })
    return voucher
  }

  /** Bank receipts of a day; undefined if no invoice is due. */
  customerReceipts(slot: Slot): Voucher | undefined {
    return this.#payment(slot, 'REC', 'NOK', this.#receivables)
  }

  /** Payments in one currency; undefined if no invoice is due. */
  supplierPayments(slot: Slot): Voucher | undefined {
    const currency = this.#random.pick(CURRENCIES)
    return this.#payment(slot, 'PAY', currency, this.#payables.get(currency) ?? [])
  }

  #payment(slot: Slot, type: 'REC' | 'PAY', currency: string, items: OpenItem[]): Voucher | undefined {
    const due = this.#takeDue(items, slot)
    if (due.length === 0) return undefined
    const day = slot.transaction_date.slice(0, 10)
    const voucher = open(slot, type, `BANK ${day}`, currency)
    const account = type === 'REC' ? '1500' : currency === 'NOK' ? '2400' : '2401'
    for (const { oere, cents, invoice, party } of due) {
      voucher.add(account, -oere, -cents, `Payment of invoice ${invoice}`, { [type === 'REC' ? 'A4' : 'A6']: party })
    }
    const text = type === 'REC' ? 'Receipts from customers' : 'Payments to suppliers'
    voucher.settle(currency === 'EUR' ? '1921' : '1920', `${text} ${day}`, {})
    return voucher
  }

  /** Wages, withheld tax and net pay, with exactly `lines` lines, two or more. */
  payroll(slot: Slot, lines = 8): Voucher {
    const random = this.#random
    const { branches } = this.#pools
    const voucher = open(slot, 'SAL', `PAYROLL ${slot.period}`, 'NOK')
    const first = random.integer(0, branches.length - 1)
    let gross = 0
    for (let line = 0; line < Math.max(1, lines - 2); line++) {
      const branch = branches[(first + Math.floor(line / WAGES.length)) % branches.length] as Branch
      const [task, department, account, wageType] = WAGES[line % WAGES.length] as (typeof WAGES)[number]
      const oere = Math.round(random.amount(105_000) / 100) * 100
      voucher.post(account, oere, `Wages, ${branch.place}, ${task}`, {
        C1: branch.costCentre(task),
        C2: department,
        WT: wageType,
      })
      gross += oere
    }
    if (lines > 2) {
      const tax = Math.round((gross * random.integer(26, 35)) / 10_000) * 100
      voucher.post('2600', -tax, `Tax withheld, ${slot.period}`, { WT: '700' })
    }
    voucher.settle('2910', `Net pay, ${slot.period}`, { WT: '900' })
    return voucher
  }

  #postCosts(voucher: Voucher, [, account, text, median, bearer]: Cost): number {
    let net = 0
    for (let line = this.#random.few(4); line > 0; line--) {
      const cents = this.#random.amount(median)
      const { place, ...coding } = this.#bearerOf(bearer)
      voucher.post(account, cents, `${text}, ${place}`, { ...coding, TX: '1' })
      net += cents
    }
    return net
  }

  #bearerOf(bearer: Bearer) {
    const { branches, headOffice, projects, vehicles } = this.#pools
    const { place, costCentre } = this.#random.pick(branches)
    if (bearer === 'branch') return { place, C1: costCentre('common') }
    const { id, name } = this.#random.pick({ office: headOffice, project: projects, vehicle: vehicles }[bearer])
    if (bearer === 'office') return { place: name, C1: id }
    if (bearer === 'project') return { place: name, C1: costCentre('projects'), C5: id }
    return { place: name, C1: costCentre('common'), AS: id }
  }

  /** Goods for the central warehouse. Returns the sum in the voucher's currency. */
  #postGoods(voucher: Voucher, { trade, currency }: Supplier): number {
    const random = this.#random
    const offered = this.#itemsOfTrades.get(trade) ?? []
    const order = this.#order++
    let net = 0
    for (let line = random.few(6); line > 0; line--) {
      const item = random.pick(offered)
      const quantity = random.few(item.lot * 3)
      const cents = inCurrency(item.price * COST_SHARE, currency) * quantity
      const account = currency === 'NOK' ? item.purchaseAccount : '4330'
      const coding = { C1: '1610', IT: item.id, TX: currency === 'NOK' ? '1' : '21' }
      voucher.post(account, cents, `${quantityOf(item, quantity)}, order ${order}`, coding)
      net += cents
    }
    return net
  }

  /** Removes and returns a few of the oldest invoices, roughly in their order, if they are due. */
  #takeDue(items: OpenItem[], { day }: Slot): OpenItem[] {
    const due: OpenItem[] = []
    for (let left = this.#random.few(PAYMENTS_PER_VOUCHER); left > 0; left--) {
      const at = Math.floor(this.#random.next() * Math.min(CANDIDATES, items.length))
      const item = items[at]
      if (!item || day - item.since < TERMS_DAYS) break
      items[at] = items[0] as OpenItem
      items.shift()
      due.push(item)
    }
    return due
  }
}

function open(
  { day, ...shared }: Slot,
  transaction_type: string,
  external_reference: string,
  currency_code: string,
  party: Partial<Pick<LedgerLine, 'customer_id' | 'supplier_id'>> = {},
): Voucher {
  const { customer_id = '', supplier_id = '' } = party
  return new Voucher({ ...shared, transaction_type, external_reference, currency_code, customer_id, supplier_id })
}

function costOf(supplier: Supplier): Cost | undefined {
  return COSTS.find(([trade]) => trade === supplier.trade)
}

function vatOf(net: number): number {
  return Math.round(net / 4)
}

function quantityOf({ label, unit }: Item, quantity: number): string {
  return quantity === 1 && unit === 'pcs' ? label : `${label}, ${quantity} ${unit}`
}
