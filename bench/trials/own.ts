// Documents of a setup beside customers: suppliers declared with the same fields and indexes, on the same service.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_SECRET, startService, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import type { Figure } from '../figure.ts'
import { type Measured, measure } from '../measure.ts'
import { SETUP } from '../place.ts'
import { QUESTIONS } from '../questions/all.ts'
import { medianOf } from '../ratios.ts'
import { customers } from '../records/customers.ts'
import { importFile, json } from '../seed/import-records.ts'
import { copyService, type Seed } from '../seed/seed.ts'
import type { Settings } from '../settings.ts'
import { reading, type Sent, type Workload } from '../workloads/workload.ts'
import { writes } from '../workloads/writes.ts'

export const OWN = 'own:'

const RELATION = 'LEGALID'
const OWN_RELATION = 'LEGALSUP'

const DECLARED = `
documents:
  - name: suppliers
    key: [companyId, supplierId]
    attributeId: A6
    relations: true
    contactPoints: true
    state: { property: payment/status, closed: C }
    properties:
      companyId: { type: string }
      supplierId: { type: string, maxLength: 25 }
      supplierName: { type: string, maxLength: 255, required: true }
      aliasName: { type: string, maxLength: 255 }
      companyRegistrationNumber: { type: string, maxLength: 25 }
      countryCode: { type: string, maxLength: 25, required: true, legalValues: { valueList: COUNTRY } }
      supplierGroupId: { type: string, maxLength: 25, required: true, legalValues: { attributeId: CG } }
      externalReference: { type: string, maxLength: 100 }
      invoice:
        group:
          calculatePayDiscountOnTax: { type: boolean }
          checkCreditOnHeadOffice: { type: boolean }
          creditLimit: { type: decimal, scale: 4 }
          currencyCode: { type: string, maxLength: 25, legalValues: { valueList: CURRENCY } }
          hasFixedCurrency: { type: boolean }
          hasFixedPaymentTerms: { type: boolean }
          hasFixedTaxSystem: { type: boolean }
          languageCode: { type: string, maxLength: 25 }
          paymentTermsId: { type: string, maxLength: 25, legalValues: { attributeId: PT } }
      payment:
        group:
          bankAccount: { type: string, maxLength: 35 }
          debtCollectionCode: { type: string, maxLength: 25 }
          payMethod: { type: string, maxLength: 25 }
          postalAccount: { type: string, maxLength: 35 }
          status: { type: string, default: N, legalValues: { valueList: STATUS } }
          expiryDate: { type: date-time, default: "2099-12-31" }
    indexes:
      - [countryCode]
      - [countryCode, supplierName]
      - [supplierGroupId, countryCode]
      - [supplierName]
      - [aliasName]
      - [companyRegistrationNumber]
      - [externalReference]
`

/** The setup of the benchmark with suppliers. */
function setupText(): string {
  const attribute = '      - { id: A6, name: SUPPLIER, description: Supplier, contactPoints: true }\n'
  const relation = `      - { id: ${OWN_RELATION}, name: Legal entity, attributeId: A6, relatedAttributeId: LI }\n`
  const operations = '[create, read, update, delete]\n'
  return readFileSync(SETUP, 'utf8')
    .replace('    attributes:\n', (line) => line + attribute)
    .replace('    relations:\n', (line) => line + relation)
    .replace(`      customers: ${operations}`, (line) => `${line}      suppliers: ${operations}`)
    .concat(DECLARED)
}

const asSuppliers = (text: string): string => text.replaceAll('customer', 'supplier').replaceAll(RELATION, OWN_RELATION)

/** The same workload of suppliers. */
function ofSuppliers(workload: Workload): Workload {
  return {
    ...workload,
    next: () => {
      const { service, floor } = workload.next()
      const { path, body } = service
      const sent: Sent = { ...service, path: asSuppliers(path), ...(body ? { body: asSuppliers(String(body)) } : {}) }
      return { service: sent, floor }
    },
  }
}

/** The processor time of each operation on suppliers, relative to that on customers. */
export async function measureOwn(folder: string, seed: Seed, settings: Settings): Promise<Figure[]> {
  mkdirSync(folder)
  const setup = join(folder, 'company.yaml')
  writeFileSync(setup, setupText())
  const data = copyService(seed, join(folder, 'service'))
  await runCommand(['setup', setup, '--data', data], { BENCH_SECRET })
  const records = [...json(customers(seed.scale.customers))].map(asSuppliers)
  await importFile(['--data', data], 'suppliers', records, join(folder, 'suppliers.ndjson'))
  const service = await startService(data, ['--workers', '1', '--setup', setup])
  try {
    const token = await tokenOf(service)
    const figures: Figure[] = []
    for (const workload of workloadsOf(settings)) {
      const rounds: (readonly [own: Measured, customers: Measured])[] = []
      for (let round = 0; round < settings.rounds; round++) {
        const take = (one: Workload) => measure(service, one, token, settings.seconds, settings.warmUpSeconds)
        const beside = await take(workload)
        rounds.push([await take(ofSuppliers(workload)), beside])
      }
      figures.push(figureOf(workload.name, rounds))
    }
    return figures
  } finally {
    await service.stop()
  }
}

const BESIDE = /^(single GET of a customer|customers: (of a group|a range)|(POST|PATCH) of a customer)/

function workloadsOf({ scale }: Settings): Workload[] {
  const questions = QUESTIONS.filter(({ name }) => BESIDE.test(name))
  const writing = writes(scale).filter(({ name }) => BESIDE.test(name))
  return [...questions.map((question) => reading(question, scale)), ...writing]
}

function figureOf(name: string, rounds: readonly (readonly [Measured, Measured])[]): Figure {
  const rates = medianOf(rounds.map(([own, customer]) => own.perSecond / customer.perSecond))
  const micros = rounds.map(
    ([own, customer]) => `${Math.round(own.processorMicros)}/${Math.round(customer.processorMicros)}`,
  )
  return {
    work: `${OWN} ${name}`,
    rounds: rounds.map(([own, customer]) => own.processorMicros / customer.processorMicros),
    unit: 'times',
    beside: `processor time of suppliers by that of customers: ${micros.join(', ')} us; ${rates.toFixed(2)} times the requests`,
  }
}
