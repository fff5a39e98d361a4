// What a Parquet file holds, as DuckDB names and prints it; `test/generators/parquet.test.ts` compares with DuckDB.
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet'

type Cell = string | boolean | number

export interface ParquetContent {
  /** The type of each column as DuckDB names it. */
  readonly types: Readonly<Record<string, string>>
  readonly rows: readonly Readonly<Record<string, Cell>>[]
  /** Its own key-value metadata. */
  readonly about: Readonly<Record<string, string>>
  /** The number of rows in each group. */
  readonly groups: readonly number[]
}

/** Everything in a Parquet file. */
export async function readParquet(bytes: Buffer): Promise<ParquetContent> {
  const file = Uint8Array.from(bytes).buffer
  const metadata = parquetMetadata(file)
  const [root = { name: '' }, ...columns] = metadata.schema
  // The library would round long decimals: it reads them as what they are stored as.
  const stored = columns.map((column) =>
    printed(column) ? { ...column, converted_type: undefined, logical_type: undefined } : column,
  )
  const rows = await parquetReadObjects({ file, metadata: { ...metadata, schema: [root, ...stored] }, utf8: false })
  const print = columns.map((column) => [column.name, printed(column) ?? textOf] as const)
  return {
    types: Object.fromEntries(columns.map((column) => [column.name, typeOf(column)])),
    rows: rows.map((row) => Object.fromEntries(print.map(([name, print]) => [name, print(row[name])]))),
    about: Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ''])),
    groups: metadata.row_groups.map(({ num_rows }) => Number(num_rows)),
  }
}

function typeOf({ type, logical_type, precision, scale }: SchemaElement): string {
  if (logical_type?.type === 'DECIMAL') return `DECIMAL(${precision},${scale})`
  if (logical_type?.type === 'STRING') return 'VARCHAR'
  return logical_type?.type ?? (type === 'INT64' ? 'BIGINT' : String(type))
}

/** How the numbers of a column are printed that are stored as integers. */
function printed({ logical_type, scale = 0 }: SchemaElement): ((value: unknown) => string) | undefined {
  if (logical_type?.type === 'DECIMAL') return (value) => decimalOf(integerOf(value), scale)
  if (logical_type?.type === 'TIMESTAMP') return (value) => timeOf(Number(value))
  return undefined
}

function textOf(value: unknown): Cell {
  if (typeof value === 'boolean' || typeof value === 'number') return value
  return value instanceof Uint8Array ? Buffer.from(value).toString() : jsonOf(value)
}

function jsonOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Bytes are a number in two's complement, the highest first. */
function integerOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as bigint)
  return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`))
}

function decimalOf(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')
}
