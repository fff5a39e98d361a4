// PostgreSQL plans every fixed statement of docs/generated/sql.md. SQLite runs each in compiled-once.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { compileStatement, declaredStatements } from '../../src/sql/statement.ts'
import { asSuperuser, queryOn } from '../support/test-database.ts'
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

it.runIf(isTested)('looks up many keys by the primary key, whatever statistics say of a table that grows', async () => {
  await world.query('alter table attribute_value set (autovacuum_enabled = false)')
  await world.query(`insert into attribute_value (company_id, attribute_id, attribute_value, description)
    select 'EN', 'C9', 'V' || n, 'Project ' || n from generate_series(1, 5000) n`)
  const keys = JSON.stringify(Array.from({ length: 500 }, (_, at) => `V${at * 10}`))
  for (const name of ['list_present_values', 'list_open_values']) {
    const declared = [...declaredStatements()].find((one) => one.name === name)
    const { text, names } = compileStatement(postgresDialect, declared as never)
    const values: Record<string, string> = { companyId: 'EN', attributeId: 'C9', attributeValues: keys }
    const bound = text.replaceAll(/\$(\d+)/g, (_place, no) => `'${values[names[no - 1] ?? '']}'`)
    const plan = await queryOn(asSuperuser(world.databaseUrl()), 'set enable_sort = off', `explain ${bound}`)
    expect(declared?.isInOrderOfIndex).toBe(true)
    expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan using attribute_value_pkey/)
  }
})
