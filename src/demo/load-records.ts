import { createReadStream } from 'node:fs'
import type { Application } from '../app/application.ts'
import { unitsOf } from '../base/numbers/decimal.ts'
import type { JsonObject } from '../base/strict-json.ts'
import type { ReportProgress } from '../databases/driver.ts'
import { Document } from '../model/records/document.ts'
import { ledgerDocument } from '../objects/general-ledger-transactions.ts'
import { createDocument } from '../records/documents/document/create-document.ts'
import { createRevision } from '../records/documents/document/create-revision.ts'
import { UPLOAD_FORMAT } from '../records/documents/document.ts'
import { findPage } from '../records/documents/find-page.ts'
import { recordBatches } from '../records/engine/create-records.ts'
import { customerDocument } from '../records/kinds/customer-document.ts'
import { customersOf } from '../records/kinds/customers.ts'
import { declaredKind } from '../records/kinds/declared.ts'
import type { Service } from '../records/shared/service.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { SqlValue } from '../sql/dialect.ts'
import { writeRowsEntry } from '../store/journal/journal.ts'
import { INTERNAL_CALLER } from '../store/store.ts'
import { targetOf } from '../transfer/row-target.ts'
import {
  COMPANY,
  countRecords,
  createRecords,
  DEMO_ACTOR,
  demoCaller,
  hasRecords,
  type RecordLine,
  readDemoRecords,
} from './demo-records.ts'
import { ledgerLines } from './ledger.ts'
import type { DemoCompany, DemoSupplier } from './pools.ts'
import { type PurchaseLedger, purchasesOf } from './purchases.ts'

// Creates the demo customers under the usual rules.

/** Creates the customers unless there are some. Their numbers follow the order of the file. */
export async function loadCustomers(service: Service, progress: ReportProgress): Promise<void> {
  if (await hasRecords(service, customerDocument(undefined))) return
  const rulesOf = (companyId: string) => {
    const company = service.companies.require(companyId)
    return recordBatches(demoCaller(companyId), company, customersOf(company), service.own)
  }
  await createRecords(service, { lines: readDemoRecords('customers'), rulesOf }, progress)
}

// Creates the records of the documents that the demo's setup declares, under the usual rules.

/** The records keep their numbers and states, as those that a company brings from another system. */
const broughtKind = (rules: RecordRules) => ({ ...declaredKind(rules), keepsIds: true })

/** The documents with a file of records, in the order in which they are loaded. */
const LOADED = ['employees', 'suppliers', 'exchange-rates', 'purchase-requests', 'grid-views']

/** Creates the records of each document unless there are some. They stand behind those that they refer to. */
export async function loadOwnRecords(service: Service, progress: ReportProgress): Promise<void> {
  const { companies, own } = service
  const missing = []
  for (const name of LOADED) {
    const rules = own.findRecord('v1', name)
    if (rules && !(await hasRecords(service, rules.record.document)))
      missing.push({ rules, lines: readDemoRecords(name) })
  }
  const total = missing.reduce((sum, { lines }) => sum + lines.length, 0)
  let before = 0
  for (const { rules, lines } of missing) {
    const kind = broughtKind(rules)
    const rulesOf = (companyId: string) => recordBatches(demoCaller(companyId), companies.require(companyId), kind, own)
    await createRecords(service, { lines, rulesOf }, (done) => progress(before + done, total))
    before += lines.length
  }
}

// Adds the demo documents to the archive under the usual rules.

const FILES = new URL('../../examples/demo/documents/', import.meta.url)

/** A line of the file: the body of a document, its file, and its later revisions. */
interface DocumentLine {
  readonly companyId: string
  readonly docType: string
  readonly title: string
  readonly file: string
  readonly revisions: readonly { readonly file: string; readonly fileName: string; readonly comment: string }[]
}

/** Creates the documents that do not exist yet; `progress` is called with the number of processed lines. */
export async function loadDocuments(
  application: Pick<Application, 'service' | 'intake'>,
  progress: ReportProgress,
): Promise<void> {
  const lines = readDemoRecords<DocumentLine & JsonObject>('documents')
  for (const [at, line] of lines.entries()) {
    if (!(await exists(application, line))) await load(application, line)
    progress(at + 1, lines.length)
  }
}

