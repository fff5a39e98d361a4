import { Command, Option } from 'commander'
import { openRecords } from '../app.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { STATES } from '../objects/ledger-states.ts'
import { createLogger } from '../observe/logger.ts'
import { type Plan, planCollection } from '../query/plan.ts'
import { answerCollection } from '../store/collection.ts'
import type { Scope } from '../store/store.ts'
import { writeAnswer } from '../transfer/export-file.ts'
import { badUsage, formatOption, requireCompany } from './import.ts'
import { startProgress } from './progress.ts'
import { type StoreSettings, setting, storeOptions, storeSettings } from './settings.ts'

interface ExportSettings extends StoreSettings {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson'
  readonly filter?: string
  readonly select?: string
}

/** `export DOCUMENT [FILE]`: what a filter leaves, in key order, from one snapshot. */
export function exportCommand(): Command {
  const command = new Command('export')
    .description('write records as CSV or NDJSON; the service must not be running on SQLite')
    .argument('<document>', 'such as attribute-values or a document of the setup')
    .argument('[file]', 'default: standard output')
    .addOption(setting('--company <id>', 'company to export; may be left out when there is one'))
    .addOption(new Option('--filter <filter>', 'which records, in the language of the object endpoints'))
    .addOption(new Option('--select <properties>', 'which properties; lists and associations when named'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      `\nExamples:\n  tabularium export general-ledger-transactions ledger.csv --company EN --filter "period eq 202601"\n  tabularium export customers --company EN --select customerId,customerName > customers.ndjson`,
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(runExport)
}

async function runExport(document: string, file: string | undefined, settings: ExportSettings): Promise<void> {
  const observe = createLogger('warn')
  const records = await openRecords({ ...storeOptions(settings), observe, onFatal: () => process.exit(70) })
  try {
    const company = requireCompany(records, settings.company)
    const definition = records.findDocument(document)?.of(company)
    if (!definition) throw badUsage(`argument 'document': there is no document ${document}`)
    const plan = planOf(definition, settings)
    const format = settings.format ?? (/\.csv$/i.test(file ?? '') ? 'csv' : 'ndjson')
    const wish = { companyId: company.id, plan, scope: scopeOf(definition, company.id), language: company.language }
    const { body } = await answerCollection(records.service.store, { ...wish, format, cap: undefined })
    const progress = startProgress(`exporting ${document}`, 0)
    await writeAnswer(body, file, (bytes) => progress.at(bytes))
    progress.end()
  } finally {
    await records.close()
  }
}

function planOf(definition: DocumentDefinition, { filter, select }: ExportSettings): Plan {
  return planCollection(definition, { filter, select, orderBy: undefined, offset: 0, limit: undefined })
}

/** All states of the ledger, and of the value lists what is written in each language. */
function scopeOf({ name, companyColumn }: DocumentDefinition, companyId: string): Scope {
  const company = [companyColumn, companyId] as const
  if (name === 'general-ledger-transactions') return [company, ['state', STATES]]
  return name === 'value-list' ? [company, ['is_fallback', 0]] : [company]
}
