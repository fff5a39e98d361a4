// Parquet files as DuckDB reads them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type Json } from '@duckdb/node-api'

export interface ParquetContent {
  /** The type of each column as DuckDB names it. */
  readonly types: Readonly<Record<string, string>>
  readonly rows: readonly Readonly<Record<string, Json>>[]
  /** Its own key-value metadata. */
  readonly about: Readonly<Record<string, string>>
  /** The number of rows in each group. */
  readonly groups: readonly number[]
}

/** Runs statements of SQL, in which `FILE` is a Parquet file with these bytes; the rows of each. */
export async function queryParquet(bytes: Buffer, ...statements: string[]): Promise<Record<string, Json>[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'))
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  try {
    const file = join(folder, 'answer.parquet')
    writeFileSync(file, bytes)
    const answers: Record<string, Json>[][] = []
    for (const statement of statements) {
      const reader = await connection.runAndReadAll(statement.replaceAll('FILE', `'${file}'`))
      answers.push(reader.getRowObjectsJson())
    }
    return answers
  } finally {
    connection.closeSync()
    instance.closeSync()
    rmSync(folder, { recursive: true })
  }
}

/** Everything in a Parquet file. */
export async function readParquet(bytes: Buffer): Promise<ParquetContent> {
  const [types = [], rows = [], about = [], groups = []] = await queryParquet(
    bytes,
    'describe select * from FILE',
    'select * from FILE',
    'select decode(key) as key, decode(value) as value from parquet_kv_metadata(FILE)',
    'select distinct row_group_id, row_group_num_rows as count from parquet_metadata(FILE) order by row_group_id',
  )
  return {
    types: Object.fromEntries(types.map((row) => [row.column_name, String(row.column_type)])),
    rows,
    about: Object.fromEntries(about.map(({ key, value }) => [key, String(value)])),
    groups: groups.map(({ count }) => Number(count)),
  }
}
