import { statSync } from 'node:fs'
import { Command, CommanderError, Option } from 'commander'
import { Caller } from '../access/caller.ts'
import { openRecords, type Records } from '../app.ts'
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
import { counted, withProgress } from './progress.ts'
import { type StoreSettings, setting, storeOptions, storeSettings } from './settings.ts'

interface ImportSettings extends StoreSettings {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson'
  readonly again?: boolean
  readonly update?: boolean
}

/** `import DOCUMENT FILE`: good rows are kept, the others written beside the file with what is wrong with them. */
export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'load records from a CSV or NDJSON file, checked row by row; the service must not be running on SQLite',
    )
    .argument('<document>', 'such as general-ledger-transactions, customers or a document of the setup')
    .argument('<file>', 'CSV with a line of names first, or a JSON object a line')
    .addOption(setting('--company <id>', 'company to import into; may be left out when there is one'))
    .addOption(formatOption())
    .addOption(new Option('--update', 'change customers that exist already instead of rejecting them'))
    .addOption(new Option('--again', 'import a file again that was imported already'))
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium import general-ledger-transactions ledger.csv --company EN\n  tabularium import customers shop.ndjson --company EN --update',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(runImport)
}

export function formatOption(): Option {
  return new Option('--format <format>', 'default: as the name of the file ends').choices(['csv', 'ndjson'])
}

/** As a bad argument is told: exit code 2. */
export function badUsage(message: string): CommanderError {
  return new CommanderError(2, 'tabularium.usage', message)
}

async function runImport(document: string, file: string, settings: ImportSettings): Promise<void> {
  const size = sizeOf(file)
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
    const source = hashOfFile(file)
    const { store } = records.service
    const actor = { userId: 'import', clientId: '', requestId: '' }
    const destination = { store, companyId: company.id, document, source, actor }
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

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw badUsage(`argument 'file': there is no file ${file}`)
  if (!found.isFile()) throw badUsage(`argument 'file': ${file} is not a file`)
  return found.size
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
    `${counted(written)} rows imported, ${kept}${counted(rejected)} rejected${seen}, ${rate} rows/s\n`,
  )
  if (rejected > 0) process.exitCode = 1
}

/** The company that is named, or the only one. */
export function requireCompany({ service }: Records, id: string | undefined): CompanyRules {
  const company = id === undefined ? service.companies.only : service.companies.find(id)
  if (company) return company
  throw badUsage(
    id === undefined
      ? "option '--company': there are several companies, name one"
      : `option '--company': there is no company ${id}`,
  )
}

/** Part of the setup. */
const SET_UP = new Set(['attributes', 'companies', 'value-list'])

function importerOf(records: Records, company: CompanyRules, destination: Destination, isUpdate: boolean): Importer {
  const { document } = destination
  const definition = records.findDocument(document)?.of(company)
  if (!definition) throw badUsage(`argument 'document': there is no document ${document}`)
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
