// Vouchers of the purchase ledger: invoices in kroner and in other currencies, and their payments.
import type { Desk } from './desk.ts'
import type { Coding } from './ledger-line.ts'
import type { Overhead } from './overhead.ts'
import type { Supplier } from './pools.ts'
import { quantityOf } from './sales.ts'
import type { Voucher } from './voucher.ts'

const INPUT_VAT: Readonly<Record<number, string>> = { 25: '2710', 15: '2711', 12: '2712' }
/** Purchase price as a share of the sales price. */
const COST_SHARE = 0.62
/** Time until payment, in days. */
const TERMS_DAYS = 20
const PAYMENTS_PER_VOUCHER = 7

/** An invoice of a domestic supplier for anything but goods for resale, such as rent, electricity and freight. */
export function overheadInvoice(desk: Desk): Voucher {
  const kind = desk.random.pick(desk.pools.overhead)
  const supplier = supplierFor(desk, kind)
  const voucher = desk.voucher('AP', invoiceOf(supplier))
  let net = 0
  for (let line = desk.random.few(4); line > 0; line--) {
    const oere = desk.random.amount(kind.median)
    const { coding, place } = codingOf(desk, kind)
    voucher.post(kind.account, oere, `${kind.text}, ${place}, ${desk.day.monthName}`, { ...coding, tax: kind.tax })
    net += oere
  }
  const account = INPUT_VAT[kind.vat]
  if (account) voucher.post(account, inputVat(net, kind.vat), `Input VAT ${kind.vat} %`, { tax: kind.tax })
  postPayable(desk, voucher, supplier)
  return voucher
}

/** An invoice of a domestic supplier for goods for resale. */
export function goodsInvoice(desk: Desk): Voucher {
  const { random } = desk
  const supplier = random.pick(desk.pools.merchants)
  const voucher = desk.voucher('AP', invoiceOf(supplier))
  const net = buyGoods(desk, voucher, supplier, '')
  voucher.post('2710', inputVat(net, 25), 'Input VAT 25 %', { tax: '1' })
  postPayable(desk, voucher, supplier)
  return voucher
}

/** Goods or cloud services from abroad, in the supplier's currency. The buyer accounts for VAT (reverse charge). */
export function foreignInvoice(desk: Desk): Voucher {
  const { random, pools } = desk
  const service = random.chance(0.14) ? random.pick(pools.overheadAbroad) : undefined
  const supplier = service ? supplierFor(desk, service) : random.pick(pools.merchantsAbroad)
  const voucher = desk.voucher('AP', invoiceOf(supplier), supplier.currency)
  const net = service ? buyService(desk, voucher, service) : buyGoods(desk, voucher, supplier, '4330')
  const tax = service ? '86' : '81'
  const vat = inputVat(net, 25)
  voucher.post(service ? '2710' : '2715', vat, 'Input VAT 25 %, from abroad', { tax })
  voucher.post('2705', -vat, 'Output VAT 25 %, from abroad', { tax })
  postPayable(desk, voucher, supplier)
  return voucher
}

function supplierFor({ random, pools }: Desk, kind: Overhead): Supplier {
  return random.pick(pools.suppliersOfTrade.get(kind.trade) ?? [])
}

function inputVat(net: number, percent: number): number {
  return Math.round((net * percent) / 100)
}

function buyService(desk: Desk, voucher: Voucher, kind: Overhead): number {
  const cents = desk.random.amount(kind.median)
  const { coding, place } = codingOf(desk, kind)
  const description = `${kind.text}, ${place}, ${desk.day.monthName}`
  voucher.post(kind.account, cents, description, { ...coding, tax: kind.tax })
  return cents
}

