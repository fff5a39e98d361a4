// Vouchers of four lines each, which balance.
import type { Base, Row } from '../kind.ts'
import { stamp } from '../kind.ts'
import { chosen, mixed, seedOf } from '../random.ts'
import { momentOf, padded, type World } from './world.ts'

const LINES = 4
const FIRST = 26_000_001
const ACCOUNTS = ['1500', '2400', '2700', '3000', '4000', '5000', '6300', '7700']
const TYPES = ['AP', 'AR', 'GL', 'PAY', 'REC']
const TEXTS = [
  'Freight',
  'Office rent',
  'Consulting hours',
  'Spare parts "new"',
  'R\u00f8r og deler',
  'Licence, yearly',
]

export function ledgerBase({ companyId, seed, sizes }: World, zone: 'Z' | ''): Base {
  const own = seedOf(seed, 'ledger')
  const size = sizes.ledger
  const updatedAt = (at: number) => momentOf(Math.floor(at / LINES) / (size / LINES + 1))

  function row(at: number): Row {
    const voucher = Math.floor(at / LINES)
    const line = at % LINES
    const number = mixed(own, voucher)
    const mine = mixed(own + 1, at)
    const share = (number % 5_000_000) / 100
    const amount = line === 0 ? share * 3 : -share
    const month = 1 + (Math.floor((voucher * 12) / (size / LINES + 1)) % 12)
    const state = month < 4 ? 'historical' : number % 20 === 0 ? 'registered' : 'posted'
    return {
      accountingInformation: {
        account: chosen(ACCOUNTS, mine),
        attributeId1: 'C1',
        attributeId2: mine % 3 === 0 ? 'B0' : '',
        attributeId3: '',
        attributeId4: '',
        attributeId5: '',
        attributeId6: '',
        attributeId7: '',
        attributeValue1: `CC${padded(mine % 90, 7)}`,
        attributeValue2: mine % 3 === 0 ? `P${padded(mine % 500, 7)}` : '',
        attributeValue3: '',
        attributeValue4: '',
        attributeValue5: '',
        attributeValue6: '',
        attributeValue7: '',
      },
      amounts: {
        amount: cents(amount),
        currencyAmount: cents(amount),
        currencyCode: 'NOK',
        debitCredit: amount < 0 ? -1 : 1,
      },
      companyId,
      customerId: number % 5 === 1 ? String(100_000 + (number % 1000)) : '',
      description: `${chosen(TEXTS, mine >>> 8)} ${voucher}`,
      externalReference: String(6_000_000 + voucher),
      lastUpdated: { updatedAt: stamp(updatedAt(at), zone), updatedBy: `USER${number % 7}` },
      period: 202_500 + month,
      sequenceNumber: line + 1,
      state,
      status: 'N',
      supplierId: '',
      transactionDate: `2025-${padded(month, 2)}-${padded(1 + (number % 28), 2)}T00:00:00.000${zone}`,
      transactionNumber: FIRST + voucher,
      transactionType: chosen(TYPES, number),
    }
  }
  return { size, row, updatedAt, key: (at) => [FIRST + Math.floor(at / LINES), (at % LINES) + 1] }
}

const cents = (amount: number) => Math.round(amount * 100) / 100
