// SQLite recompiles a statement whose plan depends on a parameter's value when another value is bound: that takes
// many times as long as a short statement runs. It asks its authorizer whenever it compiles.

import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { migrateToLatest } from '../../src/databases/migrations/migrate.ts'
import { ensureTable } from '../../src/databases/sqlite/dialect/declared-tables.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { addFunctions } from '../../src/databases/sqlite/dialect/functions.ts'
import { addJournalText } from '../../src/databases/sqlite/dialect/journal-text.ts'
import { SchemaDialect, sqliteSchema } from '../../src/databases/sqlite/dialect/schema.ts'
import { declaredTableOf } from '../../src/setup/rules/declared-table.ts'
import { compileStatement, declaredStatements } from '../../src/sql/statement.ts'
import { compiled, ORDERS } from '../support/plans/compiled.ts'
import { PLAN_QUERIES } from '../support/plans/queries.ts'
// Declares every statement.
import '../../src/app/app.ts'

const db = new DatabaseSync(':memory:')
let asked = 0

beforeAll(async () => {
  await migrateToLatest(new Kysely<unknown>({ dialect: new SchemaDialect(db) }), sqliteSchema)
  ensureTable(db, declaredTableOf(ORDERS))
  addFunctions(db)
  addJournalText(db)
  db.setAuthorizer(() => {
    asked += 1
    return constants.SQLITE_OK
  })
})

/** The number of recompilations when the statement runs with other parameters. */
function compiledAgain(text: string, first: readonly SQLInputValue[], other: readonly SQLInputValue[]): number {
  const statement = db.prepare(text)
  const run = (parameters: readonly SQLInputValue[]) => {
    try {
      statement.all(...parameters)
    } catch (error) {
      // A row that a constraint rejects has been compiled all the same.
      if (!/constraint|malformed JSON|cannot store/i.test(String(error))) throw error
    }
  }
  db.exec('savepoint run')
  // A full-text index compiles statements of its own when it is first used.
  run(first)
  const before = asked
  run(other)
  const again = asked - before
  db.exec('rollback to run; release run')
  return again
}

it('detects when a statement is recompiled', () => {
  expect(compiledAgain('select name from attribute limit ?', [1], [2])).toBeGreaterThan(0)
  expect(compiledAgain('select name from attribute where name = ?', ['a'], ['b'])).toBe(0)
})

it('recompiles no fixed statement for other values', () => {
  const statements = declaredStatements()
  expect(statements.length).toBeGreaterThan(50)
  const again = statements.filter((declared) => {
    const { text, names } = compileStatement(sqliteDialect, declared)
    const values = (value: number) => names.map((name) => (name.endsWith('s') ? `["${value}"]` : value))
    return compiledAgain(text, values(1), values(2)) > 0
  })
  expect(again.map(({ name }) => name)).toEqual([])
})

it.each(PLAN_QUERIES.map((query) => [JSON.stringify(query), query] as const))(
  'recompiles no query for another company and another page: %s',
  (_name, query) => {
    const page = query.isCount ? {} : { limit: 3, offset: 4 }
    const one = compiled(query, 'EN', sqliteDialect)
    const other = compiled({ ...query, ...page }, 'SE', sqliteDialect)
    // A distant page is found by another statement.
    const second = other.text === one.text ? other : compiled({ ...query, limit: 60 }, 'SE', sqliteDialect)
    expect(second.text).toBe(one.text)
    expect(compiledAgain(one.text, one.parameters, second.parameters)).toBe(0)
  },
)
