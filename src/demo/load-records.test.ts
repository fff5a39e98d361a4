import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startWorld } from '../../test/support/world.ts'
import { KindRecords } from '../records/engine/kind-records.ts'
import { customersOf } from '../records/kinds/customers.ts'
import { getRecord } from '../records/shared/record-pipeline.ts'
import { demoCaller, readDemoRecords } from './demo-records.ts'
import { loadCustomers, loadLedger, loadOwnRecords, loadPurchases } from './load-records.ts'
import type { DemoCompany } from './pools.ts'
import { PurchaseLedger } from './purchases.ts'

const SETUP = 'examples/demo/company.yaml'

let world: Awaited<ReturnType<typeof startWorld>>
const TRANSACTIONS = 20_000
const { companies } = parse(readFileSync(SETUP, 'utf8')) as { companies: (DemoCompany & { id: string })[] }
const { attributeValues = {} } = companies.find(({ id }) => id === 'EN') ?? {}
const purchases = new PurchaseLedger()
const reports: number[][] = []
const ownReports: number[][] = []

beforeAll(async () => {
  world = await startWorld('sqlite', SETUP)
  const { service } = world.application
  await loadCustomers(service, (...counts) => reports.push(counts))
  await loadOwnRecords(service, (...counts) => ownReports.push(counts))
  await loadLedger(
    service,
    () => attributeValues,
    TRANSACTIONS,
    () => {},
    purchases,
  )
  await loadPurchases(
    service,
    purchases,
    () => attributeValues,
    TRANSACTIONS,
    () => {},
  )
})
afterAll(() => world?.stop())

describe('the customers of the demo', () => {
  const lines = readDemoRecords<{ companyId: string; customerName: string }>('customers')
  const nameOf = async (companyId: string, customerId: string) => {
    const { service } = world.application
    const caller = demoCaller('EN')
    const customers = new KindRecords(customersOf(service.companies.require(companyId)), caller, service.own)
    const { body } = await getRecord(service, customers, { caller, companyId, key: [customerId] })
    return (JSON.parse(body) as { customerName: string }).customerName
  }
  const namesOf = (companyId: string) =>
    lines.filter((line) => line.companyId === companyId).map((line) => line.customerName)

  it('has a number for each line, in the order of the file', async () => {
    const names = namesOf('EN')
    expect(names.length).toBe(2000)
    for (const [index, name] of names.entries()) expect(await nameOf('EN', String(100_000 + index))).toBe(name)
  })

  it('has those of the subsidiary in their own series', async () => {
    const names = namesOf('SV')
    expect(names.length).toBe(60)
    for (const [index, name] of names.entries()) expect(await nameOf('SV', String(50_000 + index))).toBe(name)
  })

  it('tells how far it is, up to the end', () => {
    expect(reports.at(0)).toEqual([500, lines.length])
    expect(reports.at(-1)).toEqual([lines.length, lines.length])
  })
})

interface Managed {
  readonly employeeId: string
  readonly manager: { readonly employeeId: string }
}

const OWN = ['suppliers', 'employees', 'exchange-rates', 'purchase-requests', 'grid-views']

