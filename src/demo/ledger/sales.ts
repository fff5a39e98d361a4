// Vouchers of the sales ledger: invoices, credit notes, exports, projects and receipts.
import type { Desk } from './desk.ts'
import type { Branch } from './pools.ts'
import type { Voucher } from './voucher.ts'
import type { Ware } from './wares.ts'

const DISCOUNTS = [0, 0, 0, 5, 5, 7.5, 10, 12.5, 15, 20, 25]
const EXPORT_CURRENCIES = ['EUR', 'EUR', 'EUR', 'SEK', 'SEK', 'USD']
const MILESTONES = ['mobilisation', 'delivery of pumps', 'pipework', 'installation', 'commissioning', 'final payment']
/** Time until payment, in days. */
const TERMS_DAYS = 14
const RECEIPTS_PER_VOUCHER = 8

/** Goods and services to a domestic customer. */
export function customerInvoice(desk: Desk): Voucher {
  const { random } = desk
  const customer = desk.customer()
  const branch = desk.branchOf(customer)
  const number = desk.invoice++
  const order = desk.order++
  const voucher = desk.voucher('AR', String(number), 'NOK', String(customer))
  const wares = random.chance(0.24) ? desk.pools.services : desk.pools.goods
  const discount = random.pick(DISCOUNTS)
  let net = 0
  for (let line = random.few(7); line > 0; line--) {
    const ware = random.pick(wares)
    net += postSale(voucher, ware, { quantity: random.few(ware.lot), discount, branch, order })
  }
  if (wares === desk.pools.goods && net < 500_000) net += postFreight(desk, voucher, branch, order)
  postVatAndReceivable(desk, voucher, net, { customer, number, text: `order ${order}` })
  return voucher
}

interface Sale {
  readonly quantity: number
  readonly discount: number
  readonly branch: Branch
  readonly order: number
}

function postSale(voucher: Voucher, ware: Ware, { quantity, discount, branch, order }: Sale): number {
  const oere = Math.round((ware.price * quantity * (100 - discount)) / 100)
  const costCentre = ware.family.startsWith('S') && ware.unit !== 'pcs' ? branch.service : branch.sales
  const coding = { costCentre, item: ware.id, tax: '3' }
  voucher.post(ware.revenueAccount, -oere, `${quantityOf(ware, quantity)}, order ${order}`, coding)
  return oere
}

export function quantityOf(ware: Ware, quantity: number): string {
  return quantity === 1 && ware.unit === 'pcs'
    ? ware.label
    : `${ware.label}${ware.unit && `, ${quantity} ${ware.unit}`}`
}

function postFreight(desk: Desk, voucher: Voucher, branch: Branch, order: number): number {
  const oere = desk.random.pick([9_900, 14_900, 14_900, 19_500, 29_000, 49_000, 89_000])
  voucher.post('3050', -oere, `Freight, order ${order}`, { costCentre: branch.sales, tax: '3' })
  return oere
}

interface Receivable {
  readonly customer: number
  readonly number: number
  readonly text: string
}

/** Posts output VAT and the receivable. */
function postVatAndReceivable(desk: Desk, voucher: Voucher, net: number, { customer, number, text }: Receivable): void {
  voucher.post('2700', -Math.round(net / 4), `Output VAT 25 %, invoice ${number}`, { tax: '3' })
  postReceivable(desk, voucher, '1500', { customer, number, text })
}

function postReceivable(desk: Desk, voucher: Voucher, account: string, { customer, number, text }: Receivable): void {
  const party = String(customer)
  const { oere, cents } = voucher.settle(account, `Invoice ${number}, ${text}`, { customer: party })
  const { currency } = voucher.head
  desk.receivables.put({ party, invoice: String(number), oere, cents, currency, since: desk.day.index })
}

/** A project invoice for a milestone. */
export function projectInvoice(desk: Desk): Voucher {
  const { random } = desk
  const customer = desk.customer()
  const project = random.pick(desk.pools.projects)
  const number = desk.invoice++
  const voucher = desk.voucher('AR', String(number), 'NOK', String(customer))
  const coding = { costCentre: project.branch?.projects ?? '', project: project.id, tax: '3' }
  const milestone = random.pick(MILESTONES)
  let net = random.amount(185_000)
  voucher.post('3040', -net, `${project.name}: ${milestone}`, coding)
  if (random.chance(0.3)) {
    const extra = random.amount(22_000)
    voucher.post('3045', -extra, `${project.name}: change order ${random.integer(1, 19)}`, coding)
    net += extra
  }
  postVatAndReceivable(desk, voucher, net, { customer, number, text: `project ${project.id}` })
  return voucher
}

/** Goods for a customer abroad, in a foreign currency and without VAT. */
export function exportInvoice(desk: Desk): Voucher {
  const { random } = desk
  const customer = desk.customer()
  const number = desk.invoice++
  const order = desk.order++
  const currency = random.pick(EXPORT_CURRENCIES)
  const voucher = desk.voucher('AR', String(number), currency, String(customer))
  for (let line = random.few(5); line > 0; line--) {
    const ware = random.pick(desk.pools.goods)
    const quantity = random.few(ware.lot)
    // Export prices are whole units of the currency.
    const cents = Math.ceil((ware.price * quantity * 100) / voucher.head.rate) * 100
    const description = `${quantityOf(ware, quantity)}, export order ${order}`
    voucher.post('3100', -cents, description, { costCentre: '1430', item: ware.id, tax: '52' })
  }
  postReceivable(desk, voucher, '1501', { customer, number, text: `export order ${order}` })
  return voucher
}

const REASONS = ['returned', 'wrong size', 'damaged in transport', 'price difference', 'short delivery']

export function creditNote(desk: Desk): Voucher {
  const { random } = desk
  const customer = desk.customer()
  const branch = desk.branchOf(customer)
  const number = desk.invoice++
  const voucher = desk.voucher('ARC', String(number), 'NOK', String(customer))
  const ware = random.pick(desk.pools.goods)
  const oere = ware.price * random.few(Math.ceil(ware.lot / 4))
  const coding = { costCentre: branch.sales, item: ware.id, tax: '3' }
  voucher.post(ware.revenueAccount, oere, `${ware.label}, ${random.pick(REASONS)}`, coding)
  voucher.post('2700', Math.round(oere / 4), `Output VAT 25 %, credit note ${number}`, { tax: '3' })
  voucher.settle('1500', `Credit note ${number}`, { customer: String(customer) })
  return voucher
}

/** Bank receipts of a day in kroner; undefined if no invoice is due. */
export function customerReceipts(desk: Desk): Voucher | undefined {
  const { random, receivables, day } = desk
  let voucher: Voucher | undefined
  for (let left = random.few(RECEIPTS_PER_VOUCHER); left > 0; left--) {
    const item = receivables.take(random, day.index, TERMS_DAYS)
    if (!item) break
    voucher ??= desk.voucher('REC', `BANK ${day.date}`)
    const coding = { customer: item.party }
    const [account, text] = item.currency === 'NOK' ? ['1500', ''] : ['1501', ` in ${item.currency}`]
    voucher.add(account, -item.oere, -item.oere, `Payment${text} of invoice ${item.invoice}`, coding, item.party)
  }
  voucher?.settle('1920', `Receipts from customers ${day.date}`, {})
  return voucher
}
