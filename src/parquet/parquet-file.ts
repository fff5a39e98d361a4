// Writes the rows of an answer as a Parquet file, group by group. A small first group lets readers look at a file
// without reading much of it; further ones are large, so that their columns compress well.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type ColumnData, writeColumnChunk } from './column-chunk.ts'
import { type ColumnValue, decoderOf, schemaElement } from './column-types.ts'
import type { ParquetColumn } from './parquet-columns.ts'
import { RowScanner, type ScannedColumn } from './row-scanner.ts'

const FIRST_GROUP = 1_000
const NEXT_GROUPS = 100_000
/** A group ends before, when its distinct values take so much memory. */
const GROUP_BYTES = 24 * 1024 * 1024
const BUFFER_BYTES = 1024 * 1024

/** What is to be written. */
export interface ParquetDescription {
  readonly columns: readonly ParquetColumn[]
  /** The key-value metadata of the file. */
  readonly about: Readonly<Record<string, string>>
  /** The program that writes it, with its version. */
  readonly createdBy: string
}

export class ParquetFile {
  readonly #columns: readonly Column[]
  readonly #scanner: RowScanner
  readonly #bytes = new ByteWriter(BUFFER_BYTES)
  readonly #file: ParquetWriter
  readonly #write: (bytes: Uint8Array) => void
  #target = FIRST_GROUP

  /** `write` takes the parts of the file in order; it must have copied or sent a part when it returns. */
  constructor({ columns, about, createdBy }: ParquetDescription, write: (bytes: Uint8Array) => void) {
    this.#write = write
    this.#columns = columns.map((column) => ({ element: schemaElement(column), decode: decoderOf(column.type) }))
    this.#scanner = new RowScanner(columns.length, NEXT_GROUPS)
    const schema = [{ name: 'root', num_children: columns.length }, ...this.#columns.map(({ element }) => element)]
    const kvMetadata = Object.entries(about).map(([key, value]) => ({ key, value }))
    this.#file = new ParquetWriter({ writer: this.#bytes, schema, kvMetadata, createdBy })
  }

  /** Adds complete rows: a JSON array or object in each line, with the values of the columns in their order. */
  addRows(lines: Uint8Array): void {
    for (let at = 0; at < lines.length; ) {
      at = this.#scanner.addRows(lines, at, this.#target)
      if (this.#scanner.count === this.#target || this.#scanner.bytes > GROUP_BYTES) this.#endGroup()
    }
  }

  end(): number {
    if (this.#scanner.count > 0) this.#endGroup()
    this.#file.finish()
    this.#flush()
    return Number(this.#file.num_rows)
  }

  #endGroup(): void {
    const { count } = this.#scanner
    const start = this.#bytes.offset
    const columns = this.#columns.map(({ element, decode }, index) => {
      const chunk = writeColumnChunk(this.#bytes, element, dataOf(this.#scanner.columns[index], count, decode))
      this.#flush()
      return chunk
    })
    const bytes = columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n)
    const compressed = BigInt(this.#bytes.offset - start)
    this.#file.row_groups.push({
      columns,
      num_rows: BigInt(count),
      total_byte_size: bytes,
      total_compressed_size: compressed,
    })
    this.#file.num_rows += BigInt(count)
    this.#scanner.clear()
    this.#target = NEXT_GROUPS
  }

  #flush(): void {
    this.#write(this.#bytes.getBytes())
    this.#bytes.index = 0
  }
}

interface Column {
  readonly element: ReturnType<typeof schemaElement>
  readonly decode: ReturnType<typeof decoderOf>
}

function dataOf(scanned: ScannedColumn | undefined, count: number, decode: Column['decode']): ColumnData {
  const { texts, rows } = scanned as ScannedColumn
  const distinct: ColumnValue[] = []
  for (let number = 0; number < texts.count; number++) distinct.push(decode(texts.textAt(number)))
  return { distinct, rows: rows.subarray(0, count) }
}
