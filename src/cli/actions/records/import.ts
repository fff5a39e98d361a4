import { createReadStream, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Caller } from '../../../access/caller.ts'
import { livingProcesses } from '../../../app/serving-process.ts'
import { openRecords, type Records } from '../../../app/setup/open-records.ts'
import { type DocumentDefinition, isLines } from '../../../model/document.ts'
import { formatProblem } from '../../../setup/check/read-setup.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { candidatesOf, templateOf } from '../../../transfer/candidates.ts'
import {
  type ImportReport,
  importFile,
  type ListReport,
  openFile,
  type RowsFile,
} from '../../../transfer/import-file.ts'
import { importerOf, importRefusal, takesCodes, updateRefusal } from '../../../transfer/importer-of.ts'
import { inspectRows, type RowFormat, sourceOf } from '../../../transfer/inspect-rows.ts'
import { itemProperties, requireList } from '../../../transfer/item-properties.ts'
import { type MappedFile, mapTemplate } from '../../../transfer/map-template.ts'
import { addingRefusal, byAttribute } from '../../../transfer/missing-codes.ts'
import { fileProgress, newProgress } from '../../../transfer/progress.ts'
import { type ImportMap, readMap } from '../../../transfer/read-map.ts'
import { describeTable, type GivenForms } from '../../../transfer/rows/csv-table.ts'
import { headingsOf } from '../../../transfer/rows/headings.ts'
import { storeOptions } from '../../settings/settings.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import { formatCount, formatCountOf, withProgress } from '../../terminal/progress.ts'
import { reportsTo } from '../../terminal/reports-to.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { inputFormatOf } from './file-formats.ts'
import { requireCompany, requireDocument } from './find-records.ts'
import {
  addedCodesOf,
  codesText,
  countsText,
  type ImportSettings,
  listFilesOf,
  readMapFile,
  rejectedText,
  separatorOf,
} from './import-settings.ts'
import { inputFileAt } from './input-file.ts'

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
  const format = settings.format ?? inputFormatOf(file)
  const lists = listFilesOf(settings)
  requireCsvOptions([format, ...lists.map((one) => one.format)], settings)
  await using records = await openForImport(settings, terminal)
  const company = requireCompany(records, settings.company)
  const definition = requireImportable(records, document, company, settings.update)
  const addedCodes = requireAddable(definition, company, settings)
  const given = givenForms(definition, settings)
  const main = await inspectRows(() => openFile(path), format, definition.properties, given)
  const joined: RowsFile[] = []
  for (const { list, ...one } of lists) {
    requireList(definition, main.table, list)
    const properties = itemProperties(definition, list) ?? {}
    const forms = { ...given, map: given.map?.lists.get(list) }
    const open = () => openFile(one.path)
    joined.push({ ...one, list, open, ...(await inspectRows(open, one.format, properties, forms)) })
  }
  const { text, table } = main
  const source = sourceOf(main, joined)
  const { store, companies } = records.service
  const isDryRun = settings.dryRun === true
  const actor = { userId: 'import', clientId: '', requestId: '' }
  const progress = settings.again
    ? newProgress(document, source)
    : await fileProgress(store.reading(company.id), document, source)
  const caller = unrestricted(definition, company)
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
  const manner = { isUpdate: settings.update === true, keepsIds: settings.keepIds === true, addedCodes }
  const importer = importerOf(records.service, definition, destination, manner)
  const { doneUpTo } = progress
  if (doneUpTo > 0) terminal.stderr.write(`going on after line ${formatCount(doneUpTo)}\n`)
  const startedAt = performance.now()
  const files = { file: path, name: basename(file), rejects, lists: joined, definition, companyId: company.id }
  const report = await withProgress(terminal, `importing ${document}`, size, (progress) =>
    importFile({ ...files, text, table, importer, doneUpTo, progress, onPart }),
  )
  const readWith = table && describeTable(table, text)
  const ms = performance.now() - startedAt
  const run = { rejects, ms, isDryRun, checkedTogether: importer.checkedTogether, readWith }
  terminal.stdout.write(reportText(report, run))
  if (report.rejected + report.lists.reduce((sum, { rejected }) => sum + rejected, 0) > 0) terminal.exitCode = 1
}

/** Sees all records, and may write lines with theirs. */
function unrestricted(definition: DocumentDefinition, { id: companyId }: CompanyRules): Caller {
  const lines = Object.values(definition.properties).flatMap((property) =>
    isLines(property) ? [property.from.document.name] : [],
  )
  return Caller.ofProgram('import', companyId, '', [definition.name, ...lines])
}

