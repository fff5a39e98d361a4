import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readDemoRecords } from './demo-records.ts'
import { ledgerLines } from './ledger.ts'
import type { DemoCompany, DemoSupplier } from './pools.ts'
import { PurchaseLedger, purchasesOf } from './purchases.ts'

const setup = parse(readFileSync('examples/demo/company.yaml', 'utf8')) as {
  companies: (DemoCompany & { id: string })[]
}
const suppliers = readDemoRecords<DemoSupplier>('suppliers').filter(({ companyId }) => companyId === 'EN')
const { attributeValues } = setup.companies.find(({ id }) => id === 'EN')!
const made = (count: number) => {
  const lines = [...ledgerLines(count, { attributeValues, suppliers })]
  const ledger = new PurchaseLedger()
  for (const line of lines) ledger.take(line)
  return { lines, ...purchasesOf(ledger, suppliers) }
}

const { lines, contracts, orders, invoices } = made(20_000)
const cents = (amount: number) => Math.round(amount * 100)

describe('the purchases of the demo', () => {
  it('are the newest invoices of the ledger, each with its amounts and what it is for', () => {
    expect(invoices).toHaveLength(800)
    for (const {
      voucherNo,
      invoiceNo,
      supplierId,
      netAmount,
      amount,
      orderNo,
      contractNo,
      dueDate,
      invoiceDate,
    } of invoices) {
      const voucher = lines.filter(({ transaction_number }) => transaction_number === voucherNo)
      expect(new Set(voucher.map(({ external_reference }) => external_reference))).toEqual(new Set([invoiceNo]))
      expect(new Set(voucher.map(({ supplier_id }) => supplier_id))).toEqual(new Set([supplierId]))
      expect(voucher.reduce((sum, line) => sum + (line.account >= '3000' ? cents(line.amount) : 0), 0)).toBe(
        cents(netAmount),
      )
      expect(voucher.at(-1)?.currency_amount).toBe(-amount)
      expect([orderNo === '', contractNo === '']).toContain(true)
      expect(orderNo + contractNo).not.toBe('')
      expect(dueDate > invoiceDate).toBe(true)
    }
    expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['N', 'C']))
  })

  it('have orders of what was invoiced, exact to the last digit, and some that are to come', () => {
    for (const { orderNo, lines: items, orderDate, deliveryDate, status } of orders) {
      const told = lines.filter(
        (line) => line.transaction_type === 'AP' && line.description.endsWith(`, order ${orderNo}`),
      )
      const ordered = items.reduce((sum, { quantity, price }) => sum + cents(quantity * price), 0)
      if (status !== 'O') expect(told.reduce((sum, line) => sum + cents(line.currency_amount), 0)).toBe(ordered)
      expect([orderNo, orderDate < deliveryDate, items.every(({ description }) => description !== '')]).toEqual([
        orderNo,
        true,
        true,
      ])
      expect([0, 6]).not.toContain(new Date(orderDate).getUTCDay())
    }
    expect(orders.filter(({ status }) => status === 'O')).toHaveLength(12)
    expect(new Set(orders.map(({ orderNo }) => orderNo)).size).toBe(orders.length)
  })

  it('have a contract for each supplier of services, which are all different', () => {
    expect(new Set(contracts.map(({ contractNo }) => contractNo)).size).toBe(contracts.length)
    expect(contracts.length).toBeGreaterThan(15)
    for (const { monthlyAmount, responsibleId, subject } of contracts)
      expect([subject, monthlyAmount > 0, responsibleId]).toEqual([subject, true, expect.stringMatching(/^1\d{4}$/)])
  })

  it('are the same for the same ledger, and few for a small one', () => {
    expect(made(20_000).orders).toEqual(orders)
    expect(made(0)).toMatchObject({ contracts: [], orders: [], invoices: [] })
    expect(made(200).invoices.length).toBeGreaterThan(5)
  })
})
