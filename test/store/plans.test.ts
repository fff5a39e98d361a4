// The number of rows that a query plan visits, as a multiple of the answered rows: for every document, on two shapes of
// data.

import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateToLatest } from '../../src/databases/migrations/migrate.ts'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { ONE_PLAN } from '../../src/databases/postgres/sessions/company-transaction.ts'
import { ensureTable as shapePostgresTable } from '../../src/databases/postgres/tables/declared-tables.ts'
import { postgresSchema } from '../../src/databases/postgres/tables/schema.ts'
import { ensureTable } from '../../src/databases/sqlite/dialect/declared-tables.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { addFunctions } from '../../src/databases/sqlite/dialect/functions.ts'
import { SchemaDialect, sqliteSchema } from '../../src/databases/sqlite/dialect/schema.ts'
import { declaredTableOf } from '../../src/setup/rules/declared-table.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import type { BoundText, CompiledQuery } from '../../src/sql/rows/compiled-query.ts'
import { compiled, DOCUMENTS, ORDERS } from '../support/plans/compiled.ts'
import { PLAN_QUERIES, type PlanQuery } from '../support/plans/queries.ts'
import { companiesOf, companyOf, insertsOf, SHAPES, type Shape } from '../support/plans/rows.ts'
import { newDatabase } from '../support/test-database.ts'
import { STORE_KINDS, type StoreKind } from '../support/world.ts'

interface Visited {
  readonly answered: number
  readonly visited: number
}

interface Engine {
  readonly expressions: Dialect
  /**
   * The columns of one of the service's indexes, with those that a table without row ids adds; empty when it is
   * missing.
   */
  columnsOf(index: string): Promise<string[]>
  run(query: CompiledQuery, table: string, company: string): Promise<Visited>
  close(): Promise<void>
}

/** The first term of a condition is evaluated for each visited index entry, before all others. */
const FIRST_TERM = 'where t."company_id" ='

async function openSqlite(shape: Shape): Promise<Engine> {
  const db = new DatabaseSync(':memory:')
  await migrateToLatest(new Kysely<unknown>({ dialect: new SchemaDialect(db) }), sqliteSchema)
  ensureTable(db, declaredTableOf(ORDERS))
  db.exec('begin')
  for (const company of companiesOf(shape)) for (const statement of insertsOf(shape, company)) db.exec(statement)
  db.exec('commit')
  addFunctions(db)
  let visited = 0
  db.function('visit', (_column) => {
    visited += 1
    return 1
  })
  return {
    expressions: sqliteDialect,
    async run({ text, parameters }) {
      const counted = text.replace(FIRST_TERM, FIRST_TERM.replace('where', 'where visit(t.company_id) and'))
      expect(counted).not.toBe(text)
      visited = 0
      const [row] = db.prepare(counted).all(...parameters) as { body?: string; total: number }[]
      return { answered: row?.body === undefined ? (row?.total ?? 0) : JSON.parse(row.body).length, visited }
    },
    async columnsOf(index) {
      const rows = db.prepare('select name from pragma_index_xinfo(?) order by seqno').all(index)
      return rows.map(({ name }) => String(name))
    },
    close: async () => db.close(),
  }
}

async function openPostgres(shape: Shape): Promise<Engine> {
  const pool = new pg.Pool({ connectionString: await newDatabase(), max: 1 })
  await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), postgresSchema)
  await shapePostgresTable(pool as never, declaredTableOf(ORDERS))
  const bind = (company: string) => pool.query('select set_config($1, $2, false)', ['tabularium.company', company])
  for (const company of companiesOf(shape)) {
    await bind(company)
    await pool.query(insertsOf(shape, company).join(';'))
  }
  // All rows are looked at, 300 for each unit: by a sample of them a plan was once another.
  await pool.query('set default_statistics_target = 400')
  await pool.query('vacuum analyze')
  return {
    expressions: postgresDialect,
    async run({ text, parameters, onePlan }, table, company) {
      await bind(company)
      const values = [...parameters]
      const { rows } = await pool.query({ text, values, rowMode: 'array' })
      const { rows: explained } = await pool.query(`explain (analyze, timing off, format json) ${text}`, values)
      const [answer] = rows[0] as [string | number]
      const answered = typeof answer === 'string' && answer.startsWith('[') ? JSON.parse(answer).length : Number(answer)
      const steady = onePlan ? await explainOnePlan(pool, onePlan) : []
      const visited = [explained, steady].flat().map((row) => visitedBy(row['QUERY PLAN'][0].Plan, table))
      return { answered, visited: Math.max(...visited) }
    },
    async columnsOf(index) {
      const { rows } = await pool.query(
        'select pg_get_indexdef(attrelid, attnum, false) as term from pg_attribute where attrelid = to_regclass($1) order by attnum',
        [index],
      )
      return rows.map(({ term }) => /^\(\((\w+)\)::name\)$/.exec(term)?.[1] ?? term)
    },
    close: () => pool.end(),
  }
}

