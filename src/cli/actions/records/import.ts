import { setTimeout as delay } from 'node:timers/promises'
import { Caller } from '../../../access/caller.ts'
import { livingProcesses } from '../../../app/serving-process.ts'
import { openRecords, type Records } from '../../../app/setup/open-records.ts'
import { readText } from '../../../base/process/read-text.ts'
import type { DocumentDefinition } from '../../../model/document.ts'
import { formatProblem } from '../../../setup/check/read-setup.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { readHeadingMap } from '../../../transfer/heading-map.ts'
import { type ImportReport, importFile, openFile } from '../../../transfer/import-file.ts'
import { importerOf, importRefusal, updateRefusal } from '../../../transfer/importer-of.ts'
import { inspectRows, type RowFormat } from '../../../transfer/inspect-rows.ts'
import { FileProgress } from '../../../transfer/progress.ts'
import type { DayOrder, DecimalSign } from '../../../transfer/rows/cell-forms.ts'
import { describeTable, type GivenForms } from '../../../transfer/rows/csv-table.ts'
import type { SEPARATOR_NAMES } from '../../../transfer/rows/separators.ts'
import type { Encoding } from '../../../transfer/rows/text-form.ts'
import { templateOf } from '../../../transfer/template.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import { formatCount, formatCountOf, withProgress } from '../../terminal/progress.ts'
import { reportsTo } from '../../terminal/reports-to.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { inputFormatOf } from './file-formats.ts'
import { requireCompany, requireDocument } from './find-records.ts'
import { inputFileAt } from './input-file.ts'

/** What the caller says of a file, instead of having it found. */
export interface ReadingFlags {
  readonly separator?: (typeof SEPARATOR_NAMES)[number]
  readonly encoding?: Encoding
  readonly decimal?: DecimalSign
  readonly dates?: DayOrder
}

export interface ImportSettings extends StoreFlags {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson'
  readonly again?: boolean
  readonly update?: boolean
  readonly keepIds?: boolean
  readonly dryRun?: boolean
  readonly template?: boolean
  readonly readWith?: ReadingFlags
  /** A file. */
  readonly map?: string
}

/** A line for each column of a table, of which there are a few hundred. */
const MAX_MAP_BYTES = 1024 * 1024

/** Beside a service, whose writes wait for each of these: as many as take some ten milliseconds. */
const ROWS_BESIDE_SERVICE = 200
/** A service tries every millisecond whether it may write, when the machine lets it run. */
const LEAST_TURN_MS = 3

/** Imports the valid rows, and writes the others with their problems to a file next to the input. */
export async function runImport(
  document: string,
  file: string,
  settings: ImportSettings,
  terminal: Terminal,
): Promise<void> {
  const { path, rejects } = inputFileAt(file)
  const size = requireFile("argument 'file'", path)
  if (settings.map !== undefined && requireFile("option '--map'", settings.map) > MAX_MAP_BYTES) {
    throw badUsage(`option '--map': ${settings.map} is larger than ${formatCount(MAX_MAP_BYTES)} bytes`)
  }
  const format = settings.format ?? inputFormatOf(file)
  requireCsvOptions(format, settings)
  await using records = await openForImport(settings, terminal)
  const company = requireCompany(records, settings.company)
  const definition = requireImportable(records, document, company, settings.update)
  const given = givenForms(definition, settings)
  const { source, text, table } = await inspectRows(() => openFile(path), format, definition.properties, given)
  const { store, companies } = records.service
  const isDryRun = settings.dryRun === true
  const actor = { userId: 'import', clientId: '', requestId: '' }
  const progress = settings.again
    ? FileProgress.anew(document, source)
    : await FileProgress.find(store.reading(company.id), document, source)
  // A caller without roles has no restrictions: all records are visible.
  const caller = new Caller({ id: 'import', defaultCompany: company.id }, '', new Map())
  const target = { store, companyId: company.id, company, setupVersion: companies.setupVersion, document, source }
  const isBesideService = (await livingProcesses(store, settings.database !== undefined)).length > 0
  const pace = isBesideService ? { rowsAtOnce: ROWS_BESIDE_SERVICE } : {}
  let partStartedAt = performance.now()
  // Others have as long as a part took, which is longer where the machine has much to do.
  const onPart = async () => {
    if (!isBesideService) return
    await delay(Math.max(LEAST_TURN_MS, performance.now() - partStartedAt))
    partStartedAt = performance.now()
  }
  const destination = { ...target, actor, caller, progress, isDryRun, ...pace }
  const manner = { isUpdate: settings.update === true, keepsIds: settings.keepIds === true }
  const importer = importerOf(records.service, definition, destination, manner)
  const { doneUpTo } = progress
  if (doneUpTo > 0) terminal.stderr.write(`going on after line ${formatCount(doneUpTo)}\n`)
  const startedAt = performance.now()
  const report = await withProgress(terminal, `importing ${document}`, size, (progress) =>
    importFile({ file: path, text, table, importer, doneUpTo, rejects, progress, onPart }),
  )
  const readWith = table && describeTable(table, text)
  const ms = performance.now() - startedAt
  const run = { rejects, ms, isDryRun, checkedTogether: importer.checkedTogether, readWith }
  terminal.stdout.write(textOf(report, run))
  if (report.rejected > 0) terminal.exitCode = 1
}

