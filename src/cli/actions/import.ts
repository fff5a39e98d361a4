import { Caller } from '../../access/caller.ts'
import { openRecords, type Records } from '../../app/open-records.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { createLogger } from '../../observe/logger.ts'
import { createAttributeRelation } from '../../records/attribute-relations/create-relation.ts'
import { attributeValueBatches } from '../../records/attribute-values/create-attribute-values.ts'
import { customerBatches } from '../../records/customers/create-customers.ts'
import { upsertCustomer } from '../../records/customers/upsert-customer.ts'
import { customTableName } from '../../setup/rules/custom-document.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { findProgress } from '../../store/service-state/import-store.ts'
import { batchImporter } from '../../transfer/batch-importer.ts'
import { hashOfFile, type ImportReport, importFile } from '../../transfer/import-file.ts'
import {
  type Destination,
  type Importer,
  type ImportRecord,
  recordImporter,
  tableImporter,
} from '../../transfer/importer.ts'
import { completeLedgerRow } from '../../transfer/ledger-rules.ts'
import { badUsage, requireFile } from '../bad-usage.ts'
import type { ImportSettings } from '../commands/import.ts'
import { FATAL_EXIT_CODE } from '../exit-codes.ts'
import { requireCompany, requireDocument } from '../find-records.ts'
import { formatCount, formatCountOf, withProgress } from '../progress.ts'
import { storeOptions } from '../settings.ts'

/** Imports the valid rows, and writes the others with their problems to a file next to the input. */
export async function runImport(document: string, file: string, settings: ImportSettings): Promise<void> {
  const size = requireFile("argument 'file'", file)
  const format = settings.format ?? (/\.csv$/i.test(file) ? 'csv' : 'ndjson')
  const observe = createLogger('warn')
  await using records = await openRecords({
    ...storeOptions(settings),
    isBulk: true,
    observe,
    onFatal: () => process.exit(FATAL_EXIT_CODE),
  })
  const company = requireCompany(records, settings.company)
  const source = await hashOfFile(file)
  const { store } = records.service
  const actor = { userId: 'import', clientId: '', requestId: '' }
  const destination = { store, companyId: company.id, company, document, source, actor }
  const importer = importerOf(records, company, destination, settings.update === true)
  const doneUpTo = settings.again ? 0 : await findProgress(store.reading(company.id), document, source)
  if (doneUpTo > 0) process.stderr.write(`going on after line ${formatCount(doneUpTo)}\n`)
  const startedAt = performance.now()
  const rejects = `${file}.rejects.csv`
  const report = await withProgress(`importing ${document}`, size, (progress) =>
    importFile({ file, format, importer, doneUpTo, rejects, progress }),
  )
  printReport(report, rejects, performance.now() - startedAt)
}

function printReport(report: ImportReport, rejects: string, ms: number): void {
  const { written, unchanged, rejected, resumedAfter } = report
  if (written + unchanged + rejected === 0 && resumedAfter > 0) {
    process.stdout.write('0 rows imported: the file was imported already (--again does it once more)\n')
    return
  }
  const rate = formatCount(Math.round((written + unchanged) / Math.max(ms / 1000, 0.001)))
  const unchangedText = unchanged === 0 ? '' : `${formatCount(unchanged)} unchanged, `
  const rejectsText = rejected === 0 ? '' : ` (see ${rejects})`
  process.stdout.write(
    `${formatCountOf(written, 'row')} imported, ${unchangedText}${formatCount(rejected)} rejected${rejectsText}, ${rate} rows/s\n`,
  )
  if (rejected > 0) process.exitCode = 1
}

/** Documents whose records come from the setup file. */
const SETUP_DOCUMENTS = new Set(['attributes', 'companies', 'value-list'])

function importerOf(records: Records, company: CompanyRules, destination: Destination, isUpdate: boolean): Importer {
  const { document } = destination
  const definition = requireDocument(records, document, company)
  if (SETUP_DOCUMENTS.has(document)) throw badUsage(`argument 'document': ${document} are set up, not imported`)
  if (isUpdate && document !== 'customers') throw badUsage("option '--update': only customers can be updated")
  // A caller without roles has no restrictions: all records are visible.
  const caller = new Caller({ id: 'import', defaultCompany: company.id }, '', new Map())
  const perRecord = (importRecord: ImportRecord) => recordImporter(destination, definition, caller, importRecord)
  if (isUpdate) return perRecord((request) => upsertCustomer(records.service, request))
  switch (document) {
    case 'attribute-values':
      return batchImporter(destination, definition, attributeValueBatches(caller, company))
    case 'attribute-relations':
      return perRecord(async (request) => {
        await createAttributeRelation(records.service, request)
        return 'written'
      })
    case 'customers':
      return batchImporter(destination, definition, customerBatches(caller, company))
    case 'general-ledger-transactions':
      return tableImporter(destination, definition, completeLedgerRow)
  }
  requireCustomTable(definition)
  return tableImporter(destination, definition, () => [])
}

function requireCustomTable({ name, table }: DocumentDefinition): void {
  if (table !== customTableName({ name })) throw badUsage(`argument 'document': ${name} is only read, from ${table}`)
}