/** The plan that serves all values, which is made without them. */
async function explainOnePlan(pool: pg.Pool, { text, parameters }: BoundText) {
  const values = parameters.map((value) => pg.escapeLiteral(String(value))).join(', ')
  const settings = Object.entries(ONE_PLAN).map(([name, value]) => `set ${name} = ${value}`)
  await pool.query([...settings, `prepare steady as ${text}`].join('; '))
  const { rows } = await pool.query(
    `explain (analyze, timing off, format json) execute steady${values === '' ? '' : `(${values})`}`,
  )
  await pool.query(['deallocate steady', ...Object.keys(ONE_PLAN).map((name) => `reset ${name}`)].join('; '))
  return rows
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The rows of the document's table that its scans have returned or filtered out. */
function visitedBy(node: PlanNode, table: string): number {
  const inside = (node.Plans ?? []).reduce((sum, one) => sum + visitedBy(one, table), 0)
  if (node['Relation Name'] !== table || node.Alias !== 't') return inside
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return inside + (node['Actual Rows'] + removed) * node['Actual Loops']
}

const OPEN: Readonly<Record<StoreKind, (shape: Shape) => Promise<Engine>>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
}

function nameOf({ document, visits: _visits, postgres: _postgres, ...rest }: PlanQuery): string {
  return `${document} ${JSON.stringify(rest)}`
}

describe.each(STORE_KINDS)('on %s', (kind) => {
  describe.each(SHAPES.map((shape, at) => ({ ...shape, at: at as 0 | 1 })))('with $name', (shape) => {
    let engine: Engine
    beforeAll(async () => {
      engine = await OPEN[kind](shape)
    })
    afterAll(() => engine?.close())

    it('has the indexes that definitions name', async () => {
      const indexes = Object.values(DOCUMENTS).flatMap(({ definition }) => definition.indexes ?? [])
      expect(indexes.length).toBeGreaterThan(15)
      for (const { name, columns } of indexes) {
        const found = await engine.columnsOf(name)
        // SQLite adds those of the key that are missing; PostgreSQL does not.
        expect([name, ...found.slice(0, columns.length)]).toEqual([
          name,
          ...columns.slice(0, Math.max(2, found.length)),
        ])
      }
    })

    it('counts every row that is visited', async () => {
      // Nothing is found, and no index helps.
      const filter = "contains(lastUpdated/updatedBy,'nobody')"
      const query = { document: 'customers', filter, visits: [0, 0] } as const
      const company = companyOf(shape)
      const { answered, visited } = await engine.run(compiled(query, company, engine.expressions), 'customer', company)
      expect(answered).toBe(0)
      expect(visited).toBeGreaterThanOrEqual(shape.lines / 10)
    })

    it.each(PLAN_QUERIES.map((query) => [nameOf(query), query] as const))('%s', async (_name, query) => {
      const company = companyOf(shape)
      const { table } = DOCUMENTS[query.document]?.definition ?? { table: '' }
      const { answered, visited } = await engine.run(compiled(query, company, engine.expressions), table, company)
      // A query without results would prove nothing.
      expect(answered).toBeGreaterThan(0)
      const { visits, postgres } = query
      const most = (kind === 'postgres' && postgres ? postgres : visits)[shape.at]
      expect(visited).toBeLessThanOrEqual(Math.ceil((answered + (query.offset ?? 0)) * most))
    })
  })
})