/** Posts goods to the central warehouse or that of a branch. Returns the sum in the voucher's currency. */
function buyGoods(desk: Desk, voucher: Voucher, supplier: Supplier, importAccount: string): number {
  const { random, pools } = desk
  const wares = pools.waresOfTrade.get(supplier.trade) ?? pools.goods
  const costCentre = random.chance(0.6) ? '1610' : random.pick(pools.branches).warehouse
  const order = desk.order++
  let net = 0
  for (let line = random.few(6); line > 0; line--) {
    const ware = random.pick(wares)
    const quantity = random.few(ware.lot * 3)
    const cents = Math.round(((ware.price * COST_SHARE) / voucher.head.rate) * 10_000) * quantity
    const coding = { costCentre, item: ware.id, tax: importAccount ? '21' : '1' }
    const description = `${quantityOf(ware, quantity)}, order ${order}`
    voucher.post(importAccount || ware.purchaseAccount, cents, description, coding)
    net += cents
  }
  return net
}

function postPayable(desk: Desk, voucher: Voucher, supplier: Supplier): void {
  const { currency, reference: invoice } = voucher.head
  const account = currency === 'NOK' ? '2400' : '2401'
  const owed = voucher.settle(account, `${supplier.name}, invoice ${invoice}`, { supplier: supplier.id })
  const items = currency === 'NOK' ? desk.payables : desk.foreignPayables
  items.put({ party: supplier.id, invoice, oere: -owed.oere, cents: -owed.cents, currency, since: desk.day.index })
}

/** The invoice numbers of a supplier have gaps, because it has other customers too. */
function invoiceOf(supplier: Supplier): string {
  supplier.nextInvoice += 1 + ((supplier.nextInvoice * 31) % 17)
  return `${supplier.invoicePrefix}${supplier.nextInvoice}`
}

/** The bearer of the cost, and its name for the description. */
function codingOf({ random, pools }: Desk, kind: Overhead): { coding: Coding; place: string } {
  if (kind.of === 'project') {
    const project = random.pick(pools.projects)
    return { coding: { costCentre: project.branch?.projects ?? '', project: project.id }, place: project.name }
  }
  if (kind.of === 'vehicles') {
    const vehicle = random.pick(pools.vehicles)
    return { coding: { costCentre: vehicle.costCentre, asset: vehicle.id }, place: vehicle.name }
  }
  if (kind.of === 'office' || (kind.of === 'people' && random.chance(0.5))) {
    const { id, name } = random.pick(pools.headOffice)
    return { coding: { costCentre: id }, place: name }
  }
  const branch = random.pick(pools.branches)
  const costCentre = kind.of === 'workshop' || kind.of === 'warehouse' ? branch[kind.of] : branch.common
  return { coding: { costCentre }, place: branch.place }
}

/** Payments of due domestic invoices in one bank file; undefined if nothing is due. */
export function supplierPayments(desk: Desk): Voucher | undefined {
  const { random, payables, day } = desk
  let voucher: Voucher | undefined
  for (let left = random.few(PAYMENTS_PER_VOUCHER); left > 0; left--) {
    const item = payables.take(random, day.index, TERMS_DAYS)
    if (!item) break
    voucher ??= desk.voucher('PAY', `BANK ${day.date}`)
    voucher.post('2400', item.oere, `Payment of invoice ${item.invoice}`, { supplier: item.party })
  }
  voucher?.settle('1920', `Payments to suppliers ${day.date}`, {})
  return voucher
}

/** Payment of one foreign invoice at the current rate. The difference in kroner is an exchange gain or loss. */
export function foreignPayment(desk: Desk): Voucher | undefined {
  const item = desk.foreignPayables.take(desk.random, desk.day.index, TERMS_DAYS)
  if (!item) return undefined
  const voucher = desk.voucher('PAY', item.invoice, item.currency)
  voucher.add('2401', item.oere, item.cents, `Payment of invoice ${item.invoice}`, { supplier: item.party })
  const bank = item.currency === 'EUR' ? '1921' : '1920'
  voucher.post(bank, -item.cents, `Payment abroad, ${item.currency}`, {})
  const paid = Math.round((item.cents * voucher.head.rate) / 10_000)
  if (paid > item.oere) voucher.settle('8160', `Exchange loss, invoice ${item.invoice}`, {})
  if (paid < item.oere) voucher.settle('8060', `Exchange gain, invoice ${item.invoice}`, {})
  return voucher
}
