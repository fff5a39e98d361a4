// PostgreSQL plans every fixed statement of docs/generated/sql.md. SQLite runs each in compiled-once.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { compileStatement, declaredStatements } from '../../src/sql/statement.ts'
import { STORE_KINDS, startWorld } from '../support/world.ts'
// Declares every statement.
import '../../src/app/app.ts'

const isTested = STORE_KINDS.includes('postgres')
let world: Awaited<ReturnType<typeof startWorld>>

beforeAll(async () => {
  if (isTested) world = await startWorld('postgres')
})
afterAll(() => world?.stop())

it.runIf(isTested)('plans each fixed statement', async () => {
  const faults: string[] = []
  // Tests that share the process declare statements too.
  const fixed = [...declaredStatements()].filter(({ name }) => !name.endsWith('_for_tests'))
  expect(fixed.length).toBeGreaterThan(100)
  for (const statement of fixed) {
    const { text } = compileStatement(postgresDialect, statement)
    await world
      .query(`explain (generic_plan) ${text}`)
      .catch((error: Error) => faults.push(`${statement.name}: ${error.message}`))
  }
  expect(faults).toEqual([])
})
