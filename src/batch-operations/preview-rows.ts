// What an import would make of a body, before it is sent as one: how it is read, its cells, and what its headings
// probably mean.
import { createReadStream } from 'node:fs'
import type { Caller } from '../access/caller.ts'
import { foldName } from '../base/text.ts'
import { malformed, tooLarge } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import type { GivenContent } from '../files/file-store.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { candidatesOf } from '../transfer/candidates.ts'
import { takesCodes } from '../transfer/importer-of.ts'
import { suggestedColumns } from '../transfer/map-template.ts'
import { addingRefusal } from '../transfer/missing-codes.ts'
import { asUtf8 } from '../transfer/rows/as-utf8.ts'
import { NO_MAP } from '../transfer/rows/csv-columns.ts'
import { csvRecords } from '../transfer/rows/csv-records.ts'
import { findTable } from '../transfer/rows/csv-table.ts'
import { type HeadLine, headLineOf } from '../transfer/rows/headings.ts'
import { FileError } from '../transfer/rows/text-lines.ts'
import type { BatchOptions, ReadWith } from './batch-operation.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { importedDocument } from './imported-document.ts'
import { readWithOf } from './inspect-body.ts'
import { requireAdding } from './operation-access.ts'

/** The answer has all rows: a person looks at them. More are imported unseen. */
export const MAX_PREVIEW_BYTES = 8 * 1024 * 1024
export const MAX_PREVIEW_ROWS = 50_000

interface RowsPreview {
  readonly readWith: ReadWith
  readonly message: string
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly columns: readonly { readonly path: string; readonly isRequired: boolean; readonly heading: string }[]
  readonly addableCodes: readonly string[]
}

interface PreviewRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly document: string
  readonly content: GivenContent
  readonly options: Pick<BatchOptions, 'encoding' | 'separator' | 'decimal' | 'dates'>
}

type Open = () => AsyncIterable<Buffer>

/** Throws 400 for a body that is no table. */
export async function previewRows(service: BatchOperationService, request: PreviewRequest): Promise<RowsPreview> {
  const { document, content, caller, options } = request
  const company = service.companies.require(request.companyId)
  const definition = importedDocument(service, company, document)
  if (!definition) throw malformed(`No records of ${document} can be imported.`)
  if (typeof content === 'string' || content.size === 0) throw malformed('The request body is empty.')
  if (content.size > MAX_PREVIEW_BYTES) throw tooLarge(MAX_PREVIEW_BYTES)
  const open: Open = () => createReadStream(content.path) as AsyncIterable<Buffer>
  try {
    const head = await headLineOf(open, options)
    const candidates = candidatesOf(definition, definition.properties)
    const found = suggestedColumns(head.names, candidates)
    const headings = new Map([...found].map(([heading, candidate]) => [candidate, heading]))
    const paths = new Map(head.names.map((name) => [foldName(name), found.get(name)?.path ?? '']))
    return {
      ...(await formsOf(open, head, definition, { ...options, map: { ...NO_MAP, paths } })),
      headings: head.names,
      rows: await cellsOfRows(open, head),
      columns: candidates.map((candidate) => ({
        path: candidate.path,
        isRequired: candidate.isRequired,
        heading: headings.get(candidate) ?? '',
      })),
      addableCodes: addableCodes(caller, company, definition),
    }
  } catch (error) {
    throw error instanceof FileError ? malformed(error.sentence) : error
  }
}

/** What is left in doubt is told with what is certain. */
async function formsOf(
  open: Open,
  { text, separator }: HeadLine,
  { properties }: DocumentDefinition,
  given: Parameters<typeof findTable>[2],
): Promise<Pick<RowsPreview, 'readWith' | 'message'>> {
  try {
    const table = await findTable(() => asUtf8(open(), text), properties, { ...given, separator })
    return { readWith: readWithOf({ text, table }), message: '' }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { readWith: { ...readWithOf({ text, table: undefined }), separator }, message: error.sentence }
  }
}

async function cellsOfRows(open: Open, { text, separator, line, names }: HeadLine): Promise<string[][]> {
  const rows: string[][] = []
  for await (const records of csvRecords(asUtf8(open(), text), { separator, width: names.length })) {
    for (const { cells, ...record } of records) {
      if (record.line <= line || cells?.every((cell) => cell.trim() === '')) continue
      rows.push(cells ? [...cells] : [record.text])
    }
    if (rows.length > MAX_PREVIEW_ROWS) {
      throw new FileError(
        `there are more than ${MAX_PREVIEW_ROWS.toLocaleString('en')} rows: they can be imported, but not previewed`,
      )
    }
  }
  return rows
}

function addableCodes(caller: Caller, company: CompanyRules, definition: DocumentDefinition): string[] {
  if (!takesCodes(definition)) return []
  try {
    requireAdding(caller, company, definition.name)
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
  return [...company.attributes.keys()].filter((id) => addingRefusal(company, id) === undefined)
}
