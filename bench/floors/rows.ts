// The records as rows of the floors' tables. Absent texts are '', as in the responses of the interface.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type customerRecord, customers } from '../records/customers.ts'
import { documents } from '../records/documents.ts'
import { type LedgerLine, ledgerLines } from '../records/ledger.ts'
import type { Scale } from '../records/scale.ts'
import { baseValues, costCentres, projects, type ValueRecord } from '../records/values.ts'

export type Cell = string | number
export type Row = readonly Cell[]
type Table = readonly [table: string, rows: Iterable<Row>]

const SEEDED_AT = '2026-01-01T00:00:00.000'
const OPEN_FROM = '1900-01-01T00:00:00.000'
const OPEN_TO = '2099-12-31T00:00:00.000'
const LAST_PERIOD = 209_912
/** The time and the user of the last change. */
type Changed = readonly [string, string]
const IMPORTED: Changed = [SEEDED_AT, 'import']

interface Company {
  readonly attributes: readonly { id: string; name: string; owner?: { attributeId: string } }[]
  readonly relations: readonly { id: string; name: string; group: string; relatedAttributeId: string }[]
  readonly attributeValues: Record<string, Record<string, string>>
  readonly valueLists: Record<string, Record<string, string>>
}

const setup = parse(readFileSync(new URL('../company.yaml', import.meta.url), 'utf8')) as { companies: Company[] }
const [company] = setup.companies as [Company]
const RELATED: ReadonlyMap<string, string> = new Map(company.relations.map((one) => [one.id, one.relatedAttributeId]))

/** All tables with their rows. */
export function* tables(scale: Scale): Generator<Table> {
  yield ['attribute', company.attributes.map(({ id, name, owner }) => [id, name, owner?.attributeId ?? ''])]
  yield ['value_list', pairsOf(company.valueLists)]
  yield ['relation', company.relations.map((one) => [one.id, one.name, one.group, one.relatedAttributeId])]
  const setUp = pairsOf(company.attributeValues).map(([attributeId = '', attributeValue = '', description = '']) => ({
    attributeId,
    attributeValue,
    description,
  }))
  for (const values of [setUp, baseValues(), costCentres()])
    yield ['attribute_value', mapped(values, (value) => valueRow(value))]
  yield ['attribute_value', mapped(projects(scale.values), (value) => valueRow(value))]
  yield [
    'related_value',
    relatedRows(projects(scale.values), ({ attributeId, attributeValue }) => [attributeId, attributeValue]),
  ]
  yield ['customer', mapped(customers(scale.customers), (customer) => customerRow(customer))]
  yield ['attribute_value', mapped(customers(scale.customers), (customer) => customerValueRow(customer))]
  yield ['related_value', relatedRows(customers(scale.customers), ({ customerId }) => ['A4', customerId])]
  yield ['ledger', mapped(ledgerLines(scale), ledgerRow)]
  const archived = [...documents(scale)].map((one) => ({ ...one, id: randomUUID() }))
  yield ['document', archived.map((one) => documentRow(one.id, one, one.content.length, ''))]
  yield ['document_index', archived.flatMap(({ id, indexes }) => indexes.map((value, at) => [id, at + 1, value]))]
}

function* mapped<Item>(items: Iterable<Item>, rowOf: (item: Item) => Row): Generator<Row> {
  for (const item of items) yield rowOf(item)
}

function pairsOf(lists: Record<string, Record<string, string>>): string[][] {
  return Object.entries(lists).flatMap(([name, codes]) =>
    Object.entries(codes).map(([code, text]) => [name, code, text]),
  )
}

export function valueRow(record: ValueRecord, changed = IMPORTED): Row {
  const { attributeId, attributeValue, description, owner = '', customValue = 0 } = record
  return [attributeId, attributeValue, 0, LAST_PERIOD, description, owner, 'N', customValue, '[]', ...changed]
}

type CustomerRecord = ReturnType<typeof customerRecord>

/** Each customer is a value of an attribute too. */
export function customerValueRow({ customerId, customerName }: CustomerRecord, changed = IMPORTED): Row {
  return valueRow({ attributeId: 'A4', attributeValue: customerId, description: customerName }, changed)
}

interface Related {
  readonly relatedValues?: readonly { readonly relationId: string; readonly relatedValue: string }[]
}

function* relatedRows<Record extends Related>(
  records: Iterable<Record>,
  keyOf: (record: Record) => readonly [string, string],
): Generator<Row> {
  for (const record of records) yield* relatedRowsOf(record, keyOf(record))
}

export function relatedRowsOf(record: Related, key: readonly [string, string], changed = IMPORTED): Row[] {
  return (record.relatedValues ?? []).map(({ relationId, relatedValue }) => {
    const related = RELATED.get(relationId) ?? ''
    return [...key, relationId, related, relatedValue, 0, 0, OPEN_FROM, OPEN_TO, ...changed]
  })
}

export function customerRow(record: CustomerRecord, changed = IMPORTED): Row {
  const { invoice, payment } = record
  const head = [record.customerId, record.customerName, record.aliasName, record.companyRegistrationNumber]
  const codes = [record.countryCode, record.customerGroupId, record.externalReference]
  const money = [invoice.creditLimit, 0, 0, 0, 0, 0, invoice.currencyCode, '', invoice.paymentTermsId]
  const points = JSON.stringify(record.contactPoints.map(wholeContactPoint))
  return [...head, ...codes, ...money, payment.bankAccount, '', '', '', OPEN_TO, 'N', points, ...changed]
}

const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))
const EMPTY_INFO = text('contactPerson', 'contactPosition', 'eMail', 'eMailCc', 'gtin', 'url')
const EMPTY_ADDRESS = text('countryCode', 'place', 'postcode', 'province', 'streetAddress')
const EMPTY_PHONES = text(...[1, 2, 3, 4, 5, 6, 7].map((no) => `telephone${no}`))

function wholeContactPoint(point: CustomerRecord['contactPoints'][number]): unknown {
  return {
    additionalContactInfo: { ...EMPTY_INFO, ...point.additionalContactInfo },
    address: { ...EMPTY_ADDRESS, ...point.address },
    contactPointType: point.contactPointType,
    phoneNumbers: { ...EMPTY_PHONES, ...point.phoneNumbers },
    sortOrder: 0,
  }
}

function ledgerRow(line: LedgerLine): Row {
  const [number, sequence, state, ...rest] = line as Cell[]
  const [type, date, period, description, reference, customer, ...coding] = rest as Cell[]
  const [account, id1, value1, id2, value2, amount, currency] = coding as Cell[]
  const head = [number, sequence, state, 'N', type, date, period, description, reference, customer]
  const money = [amount, amount, currency, Number(amount) < 0 ? -1 : 1]
  return [...head, account, id1, value1, id2, value2, ...money, ...IMPORTED] as Row
}

interface ArchivedDocument {
  readonly docType: string
  readonly title: string
  readonly fileName: string
}

export function documentRow(
  id: string,
  { docType, title, fileName }: ArchivedDocument,
  size: number,
  hash: string,
): Row {
  return [id, docType, title, '', fileName, 'application/octet-stream', size, 1, 'N', OPEN_TO, hash, ...IMPORTED]
}