/** The definition of a document that can be imported. */
function requireImportable(records: Records, document: string, company: CompanyRules, isUpdate = false) {
  const definition = requireDocument(records, document, company)
  const refusal = importRefusal(definition)
  if (refusal !== undefined) throw badUsage(`argument 'document': ${refusal}`)
  const updating = isUpdate ? updateRefusal(definition) : undefined
  if (updating !== undefined) throw badUsage(`option '--update': ${updating}`)
  return definition
}

/** Prints the line of names of a CSV file. */
export async function printTemplate(document: string, settings: ImportSettings, terminal: Terminal): Promise<void> {
  await using records = await openForImport(settings, terminal)
  const definition = requireImportable(records, document, requireCompany(records, settings.company))
  terminal.stdout.write(templateOf(definition, separatorOf(settings) ?? ','))
}

function openForImport(settings: ImportSettings, terminal: Terminal) {
  return openRecords({
    ...storeOptions(settings),
    isBulk: true,
    ...reportsTo(terminal),
  })
}

function requireCsvOptions(format: RowFormat, settings: ImportSettings): void {
  if (format !== 'ndjson') return
  const given = (['separator', 'decimal', 'dates'] as const).find((name) => settings.readWith?.[name] !== undefined)
  const option = given ? `--read-with ${given}=` : settings.map && '--map'
  if (option) throw badUsage(`option '${option}': only of a CSV file (--format csv)`)
}

function separatorOf({ readWith }: ImportSettings): string | undefined {
  return readWith?.separator === 'tab' ? '\t' : readWith?.separator
}

function givenForms({ properties }: DocumentDefinition, settings: ImportSettings): GivenForms {
  const { readWith, map: file } = settings
  const given = { ...readWith, separator: separatorOf(settings) }
  if (file === undefined) return given
  const { map, problems } = readHeadingMap(readText(file), properties)
  if (problems.length > 0) throw badUsage(problems.map((problem) => formatProblem(file, problem)).join('\n'))
  return { ...given, map }
}

interface Run {
  readonly rejects: string
  readonly ms: number
  readonly isDryRun: boolean
  readonly checkedTogether: number
  readonly readWith: string | undefined
}

function textOf(report: ImportReport, { rejects, ms, isDryRun, checkedTogether, readWith }: Run): string {
  const { written, unchanged, rejected, resumedAfter } = report
  const total = written + unchanged + rejected
  if (total === 0 && resumedAfter > 0)
    return '0 rows imported: the file was imported already (--again does it once more)\n'
  const rate = formatCount(Math.round((written + unchanged) / Math.max(ms / 1000, 0.001)))
  const unchangedText = unchanged === 0 ? '' : `${formatCount(unchanged)} unchanged, `
  const rejectsText = rejected === 0 ? '' : ` (see ${rejects})`
  const done = isDryRun ? 'would be imported' : 'imported'
  const lines = [
    `${formatCountOf(written, 'row')} ${done}, ${unchangedText}${formatCount(rejected)} rejected${rejectsText}, ${rate} rows/s\n`,
    ...(readWith === undefined ? [] : [`read with ${readWith}\n`]),
  ]
  if (isDryRun && total > checkedTogether) {
    const parts = checkedTogether === 1 ? 'each row by itself' : `parts of ${formatCount(checkedTogether)} rows`
    lines.push(`checked ${parts}: what a row repeats or needs of another one is judged as if that were missing\n`)
  }
  return lines.join('')
}
