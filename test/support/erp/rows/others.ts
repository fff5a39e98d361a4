// The smaller documents: lists of codes, and those that no product knows from home.
import type { Base, Row } from '../kind.ts'
import { stamp } from '../kind.ts'
import { chosen, mixed, seedOf } from '../random.ts'
import { momentOf, padded, type World } from './world.ts'

type Make = (world: World, zone: 'Z' | '') => Base

const LISTS: readonly (readonly [name: string, code: string, title: string])[] = [
  ['COUNTRY', 'GB', 'United Kingdom'],
  ['COUNTRY', 'NL', 'Netherlands'],
  ['COUNTRY', 'NO', 'Norway'],
  ['COUNTRY', 'SE', 'Sweden'],
  ['CURRENCY', 'EUR', 'Euro'],
  ['CURRENCY', 'GBP', 'Pound sterling'],
  ['CURRENCY', 'NOK', 'Norwegian krone'],
  ['STATUS', 'C', 'Closed'],
  ['STATUS', 'N', 'Active'],
  ['STATUS', 'P', 'Parked'],
]

export const valueListBase: Make = ({ companyId }) => ({
  size: LISTS.length,
  key: (at) => [LISTS[at]![0], 0, LISTS[at]![1], 'EN'],
  row: (at) => {
    const [name, description, title] = LISTS[at]!
    return { companyId, description, language: 'EN', name, number: 0, title }
  },
})

export const companiesBase: Make = ({ companyId }) => ({
  size: 1,
  key: () => [],
  row: () => ({ companyId, companyName: `Company ${companyId}`, currentAccountingPeriod: 202_606, language: 'EN' }),
})

const decimal = (hundredths: number) => (hundredths / 100).toFixed(2)

export const purchaseOrdersBase: Make = ({ companyId, seed, sizes }, zone) => {
  const own = seedOf(seed, 'purchase-orders')
  const updatedAt = (at: number) => momentOf(mixed(own + 1, at) / 2 ** 32)
  const numberOf = (at: number) => `PO${padded(at + 1, 7)}`
  function row(at: number): Row {
    const number = mixed(own, at)
    const lines = Array.from({ length: number % 4 }, (_, line) => ({
      articleId: `ART${mixed(number, line) % 500}`,
      lineNo: line + 1,
      price: decimal(mixed(number + 1, line) % 1_000_000),
      quantity: `${1 + (line % 7)}.000`,
    }))
    return {
      amounts: { amount: decimal(number), currencyCode: chosen(['EUR', 'NOK'], number >>> 3) },
      companyId,
      lastUpdated: { updatedAt: stamp(updatedAt(at), zone), updatedBy: `USER${number % 7}` },
      lines,
      orderDate: `2025-0${1 + (number % 9)}-15T00:00:00.000${zone}`,
      orderNumber: numberOf(at),
      status: chosen(['N', 'N', 'C'], number >>> 5),
      supplierId: String(20_000 + (number % 400)),
    }
  }
  return { size: sizes.others, row, updatedAt, key: (at) => [numberOf(at)] }
}

const DAYS_PER_CURRENCY = 1000

export const currencyRatesBase: Make = ({ companyId, seed, sizes }, zone) => {
  const own = seedOf(seed, 'currency-rates')
  const dayOf = (at: number) => Date.parse('2020-01-01T00:00:00Z') + (at % DAYS_PER_CURRENCY) * 86_400_000
  const codeOf = (at: number) => `C${padded(Math.floor(at / DAYS_PER_CURRENCY), 2)}`
  return {
    size: sizes.others,
    key: (at) => [codeOf(at), dayOf(at)],
    row: (at) => ({
      companyId,
      currencyCode: codeOf(at),
      dateFrom: stamp(dayOf(at), zone),
      dateTo: stamp(dayOf(at), zone),
      rate: 1 + (mixed(own, at) % 100_000) / 10_000,
    }),
  }
}

export const timeSheetsBase: Make = ({ companyId, seed, sizes }, zone) => {
  const own = seedOf(seed, 'time-sheets')
  const updatedAt = (at: number) => momentOf(mixed(own + 1, at) / 2 ** 32)
  const key = (at: number) => [
    padded(10_000 + Math.floor(at / 36), 6),
    202_501 + (Math.floor(at / 3) % 12),
    (at % 3) + 1,
  ]
  function row(at: number): Row {
    const [employeeId, period, lineNo] = key(at) as [string, number, number]
    const number = mixed(own, at)
    return {
      companyId,
      description: `Work ${number % 50}`,
      employeeId,
      hours: (number % 80) / 2,
      lastUpdated: { updatedAt: stamp(updatedAt(at), zone), updatedBy: employeeId },
      lineNo,
      period,
    }
  }
  return { size: sizes.others, row, updatedAt, key }
}

export const stockLevelsBase: Make = ({ companyId, seed, sizes }) => {
  const own = seedOf(seed, 'stock-levels')
  const key = (at: number) => [`W${padded(Math.floor(at / 100), 3)}`, `ART${padded(at % 100, 4)}`] as const
  return {
    size: sizes.others,
    key,
    row: (at) => ({ articleId: key(at)[1], companyId, quantity: mixed(own, at) % 1000, warehouseId: key(at)[0] }),
  }
}
