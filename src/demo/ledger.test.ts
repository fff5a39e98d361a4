import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ledgerLines } from './ledger.ts'
import type { DemoCompany, DemoSupplier } from './pools.ts'
import type { LedgerLine } from './voucher.ts'

interface Company extends Pick<DemoCompany, 'attributeValues'> {
  readonly id: string
  readonly valueLists: { readonly CURRENCY: Readonly<Record<string, string>> }
}

const read = (file: string) => readFileSync(new URL(`../../examples/demo/${file}`, import.meta.url), 'utf8')
const { companies } = parse(read('company.yaml')) as { companies: Company[] }
const setup = companies.find(({ id }) => id === 'EN')!
const suppliers = read('suppliers.ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DemoSupplier)
  .filter(({ companyId }) => companyId === 'EN')
const company: DemoCompany = { ...setup, suppliers }
const currencies = setup.valueLists.CURRENCY
const lines = [...ledgerLines(20_000, company)]
const vouchers = Map.groupBy(lines, (line) => line.transaction_number)
const SALES = ['AR', 'REC']

function hashOf(generated: Iterable<LedgerLine>): string {
  return createHash('sha256')
    .update(JSON.stringify([...generated]))
    .digest('hex')
}

function oere(amount: number): number {
  const cents = Math.round(amount * 100)
  expect(cents / 100).toBe(amount)
  return cents
}

function codingOf(line: LedgerLine): [id: string, value: string][] {
  const positions = [1, 2, 3, 4, 5, 6, 7] as const
  return positions.map((n) => [line[`attribute_id_${n}`], line[`attribute_value_${n}`]])
}

describe('the ledger of the demo company', () => {
  it.each([0, 2, 3, 4, 5, 7, 10, 99, 1000, 1001, 12_345])('has exactly %i lines', (count) => {
    const generated = [...ledgerLines(count, company)]
    expect(generated).toHaveLength(count)
    expect(generated.reduce((sum, { amount }) => sum + oere(amount), 0)).toBe(0)
  })

  it('refuses a single line, which could not balance', () => {
    expect(() => ledgerLines(1, company).next()).toThrow(RangeError)
  })

  it('balances every voucher in kroner and in its currency', () => {
    for (const [number, voucher] of vouchers) {
      const currency = new Map<string, number>()
      for (const { amount, currency_amount, currency_code: code, debit_credit } of voucher) {
        currency.set(code, (currency.get(code) ?? 0) + oere(currency_amount))
        expect(debit_credit).toBe(amount < 0 ? -1 : 1)
        if (code === 'NOK') expect(currency_amount).toBe(amount)
      }
      expect([number, voucher.reduce((sum, { amount }) => sum + oere(amount), 0)]).toEqual([number, 0])
      expect([number, ...currency.values()]).toEqual([number, 0])
    }
  })

  it('has no line without an amount', () => {
    expect(lines.filter(({ amount }) => amount === 0)).toEqual([])
  })

  it('numbers vouchers and their lines without gaps', () => {
    expect([...vouchers.keys()]).toEqual(Array.from(vouchers.keys(), (_, i) => 26_000_001 + i))
    for (const voucher of vouchers.values()) {
      expect(voucher.map((line) => line.sequence_number)).toEqual(voucher.map((_, i) => i + 1))
    }
  })

  it('names only values and currencies that the setup has', () => {
    const { attributeValues } = setup
    const numbers = suppliers.map(({ supplierId }) => supplierId)
    for (const line of lines) {
      expect(attributeValues.A0).toHaveProperty([line.account])
      expect(attributeValues.VT).toHaveProperty([line.transaction_type])
      expect(currencies).toHaveProperty([line.currency_code])
      for (const [id, value] of codingOf(line)) {
        if (id === 'A4') expect(value).toMatch(/^10[01]\d{3}$/)
        else if (id === 'A6') expect(numbers).toContain(value)
        else if (id !== '') expect(attributeValues[id]).toHaveProperty([value])
        else expect(value).toBe('')
      }
    }
  })

  it('names a customer on sales alone', () => {
    for (const { transaction_type, customer_id } of lines) {
      if (SALES.includes(transaction_type)) expect(customer_id).toMatch(/^(10[01]\d{3})?$/)
      else expect(customer_id).toBe('')
      if (transaction_type === 'AR') expect(customer_id).not.toBe('')
    }
  })

  it('names a supplier on purchases and payments alone', () => {
    for (const { transaction_type, supplier_id } of lines) {
      if (['AP', 'PAY'].includes(transaction_type)) expect(supplier_id).toMatch(/^(20\d{3})?$/)
      else expect(supplier_id).toBe('')
      if (transaction_type === 'AP') expect(supplier_id).not.toBe('')
    }
  })

  it('goes through the twelve periods in order', () => {
    for (const { transaction_date, period } of lines) {
      expect(transaction_date).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
      expect(period).toBe(Number(transaction_date.slice(0, 7).replace('-', '')))
    }
    const dates = lines.map((line) => line.transaction_date)
    expect(dates).toEqual(dates.toSorted())
    const periods = [...new Set(lines.map((line) => line.period))]
    expect(periods).toEqual([202512, ...Array.from({ length: 11 }, (_, i) => 202601 + i)])
  })

  it('is historical, then posted, then registered', () => {
    expect([...new Set(lines.map((line) => line.state))]).toEqual(['historical', 'posted', 'registered'])
    const registered = lines.filter(({ state }) => state === 'registered').length / lines.length
    expect(registered).toBeGreaterThan(0.02)
    expect(registered).toBeLessThan(0.05)
    const active = lines.filter(({ status }) => status === 'N').length / lines.length
    expect(active).toBeGreaterThan(0.99)
  })

  it('holds every kind of voucher, and invoices in several currencies', () => {
    const types = new Set(lines.map((line) => line.transaction_type))
    expect([...types].sort()).toEqual(['AP', 'AR', 'PAY', 'REC', 'SAL'])
    const bought = lines.filter((line) => line.transaction_type === 'AP').map((line) => line.currency_code)
    expect([...new Set(bought)].sort()).toEqual(['DKK', 'EUR', 'NOK', 'SEK', 'USD'])
  })

  it('is the same for the same seed, and another for another', () => {
    const first = (seed: number) => hashOf(ledgerLines(20_000, company, seed).take(1000))
    expect(first(1)).toBe(first(1))
    expect(first(1)).toBe(hashOf(lines.slice(0, 1000)))
    expect(first(2)).not.toBe(first(1))
  })
})