async function exists({ service }: Pick<Application, 'service'>, { companyId, docType, title }: DocumentLine) {
  const filter = { docType, title, indexes: [], id: undefined, search: undefined, archive: Document.document }
  return (await findPage(service.store, companyId, filter, { start: 0, limit: 1 }, INTERNAL_CALLER)).total > 0
}

async function load(
  { service, intake }: Pick<Application, 'service' | 'intake'>,
  { file, revisions, ...body }: DocumentLine & JsonObject,
): Promise<void> {
  const { companyId } = body
  const caller = demoCaller(companyId)
  const request = { caller, companyId, requestId: 'demo' }
  const take = (name: string) => intake.take(createReadStream(new URL(name, FILES)), UPLOAD_FORMAT.maxBytes)
  const created = await createDocument(service, { ...request, body, content: await take(file) })
  await created.content.return()
  const documentId = created.written.document_id
  for (const revision of revisions) {
    const { file: later, ...rest } = revision
    const content = await take(later)
    const revised = await createRevision(service, { ...request, documentId, body: rest, content, ifMatch: undefined })
    await revised.content.return()
  }
}

// Inserts the generated ledger in one transaction, so that an interrupted start leaves no partial ledger.

const BATCH_ROWS = 10_000

/**
 * Inserts `count` transactions unless the company has some already; `progress` is called with the number so far, and
 * `purchases` is told of each.
 */
export async function loadLedger(
  service: Service,
  readValues: () => DemoCompany['attributeValues'],
  count: number,
  progress: ReportProgress,
  purchases?: PurchaseLedger,
): Promise<void> {
  const definition = ledgerDocument(customerDocument(undefined))
  if (await hasRecords(service, definition)) return
  const attributeValues = readValues()
  const target = targetOf(definition)
  const suppliers = readDemoRecords<DemoSupplier>('suppliers').filter(({ companyId }) => companyId === COMPANY)
  await service.store.write(COMPANY, DEMO_ACTOR, async (tx) => {
    let rows: SqlValue[][] = []
    let done = 0
    const insertRows = async () => {
      const batch = done === 0 ? tx : tx.nextEntry()
      await batch.insertRows(target, rows)
      writeRowsEntry(batch, definition.name, ['demo', done + 1], rows.length)
      done += rows.length
      rows = []
      progress(done, count)
    }
    for (const line of ledgerLines(count, { attributeValues, suppliers })) {
      purchases?.take(line)
      const row: Readonly<Record<string, SqlValue>> = line
      rows.push(
        target.columns.map(({ name, type, scale = 0 }) => {
          const value = row[name]!
          return type === 'decimal' ? (unitsOf(value, scale) ?? 0) : value
        }),
      )
      if (rows.length === BATCH_ROWS) await insertRows()
    }
    if (rows.length > 0) await insertRows()
  })
}

// Creates the contracts, purchase orders and invoices of suppliers that the ledger tells of.

/**
 * Creates them unless the company has orders already. A ledger of so many transactions that was there before is made
 * again, to be read; of another one nothing is known.
 */
export async function loadPurchases(
  service: Service,
  ledger: PurchaseLedger,
  readValues: () => DemoCompany['attributeValues'],
  count: number,
  progress: ReportProgress,
): Promise<void> {
  const { companies, own } = service
  const orders = own.findRecord('v1', 'purchase-orders')
  if (!orders || (await hasRecords(service, orders.record.document))) return
  const suppliers = readDemoRecords<DemoSupplier>('suppliers').filter(({ companyId }) => companyId === COMPANY)
  if (ledger.isEmpty) {
    if ((await countRecords(service, ledgerDocument(customerDocument(undefined)))) !== count) return
    for (const line of ledgerLines(count, { attributeValues: readValues(), suppliers })) ledger.take(line)
  }
  const made = purchasesOf(ledger, suppliers)
  const all = [
    ['contracts', made.contracts],
    ['purchase-orders', made.orders],
    ['supplier-invoices', made.invoices],
  ] as const
  const total = all.reduce((sum, [, lines]) => sum + lines.length, 0)
  let before = 0
  for (const [name, records] of all) {
    const rules = own.findRecord('v1', name)
    if (!rules) continue
    const kind = broughtKind(rules)
    const rulesOf = (companyId: string) => recordBatches(demoCaller(companyId), companies.require(companyId), kind, own)
    const lines = records as unknown as readonly RecordLine[]
    await createRecords(service, { lines, rulesOf }, (done) => progress(before + done, total))
    before += lines.length
  }
}
