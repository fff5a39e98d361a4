// What the body of an operation has: the rows, or a form with the rows, a map, and files of lists of the records.
import { text as textOf } from 'node:stream/consumers'
import type { ByteRange } from '../files/file-store.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { type InspectedFile, inspectRows } from '../transfer/inspect-rows.ts'
import { itemProperties, requireList } from '../transfer/item-properties.ts'
import type { ListFile } from '../transfer/joined-file.ts'
import { MAX_MAP_BYTES } from '../transfer/max-map-bytes.ts'
import { type ImportMap, readMap } from '../transfer/read-map.ts'
import { ENCODINGS } from '../transfer/rows/text-form.ts'
import { FileError } from '../transfer/rows/text-lines.ts'
import type { BatchOptions, BodyFile, ReadWith } from './batch-operation.ts'
import { formatOf } from './read-options.ts'

interface OpenFile extends InspectedFile {
  readonly open: () => AsyncIterable<Buffer>
}

interface InspectedBody {
  readonly rows: OpenFile
  readonly lists: readonly ListFile[]
}

type ReadBytes = (range?: ByteRange) => AsyncIterable<Buffer>

/** Throws a FileError for a body that cannot be read. */
export async function inspectBody(
  options: BatchOptions,
  definition: DocumentDefinition,
  read: ReadBytes,
): Promise<InspectedBody> {
  const { format, files = [], encoding, separator, decimal, dates } = options
  const given = { encoding, separator, decimal, dates }
  if (format !== 'form') {
    const open = () => read()
    return { rows: { ...(await inspectRows(open, format, definition.properties, given)), open }, lists: [] }
  }
  const openOf = (file: BodyFile) => () => bytesOf(read, file)
  const map = await mapIn(files, definition, read)
  const main = files.find(({ name }) => name === ROWS)
  if (!main) throw new FileError(`the form has no file '${ROWS}'`)
  const ofRows = { ...given, map }
  const rows = await inspectRows(openOf(main), formatOfPart(main), definition.properties, ofRows)
  const lists: ListFile[] = []
  for (const file of files.filter(({ name }) => name !== ROWS && name !== MAP)) {
    const { name } = file
    requireList(definition, rows.table, name)
    const properties = itemProperties(definition, name) ?? {}
    const forms = { ...given, map: map?.lists.get(name) }
    const open = openOf(file)
    lists.push({ list: name, name, open, ...(await inspectRows(open, formatOfPart(file), properties, forms)) })
  }
  return { rows: { ...rows, open: openOf(main) }, lists }
}

const ROWS = 'rows'
const MAP = 'map'

async function mapIn(
  files: readonly BodyFile[],
  definition: DocumentDefinition,
  read: ReadBytes,
): Promise<ImportMap | undefined> {
  const file = files.find(({ name }) => name === MAP)
  if (!file) return undefined
  if (file.end - file.start > MAX_MAP_BYTES) throw new FileError(`the map is larger than ${MAX_MAP_BYTES} bytes`)
  const { map, problems } = readMap(await textOf(bytesOf(read, file)), definition)
  const [first] = problems
  if (!first) return map
  throw new FileError(`line ${first.line} of the map${first.path ? `, ${first.path}` : ''}: ${first.message}`)
}

function formatOfPart(file: BodyFile): 'csv' | 'ndjson' {
  return formatOf(file.type) === 'csv' ? 'csv' : 'ndjson'
}

/** A range has at least one byte. */
async function* bytesOf(read: ReadBytes, { start, end }: BodyFile): AsyncGenerator<Buffer> {
  if (end > start) yield* read({ first: start, last: end - 1 })
}

export function readWithOf({ text, table }: Pick<InspectedFile, 'text' | 'table'>): ReadWith {
  const encoding = ENCODINGS[text.encoding]
  if (!table) return { encoding }
  const { separator, forms, dateForms } = table
  return { encoding, separator, ...(forms.decimal ? { decimal: forms.decimal } : {}), dates: dateForms }
}
