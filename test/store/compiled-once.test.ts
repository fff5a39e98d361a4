// SQLite compiles a statement again when it has looked at the value of a parameter and another one is bound: that takes
// many times as long as a short statement runs. It asks its authorizer whenever it compiles.
import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { customTableOf } from '../../src/setup/rules/custom-document.ts'
import { sqliteCompiler } from '../../src/store/dialects/sqlite/compiler.ts'
import { ensureTable } from '../../src/store/dialects/sqlite/custom-tables.ts'
import { sqliteEngine } from '../../src/store/dialects/sqlite/engine.ts'
import { sqliteExpressions } from '../../src/store/dialects/sqlite/expressions.ts'
import { addFunctions } from '../../src/store/dialects/sqlite/functions/fold-case.ts'
import { addJournalView } from '../../src/store/dialects/sqlite/functions/journal-text.ts'
import { SchemaDialect } from '../../src/store/dialects/sqlite/schema-dialect.ts'
import { SQLITE_TYPES } from '../../src/store/dialects/sqlite/sqlite-store.ts'
import { migrateToLatest } from '../../src/store/migrations/migrate.ts'
import { compileStatement, declaredStatements } from '../../src/store/statement.ts'
import { compiled, ORDERS } from '../support/plans/compiled.ts'
import { PLAN_QUESTIONS } from '../support/plans/questions.ts'
// Declares every statement.
import '../../src/app.ts'

const db = new DatabaseSync(':memory:')
let asked = 0

beforeAll(async () => {
  await migrateToLatest(new Kysely<unknown>({ dialect: new SchemaDialect(db) }), SQLITE_TYPES)
  ensureTable(db, customTableOf(ORDERS))
  addFunctions(db)
  addJournalView(db)
  db.setAuthorizer(() => {
    asked += 1
    return constants.SQLITE_OK
  })
})

/** How often it is compiled while it runs with other parameters than the first time. */
function compiledAgain(text: string, first: readonly SQLInputValue[], other: readonly SQLInputValue[]): number {
  const statement = db.prepare(text)
  const run = (parameters: readonly SQLInputValue[]) => {
    try {
      statement.all(...parameters)
    } catch (error) {
      // A row that a constraint refuses has been looked at all the same.
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

it('is told when a statement is compiled again', () => {
  expect(compiledAgain('select name from attribute limit ?', [1], [2])).toBeGreaterThan(0)
  expect(compiledAgain('select name from attribute where name = ?', ['a'], ['b'])).toBe(0)
})

it('compiles no fixed statement again for other values', () => {
  const statements = declaredStatements()
  expect(statements.length).toBeGreaterThan(50)
  const again = statements.filter((declared) => {
    const { text, names } = compileStatement(sqliteCompiler, sqliteEngine, declared)
    const values = (value: number) => names.map((name) => (name.endsWith('s') ? `["${value}"]` : value))
    return compiledAgain(text, values(1), values(2)) > 0
  })
  expect(again.map(({ name }) => name)).toEqual([])
})

it.each(PLAN_QUESTIONS.map((question) => [JSON.stringify(question), question] as const))(
  'compiles no query again for another company and another page: %s',
  (_name, question) => {
    const page = question.isCount ? {} : { limit: 3, offset: 4 }
    const one = compiled(question, 'EN', sqliteExpressions)
    const other = compiled({ ...question, ...page }, 'SE', sqliteExpressions)
    // A page far behind the first is found in another way.
    const second = other.text === one.text ? other : compiled({ ...question, limit: 60 }, 'SE', sqliteExpressions)
    expect(second.text).toBe(one.text)
    expect(compiledAgain(one.text, one.parameters, second.parameters)).toBe(0)
  },
)
