// Writes the values of one column in a group of rows. The distinct values are known already, so this uses the pages of
// hyparquet-writer alone: its own column writer would find them again, and compare and check the value of every row.
import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet'
import type { Writer } from 'hyparquet-writer'
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js'
import { writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js'
import { snappyCompress } from 'hyparquet-writer/src/snappy.js'
import type { ColumnEncoder } from 'hyparquet-writer/src/types.js'
import { unconvertDecimal } from 'hyparquet-writer/src/unconvert.js'
import type { ColumnValue } from './column-types.ts'

/** Uncompressed. A reader holds one page of each column in memory. */
const PAGE_BYTES = 1024 * 1024
/** A dictionary must save this share of the values' bytes, because readers look values up in it. */
const LEAST_SAVED = 0.5

/** The distinct values of a column, and the number of each row's value among them. */
export interface ColumnData {
  readonly distinct: readonly ColumnValue[]
  readonly rows: Uint32Array
}

export function writeColumnChunk(writer: Writer, element: SchemaElement, { distinct, rows }: ColumnData): ColumnChunk {
  const column = encoderOf(element)
  const physical = physicalOf(element, distinct)
  const start = writer.offset
  const sizes = physical.map(sizeOf)
  const hasDictionary = element.type !== 'BOOLEAN' && savesEnough(sizes, rows)
  let uncompressed = hasDictionary ? writeDictionaryPage(writer, column, physical) : 0
  const dataStart = writer.offset
  for (const page of pagesOf(sizes, rows, hasDictionary)) {
    const values = hasDictionary ? page : Array.from(page, (number) => physical[number] as ColumnValue)
    const pageData = { values, definitionLevels: [], repetitionLevels: [], maxDefinitionLevel: 0 }
    uncompressed += writeDataPageV2({ writer, column, encoding: hasDictionary ? 'RLE_DICTIONARY' : 'PLAIN', pageData })
  }
  const encodings: Encoding[] = hasDictionary ? ['PLAIN', 'RLE_DICTIONARY'] : ['PLAIN']
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type as NonNullable<SchemaElement['type']>,
      encodings,
      path_in_schema: [element.name],
      codec: 'SNAPPY',
      num_values: BigInt(rows.length),
      total_uncompressed_size: BigInt(uncompressed),
      total_compressed_size: BigInt(writer.offset - start),
      data_page_offset: BigInt(dataStart),
      ...(hasDictionary ? { dictionary_page_offset: BigInt(start) } : {}),
      // Nobody looks for a range of JSON texts, and their bounds are never shortened.
      ...(element.logical_type?.type === 'JSON' ? {} : { statistics: statisticsOf(distinct) }),
    },
  }
}

function encoderOf(element: SchemaElement): ColumnEncoder {
  return {
    columnName: element.name,
    element,
    schemaPath: [{ name: 'root' }, element],
    codec: 'SNAPPY',
    compressors: { SNAPPY: snappyCompress },
    stats: true,
    pageSize: PAGE_BYTES,
    columnIndex: false,
    offsetIndex: false,
  }
}

/** The values as they are stored: only decimals of more than 64 bits differ. */
function physicalOf(element: SchemaElement, values: readonly ColumnValue[]): ColumnValue[] {
  if (element.type !== 'FIXED_LEN_BYTE_ARRAY') return [...values]
  return values.map((value) => unconvertDecimal(element, value as bigint) as Uint8Array)
}

function sizeOf(value: ColumnValue): number {
  // The length of a text has four bytes.
  if (value instanceof Uint8Array) return value.length + 4
  return typeof value === 'boolean' ? 1 / 8 : 8
}

function savesEnough(sizes: readonly number[], rows: Uint32Array): boolean {
  let [plain, dictionary] = [0, 0]
  for (let row = 0; row < rows.length; row++) plain += sizes[rows[row] as number] as number
  for (const size of sizes) dictionary += size
  const numbers = (rows.length * Math.ceil(Math.log2(sizes.length))) / 8
  return dictionary + numbers <= (1 - LEAST_SAVED) * plain
}

function* pagesOf(sizes: readonly number[], rows: Uint32Array, hasDictionary: boolean): Generator<Uint32Array> {
  if (hasDictionary) {
    yield rows
    return
  }
  let [start, bytes] = [0, 0]
  for (let row = 0; row < rows.length; row++) {
    const size = sizes[rows[row] as number] as number
    if (bytes + size > PAGE_BYTES && row > start) {
      yield rows.subarray(start, row)
      start = row
      bytes = 0
    }
    bytes += size
  }
  yield rows.subarray(start)
}

/** By which readers skip groups of rows. NaN is no bound. */
function statisticsOf(distinct: readonly ColumnValue[]) {
  let [min_value, max_value] = [undefined, undefined] as [ColumnValue?, ColumnValue?]
  for (const value of distinct) {
    if (Number.isNaN(value)) continue
    if (min_value === undefined || isBefore(value, min_value)) min_value = value
    if (max_value === undefined || isBefore(max_value, value)) max_value = value
  }
  // A bound of zero stands for both zeros of doubles.
  if (min_value === 0) min_value = -0
  if (max_value === 0) max_value = 0
  if (min_value === undefined || max_value === undefined) return {}
  return { min_value: kept(min_value), max_value: kept(max_value), null_count: 0n }
}

/** Written at the end of the file, when the texts are others. */
function kept(value: ColumnValue): ColumnValue {
  return value instanceof Uint8Array ? Uint8Array.from(value) : value
}

function isBefore(one: ColumnValue, other: ColumnValue): boolean {
  return one instanceof Uint8Array ? Buffer.compare(one, other as Uint8Array) < 0 : one < other
}
