import { spreadsheetStyle } from '../../../base/numbers/spreadsheet-style.ts'
import { Problem } from '../../../errors/problem.ts'
import type { DocumentDefinition } from '../../../model/document.ts'
import { STATES } from '../../../objects/ledger-state-names.ts'
import { ParquetEncoder } from '../../../parquet/parquet-encoder.ts'
import { parquetAnswer } from '../../../parquet/parquet-files.ts'
import { QueryError } from '../../../query/parse/query-error.ts'
import { type Plan, planCollection } from '../../../query/plan.ts'
import type { KeyFilter } from '../../../sql/rows/compiled-query.ts'
import { answerCollection, countCollection } from '../../../store/collection.ts'
import { INTERNAL_CALLER, type Store } from '../../../store/store.ts'
import { writeExport } from '../../../transfer/export-file.ts'
import type { StoreFlags } from '../../settings/settings.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import { isProgressShown, withProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { outputFormatOf } from './file-formats.ts'
import { recordsAt, requireCompany, requireDocument } from './find-records.ts'

export interface ExportSettings extends StoreFlags {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson' | 'excel' | 'parquet'
  readonly filter?: string
  readonly select?: string
}

const LEDGER = 'general-ledger-transactions'

export async function runExport(
  document: string,
  file: string | undefined,
  settings: ExportSettings,
  terminal: Terminal,
): Promise<void> {
  await using records = await recordsAt(settings, terminal)
  const company = requireCompany(records, settings.company)
  const definition = requireDocument(records, document, company)
  const plan = planOf(definition, settings)
  const format = settings.format ?? outputFormatOf(file)
  const scope = scopeOf(definition, company.id)
  const request = {
    companyId: company.id,
    plan,
    scope,
    language: company.language,
    format: ROWS[format],
    style: format === 'excel' ? spreadsheetStyle(company.language) : undefined,
    cap: undefined,
    caller: INTERNAL_CALLER,
  }
  const { store } = records.service
  const answer = () => answerCollection(store, request)
  await using encoder = format === 'parquet' ? new ParquetEncoder() : undefined
  const { body, changeNumber } = await (encoder
    ? parquetAnswer(encoder, INTERNAL_CALLER, { plan, companyId: company.id, query: queryOf(settings) }, answer)
    : answer())
  const total = isProgressShown(terminal) && !encoder ? await countOrZero(store, request) : 0
  await withProgress(terminal, `exporting ${document}`, total, (progress) =>
    writeExport(body, file ?? terminal.stdout, progress),
  )
  if (!definition.isExternal) terminal.stderr.write(`change number ${changeNumber}\n`)
}

const ROWS = { csv: 'csv', excel: 'csv', ndjson: 'ndjson', parquet: 'tuples' } as const

/** The query as it would be sent to the service, for the metadata of the file. */
function queryOf({ filter, select }: ExportSettings): [string, string][] {
  const options = { $filter: filter, $select: select }
  return Object.entries(options).filter((option): option is [string, string] => option[1] !== undefined)
}

/** The total for the progress bar; 0 hides the bar when counting takes too long. */
async function countOrZero(store: Store, request: Request): Promise<number> {
  try {
    return (await countCollection(store, request)).content
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}

type Request = Parameters<typeof answerCollection>[1]

function planOf(definition: DocumentDefinition, { filter, select }: ExportSettings): Plan {
  try {
    return planCollection(definition, { filter, select, orderBy: undefined, offset: 0, limit: undefined })
  } catch (error) {
    if (error instanceof QueryError) throw badUsage(`option '--${error.option}': ${error.message}`)
    throw error
  }
}

/** Excludes fallback titles of value lists and deleted documents of the archive. */
function scopeOf({ name, companyColumn }: DocumentDefinition, companyId: string): KeyFilter {
  const company = [companyColumn, companyId] as const
  if (name === LEDGER) return [company, ['state', STATES]]
  if (name === 'document-archive') return [company, ['is_deleted', 0]]
  return name === 'value-list' ? [company, ['is_fallback', 0]] : [company]
}