/** The attributes whose missing values are added. */
function requireAddable(definition: DocumentDefinition, company: CompanyRules, settings: ImportSettings): Set<string> {
  const ids = addedCodesOf(settings)
  if (ids.length > 0 && settings.update) throw badUsage("option '--add-codes': not together with --update")
  if (ids.length > 0 && !takesCodes(definition)) {
    throw badUsage(`option '--add-codes': only of customers and documents of the setup`)
  }
  const refusal = ids.map((id) => addingRefusal(company, id)).find((problem) => problem !== undefined)
  if (refusal !== undefined) throw badUsage(`option '--add-codes': ${refusal}`)
  return new Set(ids)
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

/** Writes the map that the headings of the files probably need. */
export async function writeMapTemplate(
  document: string,
  file: string,
  settings: ImportSettings,
  terminal: Terminal,
): Promise<void> {
  const [main, ...lists] = await headingsOfFiles(file, settings)
  await using records = await openForImport(settings, terminal)
  const definition = requireImportable(records, document, requireCompany(records, settings.company))
  const files = lists.map((one) => {
    requireList(definition, undefined, one.list ?? '')
    return { ...one, candidates: candidatesOf(definition, itemProperties(definition, one.list ?? '') ?? {}) }
  })
  const ofRecords = { ...main, candidates: candidatesOf(definition, definition.properties) }
  writeNewMap(settings, mapTemplate(document, [ofRecords, ...files]))
}

function openForImport(settings: ImportSettings, terminal: Terminal) {
  return openRecords({
    ...storeOptions(settings),
    isBulk: true,
    ...reportsTo(terminal),
  })
}

function requireCsvOptions(formats: readonly RowFormat[], settings: ImportSettings): void {
  if (formats.includes('csv')) return
  const given = (['separator', 'decimal', 'dates'] as const).find((name) => settings.readWith?.[name] !== undefined)
  const option = given ? `--read-with ${given}=` : settings.map && '--map'
  if (option) throw badUsage(`option '${option}': only of a CSV file (--format csv)`)
}

function givenForms(definition: DocumentDefinition, settings: ImportSettings): GivenForms & { map?: ImportMap } {
  const { readWith, map: file } = settings
  const given = { ...readWith, separator: separatorOf(settings) }
  if (file === undefined) return given
  const { map, problems } = readMap(readMapFile(file), definition)
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

function reportText(report: ImportReport, { rejects, ms, isDryRun, checkedTogether, readWith }: Run): string {
  const { written, unchanged, rejected, resumedAfter } = report
  const total = written + unchanged + rejected
  if (total === 0 && resumedAfter > 0)
    return '0 rows imported: the file was imported already (--again does it once more)\n'
  const rate = formatCount(Math.round((written + unchanged) / Math.max(ms / 1000, 0.001)))
  const lines = [
    `${countsText(report, rejects, isDryRun)}, ${rate} rows/s\n`,
    ...report.lists.map(listText),
    ...codesText(codesOf(report), isDryRun),
    ...(readWith === undefined ? [] : [`read with ${readWith}\n`]),
  ]
  if (isDryRun && total > checkedTogether) {
    const parts = checkedTogether === 1 ? 'each row by itself' : `parts of ${formatCount(checkedTogether)} rows`
    lines.push(`checked ${parts}: what a row repeats or needs of another one is judged as if that were missing\n`)
  }
  return lines.join('')
}

function listText({ name, rows, rejected, rejects }: ListReport): string {
  return `${name}: ${formatCountOf(rows - rejected, 'row')} with them, ${rejectedText(rejected, rejects)}\n`
}

function codesOf({ codes = [] }: ImportReport) {
  return byAttribute(codes).map(([attributeId, values]) => ({ attributeId, count: values.length, values }))
}

// A map to be made: the headings of the files that it is for, and the file that it is written to.

type Headings = Omit<MappedFile, 'candidates'>

/** Those of the file of the records first. */
async function headingsOfFiles(file: string, settings: ImportSettings): Promise<[Headings, ...Headings[]]> {
  const { path } = inputFileAt(file)
  requireFile("argument 'file'", path)
  const lists = listFilesOf(settings)
  const formats = [settings.format ?? inputFormatOf(file), ...lists.map(({ format }) => format)]
  if (formats.includes('ndjson')) throw badUsage("option '--map-template': only of CSV files (--format csv)")
  const given = { encoding: settings.readWith?.encoding, separator: separatorOf(settings) }
  const headings = (one: string) => headingsOf(() => createReadStream(one), given)
  const ofLists: Headings[] = []
  for (const { list, name, path: of } of lists) ofLists.push({ list, name, headings: await headings(of) })
  return [{ name: basename(file), headings: await headings(path) }, ...ofLists]
}

/** A map that somebody has worked on is not replaced. */
function writeNewMap({ mapTemplate: file = '' }: ImportSettings, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw badUsage(`option '--map-template': ${file} is there already`)
  }
}
