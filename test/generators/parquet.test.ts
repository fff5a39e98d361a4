// Parquet of the object endpoints: DuckDB reads the types, values, metadata and groups that the other tests read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type Json } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertManyLines, ledger, objects, startObjects } from '../support/object-records.ts'
import { readParquet } from '../support/parquet-file.ts'

const TYPE = 'application/vnd.apache.parquet'
const LINES = 2_500

/** Runs statements of SQL, in which `FILE` is a Parquet file with these bytes; the rows of each. */
async function queryParquet(bytes: Buffer, ...statements: string[]): Promise<Record<string, Json>[][]> {
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
async function readByDuckDB(bytes: Buffer) {
  const [types = [], rows, about = [], groups = []] = await queryParquet(
    bytes,
    'describe select * from FILE',
    'select * from FILE',
    'select decode(key) as key, decode(value) as value from parquet_kv_metadata(FILE)',
    'select distinct row_group_id, row_group_num_rows as count from parquet_metadata(FILE) order by row_group_id',
  )
  return {
    types: Object.fromEntries(types.map((row) => [row.column_name, row.column_type])),
    rows,
    about: Object.fromEntries(about.map(({ key, value }) => [key, value])),
    groups: groups.map(({ count }) => Number(count)),
  }
}

describe('DuckDB', () => {
  let world: Awaited<ReturnType<typeof startObjects>>
  beforeAll(async () => {
    world = await startObjects('sqlite')
    await insertManyLines(world, LINES)
  })
  afterAll(() => world.stop())

  const bytesOf = async (url: string) => {
    const answer = await world.send({ as: 'integration', url, headers: { accept: TYPE } })
    expect(answer.status).toBe(200)
    return answer.bytes
  }

  const sums = { groupby: 'state', aggregate: 'sum(amounts/amount) as total,average(amounts/amount) as mean' }
  it.each([
    ['all columns of customers', objects('customers', {})],
    ['all columns of ledger lines, in several groups', ledger({})],
    ['descriptions of codes and lists', objects('customers', { select: 'customerId,countryCode[C;T],contactPoints' })],
    ['long decimals', ledger({ ...sums, orderby: 'state' })],
    ['no rows', ledger({ select: 'period', filter: 'period eq 1' })],
  ])('reads %s as the other tests do', async (_what, url) => {
    const bytes = await bytesOf(url)
    expect(await readByDuckDB(bytes)).toEqual(await readParquet(bytes))
  })

  it('finds rows by the bounds of a group', async () => {
    const bytes = await bytesOf(ledger({ select: 'transactionNumber,description' }))
    const query = "select count(*)::int as rows from FILE where transactionNumber > 101000 and description <> ''"
    expect(await queryParquet(bytes, query)).toEqual([[{ rows: LINES - 1_000 }]])
  })
})
