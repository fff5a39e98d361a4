import { Caller } from '../access/caller.ts'
import { openRecords, type Records } from '../app/open-records.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { createLogger } from '../observe/logger.ts'
import { createAttributeRelation } from '../records/attribute-relations/create-relation.ts'
import { attributeValueBatches } from '../records/attribute-values/create-attribute-values.ts'
import { bringCustomer } from '../records/customers/bring-customer.ts'
import { customerBatches } from '../records/customers/create-customers.ts'
import { ownTableName } from '../setup/own-document.ts'
import type { CompanyRules } from '../setup/rules.ts'
import { findProgress } from '../store/import-store.ts'
import { batchImporter } from '../transfer/batch-importer.ts'
import { hashOfFile, type ImportReport, importFile } from '../transfer/import-file.ts'
import {
  type Destination,
  type Importer,
  recordImporter,
  type TakeRecord,
  tableImporter,
} from '../transfer/importer.ts'
import { completeLedgerRow } from '../transfer/ledger-rules.ts'
import { badUsage, requireFile } from './bad-usage.ts'
import type { ImportSettings } from './commands/import.ts'
import { requireCompany, requireDocument } from './find-records.ts'
import { counted, countedOf, withProgress } from './progress.ts'
import { storeOptions } from './settings.ts'

/** Keeps good rows, and writes the others beside the file with what is wrong with them. */
export async function runImport(document: string, file: string, settings: ImportSettings): Promise<void> {
  const size = requireFile("argument 'file'", file)
  const format = settings.format ?? (/\.csv$/i.test(file) ? 'csv' : 'ndjson')
  const observe = createLogger('warn')
  const records = await openRecords({
    ...storeOptions(settings),
    isBulk: true,
    observe,
    onFatal: () => process.exit(70),
  })
  try {
    const company = requireCompany(records, settings.company)
    const source = await hashOfFile(file)
    const { store } = records.service
    const actor = { userId: 'import', clientId: '', requestId: '' }
    const destination = { store, companyId: company.id, company, document, source, actor }
    const importer = importerOf(records, company, destination, settings.update === true)
    const doneUpTo = settings.again ? 0 : await findProgress(store.reading(company.id), document, source)
    if (doneUpTo > 0) process.stderr.write(`going on after line ${counted(doneUpTo)}\n`)
    const begun = performance.now()
    const rejects = `${file}.rejects.csv`
    const report = await withProgress(`importing ${document}`, size, (progress) =>
      importFile({ file, format, importer, doneUpTo, rejects, progress }),
    )
    tell(report, rejects, performance.now() - begun)
  } finally {
    await records.close()
  }
}

function tell(report: ImportReport, rejects: string, ms: number): void {
  const { written, unchanged, rejected, resumedAfter } = report
  if (written + unchanged + rejected === 0 && resumedAfter > 0) {
    process.stdout.write('0 rows imported: the file was imported already (--again does it once more)\n')
    return
  }
  const rate = counted(Math.round((written + unchanged) / Math.max(ms / 1000, 0.001)))
  const kept = unchanged === 0 ? '' : `${counted(unchanged)} unchanged, `
  const seen = rejected === 0 ? '' : ` (see ${rejects})`
  process.stdout.write(
    `${countedOf(written, 'row')} imported, ${kept}${counted(rejected)} rejected${seen}, ${rate} rows/s\n`,
  )
  if (rejected > 0) process.exitCode = 1
}

/** Part of the setup. */
const SET_UP = new Set(['attributes', 'companies', 'value-list'])

function importerOf(records: Records, company: CompanyRules, destination: Destination, isUpdate: boolean): Importer {
  const { document } = destination
  const definition = requireDocument(records, document, company)
  if (SET_UP.has(document)) throw badUsage(`argument 'document': ${document} are set up, not imported`)
  if (isUpdate && document !== 'customers') throw badUsage("option '--update': only customers can be updated")
  // Without roles, and so without rules: all records are seen.
  const caller = new Caller({ id: 'import', defaultCompany: company.id }, '', new Map())
  const oneByOne = (take: TakeRecord) => recordImporter(destination, definition, caller, take)
  if (isUpdate) return oneByOne((request) => bringCustomer(records.service, request))
  switch (document) {
    case 'attribute-values':
      return batchImporter(destination, definition, attributeValueBatches(caller, company))
    case 'attribute-relations':
      return oneByOne(async (request) => {
        await createAttributeRelation(records.service, request)
        return 'written'
      })
    case 'customers':
      return batchImporter(destination, definition, customerBatches(caller, company))
    case 'general-ledger-transactions':
      return tableImporter(destination, definition, completeLedgerRow)
  }
  requireOwn(definition)
  return tableImporter(destination, definition, () => [])
}

function requireOwn({ name, table }: DocumentDefinition): void {
  if (table !== ownTableName({ name })) throw badUsage(`argument 'document': ${name} is only read, from ${table}`)
}
