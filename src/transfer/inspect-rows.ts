// What the bytes of a file tell before any row is imported: its identity, its encoding, and the form of its table.
import { createHash } from 'node:crypto'
import type { Properties } from '../model/document.ts'
import { asUtf8 } from './rows/as-utf8.ts'
import { NO_MAP } from './rows/csv-columns.ts'
import { type CsvTable, findTable, type GivenForms } from './rows/csv-table.ts'
import { ENCODING_REMEDY, EncodingFinder } from './rows/find-encoding.ts'
import type { TextForm } from './rows/text-form.ts'
import { FileError, linesOf } from './rows/text-lines.ts'

export type RowFormat = 'csv' | 'ndjson'

/** Reads a file from its first byte. */
type OpenBytes = () => AsyncIterable<Buffer>

export interface InspectedFile {
  /** Identifies the file, and how it is read, by its complete content: one with a corrected line is a different one. */
  readonly source: string
  readonly text: TextForm
  /** Undefined for NDJSON, and for an empty file. */
  readonly table: CsvTable | undefined
}

export async function inspectRows(
  open: OpenBytes,
  format: RowFormat,
  properties: Properties,
  given: GivenForms = {},
): Promise<InspectedFile> {
  const hash = createHash('sha256')
  const finder = new EncodingFinder()
  for await (const chunk of open()) {
    hash.update(chunk)
    finder.add(chunk)
  }
  const text = finder.found(given.encoding ?? (format === 'ndjson' ? (finder.marked ?? 'utf-8') : undefined))
  if (format === 'csv' && text.encoding === 'utf-8' && finder.isDamaged) await requireUtf8(open())
  const table = format === 'csv' ? await findTable(() => asUtf8(open(), text), properties, given) : undefined
  const reading = readingOf(text, table, given)
  return { source: reading === PLAIN ? hash.digest('hex') : hash.update(reading).digest('hex'), text, table }
}

/** Identifies a file together with those of its lists. */
export function sourceOf(
  { source }: InspectedFile,
  lists: readonly (InspectedFile & { readonly list: string })[],
): string {
  if (lists.length === 0) return source
  const hash = createHash('sha256').update(source)
  for (const one of lists) hash.update(JSON.stringify([one.list, one.source]))
  return hash.digest('hex')
}

/** Throws a FileError that names the first line that is not UTF-8. Nothing of such a table is imported. */
async function requireUtf8(bytes: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const _lines of linesOf(bytes));
  } catch (error) {
    throw error instanceof FileError ? new FileError(`${error.message}: ${ENCODING_REMEDY}`) : error
  }
}

const PLAIN = JSON.stringify(['utf-8', ',', 'point', null, []])

/** The same file read in another way has other rows. */
function readingOf({ encoding }: TextForm, table: CsvTable | undefined, { map = NO_MAP }: GivenForms): string {
  const { separator = ',', forms } = table ?? {}
  const mapped = map.computed.size > 0 ? [[...map.computed]] : []
  return JSON.stringify([
    encoding,
    separator,
    forms?.decimal ?? 'point',
    forms?.days ?? null,
    [...map.paths],
    ...mapped,
  ])
}