describe('records of the documents that the demo declares', () => {
  const read = async (url: string) => {
    const { status, json } = await world.send({ as: 'demo', url })
    expect([url, status]).toEqual([url, 200])
    return json
  }

  it.each(OWN)('has each line of %s, as it is written', async (name) => {
    for (const companyId of ['EN', 'SV']) {
      const expected = readDemoRecords(name).filter((line) => line.companyId === companyId)
      const select = '*,contactPoints,relatedValues,bankAccounts'
      const some = name === 'suppliers' ? `&select=${select}` : ''
      const found = await read(`/v1/objects/${name}?companyId=${companyId}${some}`)
      expect(found).toHaveLength(expected.length)
      for (const line of expected) expect(found).toContainEqual(containing(line))
    }
  })

  it('follows suppliers to their owners, and employees to the chief', async () => {
    const [owned] = await read("/v1/objects/suppliers?filter=supplierId eq '20017'&select=parent(supplierName)")
    expect(owned).toEqual({ parent: { supplierName: 'Fjordblikk Pumps AS' } })
    const people = (await read('/v1/objects/employees?select=employeeId,manager(employeeId)')) as Managed[]
    const managers = new Map(people.map(({ employeeId, manager }) => [employeeId, manager.employeeId]))
    const chiefOf = (id: string): string => (managers.get(id) ? chiefOf(managers.get(id) ?? '') : id)
    expect([...new Set([...managers.keys()].map(chiefOf))]).toEqual(['10072'])
    expect(await read("/v1/objects/employees?filter=managerId eq ''&select=position")).toEqual([
      { position: 'Chief executive officer' },
    ])
  })

  it('makes values of the suppliers', async () => {
    expect(await read('/v1/attribute-values/A6/20008/0')).toMatchObject({
      description: 'Fjordblikk Pumps AS',
      status: 'N',
    })
    expect(await read('/v1/attribute-values/A6/20800/0')).toMatchObject({ status: 'C' })
  })

  it('tells how far it is, up to the end', () => {
    const total = OWN.flatMap((name) => readDemoRecords(name)).length
    expect(ownReports.at(0)).toEqual([212, total])
    expect(ownReports.at(-1)).toEqual([total, total])
  })
})

describe('contracts, purchase orders and invoices of the demo', () => {
  const read = async (url: string) => (await world.send({ as: 'demo', url })).json

  it('are those that the ledger tells of', async () => {
    const invoices = await read('/v1/objects/supplier-invoices?limit=1000')
    expect(invoices).toHaveLength(800)
    const orders = await read('/v1/objects/purchase-orders?select=*,lines(*)&limit=1000')
    expect(orders.length).toBeGreaterThan(500)
    const [order] = orders.filter(({ status }: { status: string }) => status === 'I')
    const [invoice] = invoices.filter(({ orderNo }: { orderNo: string }) => orderNo === order.orderNo)
    const lines = await read(
      `/v1/objects/general-ledger-transactions?posted=true&historical=true&registered=true&filter=transactionNumber eq ${invoice.voucherNo}&select=description,amounts(amount,currencyAmount)`,
    )
    const total = order.lines.reduce((sum: number, line: { quantity: number; price: number }) => {
      return sum + Math.round(line.quantity * line.price * 100)
    }, 0)
    const items = lines.filter(({ description }: { description: string }) =>
      description.endsWith(`order ${order.orderNo}`),
    )
    expect(
      items.reduce((sum: number, { amounts }: { amounts: { currencyAmount: number } }) => {
        return sum + Math.round(amounts.currencyAmount * 100)
      }, 0),
    ).toBe(total)
    expect(lines.at(-1).amounts.currencyAmount).toBe(-invoice.amount)
  })

  it('give the next order a number behind theirs', async () => {
    const line = { lineNo: 10, itemId: 'PC-032', quantity: 2, price: 9800 }
    const body = { supplierId: '20008', orderDate: '2026-11-30', currencyCode: 'NOK', lines: [line] }
    const created = await world.send({ as: 'demo', method: 'POST', url: '/v1/purchase-orders', body })
    expect([created.status, created.json.orderNo, created.json.lines.length]).toEqual([201, '70012', 1])
  })
})

it('makes no record of the demo a second time', async () => {
  const written = () => world.query('select company_id, last_entry from journal_counter order by company_id')
  const before = await written()
  const { service } = world.application
  await loadCustomers(service, () => expect.unreachable())
  await loadOwnRecords(service, () => expect.unreachable())
  await loadPurchases(
    service,
    new PurchaseLedger(),
    () => attributeValues,
    TRANSACTIONS,
    () => expect.unreachable(),
  )
  expect(await written()).toEqual(before)
})

it('has data that agree with each other and with the setup', () => {
  const { status, stdout } = spawnSync(process.execPath, ['examples/demo/check.mjs'], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\neverything resolves\n$/)])
})

/** A matcher of a record that has at least the members of a line; days are moments there. */
function containing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(containing)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return expect.stringMatching(`^${value}T00:00`)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, containing(member)])
  return expect.objectContaining(Object.fromEntries(members))
}
