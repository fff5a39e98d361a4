import { Command, InvalidArgumentError, Option } from 'commander'
import { openRecords } from '../app.ts'
import { Problem } from '../errors/problem.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { STATES } from '../objects/ledger-states.ts'
import { createLogger } from '../observe/logger.ts'
import { type Plan, planCollection } from '../query/plan.ts'
import { QueryError } from '../query/query-error.ts'
import { answerCollection, countCollection } from '../store/collection.ts'
import type { Scope, Store } from '../store/store.ts'
import { writeAnswer } from '../transfer/export-file.ts'
import { badUsage, formatOption, requireCompany } from './import.ts'
import { isShown, withProgress } from './progress.ts'
import { type StoreSettings, setting, storeOptions, storeSettings } from './settings.ts'

interface ExportSettings extends StoreSettings {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson'
  readonly filter?: string
  readonly select?: string
  readonly state?: readonly string[]
}

const LEDGER = 'general-ledger-transactions'

/** `export DOCUMENT [FILE]`: what a filter leaves, in key order, from one snapshot. */
export function exportCommand(): Command {
  const command = new Command('export')
    .description('write records as CSV or NDJSON; the service must not be running on SQLite')
    .argument('<document>', 'such as attribute-values or a document of the setup')
    .argument('[file]', 'default: standard output')
    .addOption(setting('--company <id>', 'company to export; may be left out when there is one'))
    .addOption(new Option('--filter <filter>', 'which records, in the language of the object endpoints'))
    .addOption(new Option('--select <properties>', 'which properties; lists and associations when named'))
    .addOption(new Option('--state <states>', `of the ledger: ${STATES.join(',')}; default: all`).argParser(statesIn))
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
    if (settings.state && document !== LEDGER) throw badUsage("option '--state': only the ledger has states")
    const plan = planOf(definition, settings)
    const format = settings.format ?? (/\.csv$/i.test(file ?? '') ? 'csv' : 'ndjson')
    const scope = scopeOf(definition, company.id, settings.state ?? STATES)
    const wish = { companyId: company.id, plan, scope, language: company.language, format, cap: undefined }
    const { store } = records.service
    const { body } = await answerCollection(store, wish)
    const total = isShown() ? await countOrNothing(store, wish) : 0
    await withProgress(`exporting ${document}`, total, (progress) => writeAnswer(body, file, progress))
  } finally {
    await records.close()
  }
}

/** For the bar alone, which is left out when counting takes too long. */
async function countOrNothing(store: Store, { companyId, plan, scope }: Wish): Promise<number> {
  try {
    return await countCollection(store, { companyId, plan, scope })
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}

type Wish = Parameters<typeof answerCollection>[1]

function planOf(definition: DocumentDefinition, { filter, select }: ExportSettings): Plan {
  try {
    return planCollection(definition, { filter, select, orderBy: undefined, offset: 0, limit: undefined })
  } catch (error) {
    if (error instanceof QueryError) throw badUsage(`option '--${error.option}': ${error.message}`)
    throw error
  }
}

function statesIn(text: string): readonly string[] {
  const states = text.split(',')
  if (states.every((state) => (STATES as readonly string[]).includes(state))) return states
  throw new InvalidArgumentError(`It must be some of ${STATES.join(',')}.`)
}

/** Of the value lists, what is written in each language; of the archive, what is not deleted. */
function scopeOf({ name, companyColumn }: DocumentDefinition, companyId: string, states: readonly string[]): Scope {
  const company = [companyColumn, companyId] as const
  if (name === LEDGER) return [company, ['state', states]]
  if (name === 'document-archive') return [company, ['is_deleted', 0]]
  return name === 'value-list' ? [company, ['is_fallback', 0]] : [company]
}
